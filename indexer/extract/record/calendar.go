package record

import (
	"context"
	"strings"
	"time"

	"dowse/indexer/document"
)

// isCalendar reports whether a file named as a calendar begins as one of iCalendar, or as what
// stands in one: some programs export an event alone.
func isCalendar(name string, head []byte) bool {
	ext := document.Extension(name)
	return (ext == "ics" || ext == "ical" || ext == "ifb") && beginsWith(head, "BEGIN:V")
}

// entryNames are the components of a calendar that a person wrote. Alarms and time zones are none.
var entryNames = map[string]string{"VEVENT": "Event", "VTODO": "Task", "VJOURNAL": "Journal"}

// readCalendar reads the events, tasks and journal entries of iCalendar (RFC 5545), a record each.
func readCalendar(ctx context.Context, in *document.Input) (*document.Document, error) {
	text, err := in.Text(ctx, wholeLetters(in.Data))
	if err != nil {
		return nil, err
	}
	w := newWriter(in, text)
	var within []string // the components that are open
	var entry []property
	var title string
	number, start := 0, 0
	for p := range properties(text) {
		component := strings.ToUpper(strings.TrimSpace(p.value))
		innermost := ""
		if len(within) > 0 {
			innermost = within[len(within)-1]
		}
		switch {
		case p.name == "BEGIN":
			within = append(within[:min(len(within), maxDepth)], component)
			if entryNames[component] != "" {
				entry, start = entry[:0], p.at
			}
		case p.name == "END" && innermost != "":
			within = within[:len(within)-1]
			if entryNames[innermost] == "" {
				continue
			}
			if number++; number%1000 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			summary, names, cells := calendarEntry(entryNames[innermost], entry)
			w.b.Entry(calendarMeta(summary, entry))
			w.record(start, document.Part{Unit: document.Record, Number: number, Name: summary}, names, cells)
		case entryNames[innermost] != "":
			entry = append(entry, p)
		case p.name == "X-WR-CALNAME":
			title = p.text()
		}
	}
	if number == 0 {
		return nil, document.ErrOther
	}
	d := w.document("ical")
	d.Meta.Title = title
	return d, nil
}

// calendarNames are the properties of an entry that say something to a person.
var calendarNames = map[string]string{
	"LOCATION": "Where", "DUE": "Due", "COMPLETED": "Done", "DESCRIPTION": "Description", "COMMENT": "Comment", "CONTACT": "Contact",
	"ORGANIZER": "Organizer", "ATTENDEE": "With", "CATEGORIES": "Categories", "RESOURCES": "Resources", "RRULE": "Repeats", "URL": "Web", "STATUS": "Status",
}

// calendarEntry returns what an entry is called and what it says, name by name.
func calendarEntry(kind string, entry []property) (summary string, names, cells []string) {
	var from, to string
	var with []string
	for _, p := range entry {
		switch p.name {
		case "SUMMARY":
			summary = p.text()
		case "DTSTART":
			from = p.text()
		case "DTEND":
			to = p.text()
		case "ATTENDEE":
			with = append(with, attendee(&p))
		}
	}
	names, cells = append(names, kind, "When"), append(cells, summary, span(from, to))
	for _, p := range entry {
		name, known := calendarNames[p.name]
		value := p.text()
		switch p.name {
		case "ATTENDEE":
			value = strings.Join(with, ", ")
			with = nil // all of them at the first
		case "ORGANIZER":
			value = attendee(&p)
		case "DUE", "COMPLETED":
			value = calendarTime(value)
		case "CATEGORIES", "RESOURCES":
			value = p.joined(',', ", ")
		case "RRULE":
			value = repeats(value)
		case "STATUS":
			if value = strings.ToLower(value); value != "cancelled" {
				value = ""
			}
		}
		if known && value != "" {
			names, cells = append(names, name), append(cells, value)
		}
	}
	return summary, names, cells
}

// attendee returns the name of a person, the address of one who has none.
func attendee(p *property) string {
	if name := p.parameter("CN"); name != "" {
		return name
	}
	address := p.text()
	if len(address) > 7 && strings.EqualFold(address[:7], "mailto:") {
		return address[7:]
	}
	return address
}

// span returns from when to when something is, "" of no time. Of one day it says the day once.
func span(from, to string) string {
	start, end := calendarTime(from), calendarTime(to)
	if first, err := time.Parse(dayLayout, from); err == nil {
		last, err := time.Parse(dayLayout, to)
		if last = last.AddDate(0, 0, -1); err != nil || !last.After(first) { // the end of whole days is the day behind them
			return start
		}
		end = last.Format(saidDay)
	}
	if end == "" || end == start {
		return start
	}
	if t, err := time.Parse(timeLayout, strings.TrimSuffix(from, "Z")); err == nil {
		end = strings.TrimPrefix(end, t.Format(saidDay)+" ")
	}
	return start + " to " + end
}

// Layouts of times in calendars, and of days as people say them.
const (
	dayLayout  = "20060102"
	timeLayout = "20060102T150405"
	saidDay    = "Monday 2 January 2006"
)

// calendarTime writes a date or time as people do; what is neither stays.
func calendarTime(value string) string {
	if t, err := time.Parse(dayLayout, value); err == nil {
		return t.Format(saidDay)
	}
	local, utc := strings.CutSuffix(value, "Z")
	t, err := time.Parse(timeLayout, local)
	if err != nil {
		return value
	}
	if utc {
		return t.Format(saidDay + " 15:04 UTC")
	}
	return t.Format(saidDay + " 15:04")
}

// repeats says a rule of repetition in words, as far as it is simple: weekly on MO,WE until ...
func repeats(rule string) string {
	var said []string
	for _, part := range strings.Split(rule, ";") {
		key, value, _ := strings.Cut(part, "=")
		switch strings.ToUpper(key) {
		case "FREQ":
			said = append([]string{strings.ToLower(value)}, said...)
		case "INTERVAL":
			if value != "1" {
				said = append(said, "every "+value)
			}
		case "BYDAY":
			said = append(said, "on "+strings.ReplaceAll(value, ",", ", "))
		case "COUNT":
			said = append(said, value+" times")
		case "UNTIL":
			said = append(said, "until "+calendarTime(value))
		}
	}
	return strings.Join(said, " ")
}
