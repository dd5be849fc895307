package markup

import (
	"slices"
	"strings"
	"time"

	"dowse/indexer/document"
	"dowse/indexer/extract/dates"
	"dowse/internal/pattern"
)

// orgEntry is a heading of an Org file, and what it says of itself.
type orgEntry struct {
	offset, level int
	meta          document.Meta
}

var (
	orgStamp    = pattern.New(`[<\[](\d{4}-\d{2}-\d{2}[^>\]\n]*)[>\]]`)
	orgPlanned  = pattern.New(`\b(CLOSED|SCHEDULED|DEADLINE):\s*[<\[](\d{4}-\d{2}-\d{2}[^>\]\n]*)[>\]]`)
	orgCreated  = pattern.New(`(?i)^\s*:CREATED:\s+(.*)$`)
	orgOnlyDate = pattern.New(`^\s*[<\[](\d{4}-\d{2}-\d{2}[^>\]\n]*)[>\]](?:--[<\[][^>\]\n]*[>\]])?\s*$`)
)

// maxOrgHead is how many lines below a heading are looked at for its dates.
const maxOrgHead = 40

// entry notes a heading that is about to be written, with the lines below it.
func (o *org) entry(level int, title string, tags []string, below []string) {
	o.entries = append(o.entries, orgEntry{o.w.Len(), level, document.Meta{
		Title: orgText(orgTitle(title)), Tags: tags, Date: orgDateOf(title, below),
	}})
}

// orgTitle returns a title without its timestamps, or the title where that is all that it has.
func orgTitle(title string) string {
	if rest := strings.TrimSpace(orgStamp.ReplaceAllString(title, "")); rest != "" {
		return rest
	}
	return title
}

// orgDateOf returns when a heading is dated: by its own timestamp, by when it was made, by a timestamp that is a line
// of its own, by when it was done, is planned or is due; or by a title that is a date.
func orgDateOf(title string, below []string) time.Time {
	if m := orgStamp.FindStringSubmatch(title); m != nil {
		return orgMoment(m[1])
	}
	var best time.Time
	rank := 0
	take := func(of int, text string) {
		if t := orgMoment(text); of > rank && !t.IsZero() {
			best, rank = t, of
		}
	}
	if t, _, ok := dates.Leading(title); ok {
		best, rank = t, 4
	}
	for _, line := range below[:min(len(below), maxOrgHead)] {
		if strings.HasPrefix(line, "*") {
			break
		}
		if m := orgCreated.FindStringSubmatch(line); m != nil {
			take(6, strings.Trim(m[1], "[]<> "))
		}
		if m := orgOnlyDate.FindStringSubmatch(line); m != nil {
			take(5, m[1])
		}
		for _, m := range orgPlanned.FindAllStringSubmatch(line, -1) {
			take(map[string]int{"CLOSED": 3, "SCHEDULED": 2, "DEADLINE": 1}[m[1]], m[2])
		}
	}
	return best
}

// orgMoment reads what stands in a timestamp, "2025-05-01 Thu 10:00 +1w", or alone in a property, "20250501".
func orgMoment(text string) time.Time {
	if t, _, ok := dates.Leading(text); ok {
		return t
	}
	return dates.Parse(text)
}

// own returns the entries of the file: a heading takes over the date of the one above it, and the tags of all.
func (o *org) own() (entries []document.Entry) {
	type above struct {
		level int
		meta  document.Meta
	}
	if o.meta.Date.IsZero() {
		o.meta.Date = dates.Parse(o.meta.Title).UTC() // a daily note
	}
	file := o.meta
	file.Title, file.Date = "", time.Time{}
	stack := []above{{0, file}}
	for _, e := range o.entries {
		for len(stack) > 1 && stack[len(stack)-1].level >= e.level {
			stack = stack[:len(stack)-1]
		}
		over := &stack[len(stack)-1].meta
		e.meta.Authors = over.Authors
		if e.meta.Date.IsZero() {
			e.meta.Date = over.Date
		}
		tags := slices.Clone(over.Tags)
		for _, tag := range e.meta.Tags {
			if !slices.Contains(tags, tag) && len(tags) < maxTags {
				tags = append(tags, tag)
			}
		}
		e.meta.Tags = tags
		stack = append(stack, above{e.level, e.meta})
		entries = append(entries, document.Entry{Offset: e.offset, Meta: e.meta})
	}
	return entries
}
