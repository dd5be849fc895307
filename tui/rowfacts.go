package tui

import (
	"path/filepath"
	"strconv"
	"time"

	"dowse/engine"
)

// The widths of a row from which on it has room for a fact.
const (
	ageRow  = 44
	wideRow = 50 // folded passages in words
	barRow  = 60
	whyRow  = 72

	ageCells    = 5
	scoreCells  = 5
	folderCells = 20 // of a file's name beside its folded passages
	staleMark   = "changed"
)

// rowFacts draws what stands at the right of a row: folded passages, whether the
// file has changed since, why it was found, age and score.
func rowFacts(v rowView, s styles) string {
	facts := ""
	add := func(fact string) { facts += fact + " " }
	if more := moreText(v); more != "" {
		add(s.soft.Render(more))
	}
	if v.passage.Stale {
		add(s.warn.Render(staleMark))
	}
	if v.reasons && v.width >= whyRow {
		add(s.faint.Render(padLeft(why(v.passage), len("meaning"))))
	}
	if v.width >= ageRow {
		add(s.faint.Render(padLeft(age(timeOf(v.passage), v.now), ageCells)))
	}
	if v.width >= barRow {
		add(bar(v.share, scoreCells, s.soft, s.barRest))
	}
	return facts
}

// moreText counts folded passages.
func moreText(v rowView) string {
	all := v.further + v.repeats
	text := strconv.Itoa(all) + " more"
	switch {
	case all == 0:
		return ""
	case v.width < wideRow:
		return "+" + strconv.Itoa(all)
	case v.further == 0:
		return text + " like this"
	case v.repeats > 0:
		return text
	}
	name := sanitize(filepath.Base(v.passage.Path))
	if width(name) > folderCells || v.width < whyRow {
		return text + " in it"
	}
	return text + " in " + name
}

// why says in a word by what a passage was found; "" where nobody can tell.
func why(p engine.Passage) string {
	switch {
	case p.LexicalRank > 0 && p.VectorRank > 0:
		return "both"
	case p.LexicalRank > 0:
		return "words"
	case p.VectorRank > 0:
		return "meaning"
	}
	return ""
}

// differ reports whether passages were found for different reasons.
func differ(passages []engine.Passage) bool {
	for _, p := range passages {
		if why(p) != why(passages[0]) {
			return true
		}
	}
	return false
}

// timeOf returns the day that a passage is dated, or else when its file was last
// changed.
func timeOf(p engine.Passage) time.Time {
	if !p.Date.IsZero() {
		return p.Date
	}
	return p.Modified
}

// age writes how long ago a time was, as "3 d" or "2 y"; "" of no time.
func age(t, now time.Time) string {
	const day = 24 * time.Hour
	d, before := now.Sub(t), ""
	if d < 0 {
		d, before = -d, "in "
	}
	in := func(unit time.Duration, name string) string { return before + strconv.Itoa(int(d/unit)) + " " + name }
	switch {
	case t.IsZero():
		return ""
	case d < time.Hour:
		return "now"
	case d < day:
		return in(time.Hour, "h")
	case d < 100*day:
		return in(day, "d")
	case d < 365*day:
		return in(30*day, "mo")
	}
	return in(365*day+day/4, "y")
}
