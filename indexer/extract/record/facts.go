package record

import (
	"strconv"
	"strings"
	"time"
	"unicode"

	"dowse/indexer/document"
	"dowse/indexer/extract/dates"
)

// What values are called that say of when, by whom, to whom and what a record is, in small letters and no
// other signs. Of several dates the one counts whose name comes first here.
var (
	dateNames = numbered("observedon date datum fecha datetime timestamp timestampms creationdate created createdat createddate datecreated createdtime creationtime " +
		"sent sentat published publishedat pubdate datepublished transactiondate bookingdate buchungstag highlightedat start starttime startdate when day time ts added addedat dateadded updated updatedat modified")
	authorNames = numbered("author authors bookauthor authorname from fromname sender sendername user username userlogin createdby postedby observer writer von absender")
	toNames     = numbered("to toname recipient recipients recipientname attendees attendee empfänger")
	tagNames    = numbered("tags tag documenttags taglist labels label labelsname categories category keywords")
	titleNames  = numbered("title subject headline betreff titel booktitle")
)

// numbered gives words their places, from 1.
func numbered(words string) map[string]int {
	places := map[string]int{}
	for i, word := range strings.Fields(words) {
		places[word] = i + 1
	}
	return places
}

// data writes a record, which says of itself what its values do that are named so.
func (w *writer) data(offset int, part document.Part, names, cells []string) {
	w.b.Entry(w.metaOf(names, cells))
	w.record(offset, part, names, cells)
}

// metaOf returns what a record says of itself: nothing but a title is no entry.
func (w *writer) metaOf(names, cells []string) (m document.Meta) {
	best, clock := 0, ""
	for i, cell := range cells {
		if i >= len(names) || cell == "" {
			break
		}
		name := w.plain(names[i])
		if place := dateNames[name]; place > 0 {
			if t := dateOf(cell); !t.IsZero() && (best == 0 || place < best) {
				m.Date, best = t, place
			} else if name == "time" {
				clock = cell
			}
		}
		switch {
		case authorNames[name] > 0:
			m.Authors = append(m.Authors, cell)
		case toNames[name] > 0:
			m.To = append(m.To, cell)
		case tagNames[name] > 0:
			m.Tags = append(m.Tags, tagsIn(cell)...)
		case titleNames[name] > 0 && m.Title == "":
			m.Title = cell
		}
	}
	if m.Date.IsZero() && len(m.Authors) == 0 && len(m.To) == 0 && len(m.Tags) == 0 {
		return document.Meta{}
	}
	if clock != "" && m.Date.Equal(m.Date.Truncate(24*time.Hour)) {
		if t := dates.Parse(m.Date.Format(time.DateOnly) + " " + clock); !t.IsZero() {
			m.Date = t
		}
	}
	return m
}

// plain returns a name without signs, in small letters: "created_at" is "createdat". Records have the same names.
func (w *writer) plain(name string) string {
	plain, known := w.names[name]
	if known {
		return plain
	}
	plain = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
	if w.names == nil {
		w.names = map[string]string{}
	}
	if len(w.names) < maxNames {
		w.names[name] = plain
	}
	return plain
}

// maxNames is how many names of values are remembered.
const maxNames = 1000

// dateOf reads a date, or the seconds or milliseconds since 1970 that programs write.
func dateOf(cell string) time.Time {
	if t := dates.Parse(cell); !t.IsZero() {
		return t
	}
	whole, _, _ := strings.Cut(cell, ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	switch {
	case err != nil || n < 0:
		return time.Time{}
	case len(whole) == len("1746093600"):
		return time.Unix(n, 0).UTC()
	case len(whole) == len("1746093600000"):
		return time.UnixMilli(n).UTC()
	}
	return time.Time{}
}

// tagsIn divides a list of tags at commas or semicolons, and takes off what marks them.
func tagsIn(cell string) (tags []string) {
	for _, tag := range strings.FieldsFunc(cell, func(r rune) bool { return r == ',' || r == ';' }) {
		if tag = strings.Trim(tag, " #@"); tag != "" {
			tags = append(tags, tag)
		}
	}
	return tags
}

// calendarMeta returns what an entry of a calendar says of itself: who invited whom, and when it begins or is due.
func calendarMeta(summary string, entry []property) document.Meta {
	m := document.Meta{Title: summary}
	place := 0
	for _, p := range entry {
		switch p.name {
		case "ORGANIZER":
			m.Authors = append(m.Authors, person(&p))
		case "ATTENDEE":
			m.To = append(m.To, person(&p))
		case "CATEGORIES":
			m.Tags = append(m.Tags, tagsIn(p.joined(',', ","))...)
		case "DTSTART", "DUE", "COMPLETED", "CREATED":
			at := momentIn(p.text())
			if of := map[string]int{"DTSTART": 4, "DUE": 3, "COMPLETED": 2, "CREATED": 1}[p.name]; of > place && !at.IsZero() {
				m.Date, place = at, of
			}
		}
	}
	return m
}

// contactMeta returns what a contact says of itself: whose it is, its categories, and when it was changed. Nobody
// has written it.
func contactMeta(whose string, card []property) document.Meta {
	m := document.Meta{Title: whose}
	for _, p := range card {
		switch p.name {
		case "CATEGORIES":
			m.Tags = append(m.Tags, tagsIn(p.joined(',', ","))...)
		case "REV":
			m.Date = momentIn(p.text())
		}
	}
	return m
}

// person returns somebody as mail writes people, with the address.
func person(p *property) string {
	name, address := p.parameter("CN"), p.text()
	if len(address) > 7 && strings.EqualFold(address[:7], "mailto:") {
		address = address[7:]
	}
	if name == "" || !strings.Contains(address, "@") || strings.EqualFold(name, address) {
		return attendee(p)
	}
	return name + " <" + address + ">"
}

// momentIn reads a date or time of iCalendar or vCard; zero of neither. A time with the name of a zone is what a
// clock there showed: what the name means is not known everywhere.
func momentIn(value string) time.Time {
	if t := dates.Parse(value); !t.IsZero() {
		return t
	}
	local, utc := strings.CutSuffix(value, "Z")
	t, err := time.ParseInLocation(timeLayout, local, dates.Clock)
	if err != nil {
		return time.Time{}
	}
	if utc {
		return t.UTC()
	}
	return t
}
