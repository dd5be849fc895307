package dates

import (
	"strconv"
	"strings"
	"time"
)

// Clock is the location of days, and of times that name no zone.
var Clock = time.FixedZone("clock", 0)

// Years that a date has.
const (
	firstYear = 1500
	lastYear  = 2299
)

// Parse reads a text that is a date and nothing else, or that gives a month alone (2025-05). It is zero where
// it is none.
func Parse(text string) time.Time {
	text = strings.TrimSpace(text)
	if len(text) == len("20250501") {
		if t, err := time.ParseInLocation("20060102", text, Clock); err == nil && inYears(t.Year()) {
			return t
		}
	}
	if t, err := time.ParseInLocation("2006-01", text, Clock); err == nil {
		return t
	}
	t, rest, ok := Leading(text)
	if !ok || strings.TrimSpace(rest) != "" {
		return time.Time{}
	}
	return t
}

// Leading reads the date that a text begins with, with the day of the week before it and the time of the day
// behind it, and returns the text behind that.
func Leading(text string) (t time.Time, rest string, ok bool) {
	if text == "" {
		return t, text, false
	}
	said, known := time.Weekday(0), false
	if c := text[0]; c < '0' || c > '9' {
		name, behind := word(text)
		if months[name] != 0 {
			if t, rest, ok = monthFirst(text); ok {
				return clock(t, rest)
			}
		}
		if said, known = weekdays[name]; !known {
			return t, text, false
		}
		text = strings.TrimLeft(strings.TrimPrefix(behind, ","), " ")
		if t, rest, ok = monthFirst(text); ok {
			return clock(t, rest)
		}
	}
	if t, rest, ok = digitsFirst(text, said, known); !ok {
		return t, text, false
	}
	return clock(t, rest)
}

func inYears(year int) bool { return year >= firstYear && year <= lastYear }

// day returns the date of three numbers, if there is such a day.
func day(year int, month time.Month, date int) (t time.Time, ok bool) {
	t = time.Date(year, month, date, 0, 0, 0, 0, Clock)
	return t, inYears(year) && t.Month() == month && t.Day() == date
}

// number returns the digits that a text begins with, from least to most of them.
func number(text string, least, most int) (n int, rest string, ok bool) {
	digits := 0
	for digits < len(text) && text[digits] >= '0' && text[digits] <= '9' {
		if digits++; digits > most {
			return 0, text, false
		}
	}
	if digits < least {
		return 0, text, false
	}
	n, err := strconv.Atoi(text[:digits])
	return n, text[digits:], err == nil
}

// monthFirst reads May 5th, 2025.
func monthFirst(text string) (t time.Time, rest string, ok bool) {
	name, rest := word(text)
	month := months[name]
	if month == 0 {
		return t, text, false
	}
	date, rest, ok := number(strings.TrimLeft(rest, " "), 1, 2)
	if !ok {
		return t, text, false
	}
	rest = strings.TrimLeft(strings.TrimPrefix(ordinal(rest), ","), " ")
	year, rest, ok := number(rest, 4, 4)
	if !ok {
		return t, text, false
	}
	t, ok = day(year, month, date)
	return t, rest, ok
}

// ordinal returns what stands behind the ending of an English number.
func ordinal(text string) string {
	for _, ending := range []string{"st", "nd", "rd", "th"} {
		if rest, found := strings.CutPrefix(text, ending); found {
			return rest
		}
	}
	return text
}

// digitsFirst reads the dates that begin with a number.
func digitsFirst(text string, said time.Weekday, known bool) (t time.Time, rest string, ok bool) {
	first, rest, ok := number(text, 1, 4)
	if !ok || rest == "" {
		return t, text, false
	}
	if len(text)-len(rest) == 4 {
		return yearFirst(first, text[4:])
	}
	if first > 31 || len(text)-len(rest) > 2 {
		return t, text, false
	}
	if t, behind, ok := namedMonth(first, rest); ok {
		return t, behind, true
	}
	mark := text[len(text)-len(rest)]
	if mark != '.' && mark != '/' {
		return t, text, false
	}
	second, rest, ok := number(rest[1:], 1, 2)
	if !ok || rest == "" || rest[0] != mark {
		return t, text, false
	}
	year, rest, ok := number(rest[1:], 4, 4)
	if !ok {
		return t, text, false
	}
	t, ok = numbered(first, second, year, mark, said, known)
	return t, rest, ok
}

// yearFirst reads what stands behind the year of 2025-05-01.
func yearFirst(year int, text string) (t time.Time, rest string, ok bool) {
	mark := text[0]
	if !strings.ContainsRune("-/._", rune(mark)) {
		return t, text, false
	}
	month, rest, ok := number(text[1:], 1, 2)
	if !ok || rest == "" || rest[0] != mark {
		return t, text, false
	}
	date, rest, ok := number(rest[1:], 1, 2)
	if !ok {
		return t, text, false
	}
	t, ok = day(year, time.Month(month), date)
	return t, rest, ok
}

// namedMonth reads what stands behind the day of 5. Mai 2025, 5 de mayo de 2025 and 05/May/2025.
func namedMonth(date int, text string) (t time.Time, rest string, ok bool) {
	of := func(text string) string { return strings.TrimPrefix(strings.TrimLeft(text, " "), "de ") }
	rest = strings.TrimPrefix(ordinal(text), ".")
	if rest != "" && strings.IndexByte("-/", rest[0]) >= 0 {
		rest = rest[1:]
	}
	name, rest := word(of(rest))
	month := months[name]
	if month == 0 || rest == "" {
		return t, text, false
	}
	rest = strings.TrimPrefix(rest, ",")
	if rest != "" && strings.IndexByte("-/", rest[0]) >= 0 {
		rest = rest[1:]
	}
	year, rest, ok := number(of(rest), 4, 4)
	if !ok {
		return t, text, false
	}
	t, ok = day(year, month, date)
	return t, rest, ok
}

// numbered returns the date of three numbers, the year last: by dots the day comes first; by strokes
// as the day of the week, or a number above 12, tells.
func numbered(first, second, year int, mark byte, said time.Weekday, known bool) (t time.Time, ok bool) {
	dayFirst, isDay := day(year, time.Month(second), first)
	if mark == '.' {
		return dayFirst, isDay
	}
	monthFirst, isMonth := day(year, time.Month(first), second)
	if known {
		isDay = isDay && dayFirst.Weekday() == said
		isMonth = isMonth && monthFirst.Weekday() == said
	}
	switch {
	case isDay && (!isMonth || monthFirst.Equal(dayFirst)):
		return dayFirst, true
	case isMonth && !isDay:
		return monthFirst, true
	}
	return t, false
}
