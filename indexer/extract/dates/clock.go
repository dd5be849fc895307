package dates

import (
	"strings"
	"time"
)

// clock reads the time of the day behind a date, if one stands there. What goes on with a letter or a digit
// was no date.
func clock(day time.Time, text string) (t time.Time, rest string, ok bool) {
	if t, rest, ok = timeOfDay(day, text); ok {
		return t, rest, true
	}
	if text != "" && (text[0] >= '0' && text[0] <= '9' || text[0]|0x20 >= 'a' && text[0]|0x20 <= 'z') {
		return day, text, false
	}
	return day, text, true
}

// timeOfDay reads "T10:00:00Z", " 10:00", ", 10:00 AM", " Thu 10:00" and ":10:00:00 +0200".
func timeOfDay(day time.Time, text string) (t time.Time, rest string, ok bool) {
	rest = strings.TrimPrefix(text, ",")
	switch {
	case rest == "":
		return t, text, false
	case rest[0] == 'T' || rest[0] == 't' || rest[0] == ':' || rest[0] == '_':
		rest = rest[1:]
	default:
		if rest = strings.TrimLeft(rest, " "); strings.HasPrefix(rest, "at ") {
			rest = rest[len("at "):]
		} else if name, behind := word(rest); name != "" && isWeekday(name) {
			rest = strings.TrimLeft(behind, " ")
		}
	}
	if len(rest) == len(text) { // nothing between
		return t, text, false
	}
	hour, rest, ok := number(rest, 1, 2)
	if !ok || rest == "" || rest[0] != ':' {
		return t, text, false
	}
	minute, rest, ok := number(rest[1:], 2, 2)
	if !ok {
		return t, text, false
	}
	second, short := 0, text[0] == ' ' // of 10:00-11:00 the second is no zone
	if strings.HasPrefix(rest, ":") {
		short = false
		if n, behind, found := number(rest[1:], 2, 2); found {
			second, rest = n, fraction(behind)
		}
	}
	if hour, rest, ok = halfDay(hour, rest); !ok || hour > 23 || minute > 59 || second > 60 {
		return t, text, false
	}
	where := Clock
	if !short || !strings.HasPrefix(rest, "-") {
		where, rest = zone(rest)
	}
	t = time.Date(day.Year(), day.Month(), day.Day(), hour, minute, second, 0, where)
	if where != Clock {
		t = t.UTC()
	}
	return t, rest, true
}

// fraction returns what stands behind ".123" or ",123".
func fraction(text string) string {
	if text == "" || text[0] != '.' && text[0] != ',' {
		return text
	}
	if _, rest, ok := number(text[1:], 1, 9); ok {
		return rest
	}
	return text
}

// halfDay reads AM or PM behind an hour.
func halfDay(hour int, text string) (of24 int, rest string, ok bool) {
	behind := strings.TrimLeft(text, " \u202f\u00a0")
	if len(behind) < 2 || behind[1]|0x20 != 'm' && behind[1] != '.' || len(behind) > 2 && behind[1] != '.' && behind[2]|0x20 >= 'a' && behind[2]|0x20 <= 'z' {
		return hour, text, true
	}
	half := behind[0] | 0x20
	if half != 'a' && half != 'p' {
		return hour, text, true
	}
	rest = behind[2:]
	if behind[1] == '.' { // a.m.
		if rest = strings.TrimPrefix(rest, "m."); len(rest) == len(behind)-2 {
			return hour, text, true
		}
	}
	if hour < 1 || hour > 12 {
		return hour, text, false
	}
	if hour %= 12; half == 'p' {
		hour += 12
	}
	return hour, rest, true
}

// zone reads Z, UTC, GMT, +02:00 or +0200, with or without a blank before it.
func zone(text string) (where *time.Location, rest string) {
	behind := strings.TrimLeft(text, " ")
	for _, name := range []string{"Z", "UTC", "GMT"} {
		if rest, found := strings.CutPrefix(behind, name); found && (rest == "" || rest[0]|0x20 < 'a' || rest[0]|0x20 > 'z') {
			return time.UTC, rest
		}
	}
	if len(behind) < len("+0200") || behind[0] != '+' && behind[0] != '-' {
		return Clock, text
	}
	hours, behindHours, ok := number(behind[1:3], 2, 2)
	minutes, rest, more := number(strings.TrimPrefix(behind[3:], ":"), 2, 2)
	if !ok || !more || behindHours != "" || hours > 15 || minutes > 59 {
		return Clock, text
	}
	offset := hours*3600 + minutes*60
	if behind[0] == '-' {
		offset = -offset
	}
	return time.FixedZone("", offset), rest
}
