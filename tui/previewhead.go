package tui

import (
	"strings"
	"time"

	"dowse/engine"
)

const (
	shownPeople = 3 // by name
	allTags     = 8
	// aboutHeight is the height from which on facts of the document get two
	// rows instead of one.
	aboutHeight = 14
)

// rowsInSight returns the rows left for the file.
func (p *previewPane) rowsInSight() int {
	return max(p.area.h-1-len(p.about(p.area.w, p.area.h)), 1)
}

// about draws the title of the document or message, its author, recipients and
// date.
func (p *previewPane) about(w, h int) (lines []string) {
	if w < minHeading || h < 4 {
		return nil
	}
	s, of := p.styles, p.drawn.About
	title := strings.TrimSpace(flattenMarked(of.Title, nil).text)
	if title != "" && (p.drawn.Locator == nil || !strings.Contains(p.drawn.Locator.Label, of.Title)) { // message 3 (Re: roof)
		lines = append(lines, fit(" "+s.text.Render(title), w))
	}
	rows := 1
	if h >= aboutHeight {
		rows = 2
	}
	facts := strings.Join(aboutFacts(p.drawn), " · ")
	if facts == "" {
		return lines
	}
	ranges, more := wrap(facts, w-2, rows)
	for i, r := range ranges {
		line := facts[r.start:r.end]
		if more && i == len(ranges)-1 {
			line = fit(line+ellipsis, w-2)
		}
		lines = append(lines, " "+s.soft.Render(line))
	}
	return lines
}

// aboutFacts returns further facts, sanitized, the most telling first; the
// format where the file's name does not tell it.
func aboutFacts(p engine.Passage) (facts []string) {
	of := p.About
	add := func(before, text string) {
		if text = strings.TrimSpace(flattenMarked(text, nil).text); text != "" {
			facts = append(facts, before+text)
		}
	}
	by := "by "
	if of.IsMail() {
		by = "from "
	}
	add(by, peopleText(of.Authors))
	switch day := of.Date.Format(time.DateOnly); {
	case of.Date.IsZero():
	case of.IsMail():
		add("", day+of.Date.Format(" 15:04"))
	default:
		add("", day)
	}
	add("to ", peopleText(of.To))
	add("", engine.TagsText(of.Tags, allTags))
	switch of.Format {
	case "text", "markdown", "code", "html":
	default:
		if !strings.HasSuffix(strings.ToLower(p.Path), "."+of.Format) {
			add("", of.Format)
		}
	}
	return facts
}

// peopleText names some people and counts the rest.
func peopleText(people []string) string {
	if n := len(people) - shownPeople; n > 1 {
		return strings.Join(people[:shownPeople], ", ") + " and " + counted(n, "other")
	}
	return strings.Join(people, ", ")
}
