package tui

import (
	"strings"
	"time"

	"dowse/engine"
	"dowse/internal/fold"
)

// wideList is the width from which on a row shows the conversation's size.
const wideList = 80

// conversationList lists the kept conversations that match the filter, last
// asked first. It covers the body.
type conversationList struct {
	styles styles

	open     bool
	loading  bool
	problem  string
	deleting bool   // asks for confirmation
	serial   int    // of the newest request
	focused  string // id of the preloaded conversation

	all    []engine.Conversation
	now    time.Time // when all was fetched
	filter string
	shown  []int // indices into all
	chosen int   // index into shown; len(shown): the one to begin
	moved  bool  // the person chose
	top    int
	area   rect
}

// set fills the list. The chosen conversation stays chosen, or else the next.
func (l *conversationList) set(all []engine.Conversation, now time.Time) {
	old, _ := l.selected()
	chosen, moved := l.chosen, l.moved
	l.all, l.now, l.loading, l.problem = all, now, false, ""
	l.find(l.filter)
	if !moved {
		return
	}
	for i, at := range l.shown {
		if l.all[at].ID == old.ID {
			chosen = i
		}
	}
	l.choose(chosen)
}

// find shows the conversations with every word in their name or first question.
func (l *conversationList) find(filter string) {
	l.filter = strings.TrimSpace(filter)
	l.shown, l.chosen, l.top, l.moved, l.deleting = l.shown[:0], 0, 0, false, false
	words := strings.Fields(fold.String(filter))
	for i, c := range l.all {
		text, holds := fold.String(c.Name+"\n"+c.First), true
		for _, word := range words {
			holds = holds && strings.Contains(text, word)
		}
		if holds {
			l.shown = append(l.shown, i)
		}
	}
}

// named returns the conversation of that name; case is ignored.
func (l *conversationList) named(name string) (engine.Conversation, bool) {
	for _, c := range l.all {
		if strings.EqualFold(c.Name, strings.TrimSpace(name)) {
			return c, true
		}
	}
	return engine.Conversation{}, false
}

func (l *conversationList) selected() (engine.Conversation, bool) {
	if l.chosen < 0 || l.chosen >= len(l.shown) {
		return engine.Conversation{}, false
	}
	return l.all[l.shown[l.chosen]], true
}

// begins returns the name of a conversation that can be begun: the filter,
// where no conversation has that name.
func (l *conversationList) begins() (name string, ok bool) {
	_, taken := l.named(l.filter)
	return l.filter, l.filter != "" && !taken && !l.loading && l.problem == ""
}

// entries counts the entries, including the one to begin.
func (l *conversationList) entries() int {
	if _, ok := l.begins(); ok {
		return len(l.shown) + 1
	}
	return len(l.shown)
}

func (l *conversationList) choose(i int) {
	l.chosen, l.moved, l.deleting = max(min(i, l.entries()-1), 0), true, false
	l.reveal()
}

func (l *conversationList) setArea(area rect) {
	l.area = area
	l.reveal()
}

// rowHeight returns the lines of an entry: two, and an empty one where there is
// room.
func (l *conversationList) rowHeight() int {
	if l.area.h >= 20 {
		return 3
	}
	return 2
}

func (l *conversationList) perPage() int { return max(l.area.h/l.rowHeight(), 1) }

func (l *conversationList) reveal() {
	page := l.perPage()
	l.top = max(min(l.top, l.chosen, max(l.entries()-page, 0)), l.chosen-page+1, 0)
}

func (l *conversationList) at(y int) (int, bool) {
	row := y - l.area.y
	i := l.top + row/l.rowHeight()
	return i, row >= 0 && row < l.area.h && i < l.entries()
}

// Render draws the entries in sight as h lines of w cells.
func (l *conversationList) Render(w, h int) []string {
	var lines []string
	for i := l.top; i < l.entries() && len(lines) < h; i++ {
		lines = append(lines, l.entry(i, w)...)
	}
	if len(lines) == 0 {
		return drawParagraphs(l.emptyState(), w, h)
	}
	return block(lines, w, h)
}

// entry draws a conversation's name and facts, then its first question.
func (l *conversationList) entry(i, w int) []string {
	s := l.styles
	mark, name := " ", s.name
	if i == l.chosen {
		mark, name = s.accent.Render("▌"), s.chosen
	}
	lines := make([]string, 0, l.rowHeight())
	if i >= len(l.shown) {
		lines = append(lines, fit(mark+"  "+s.soft.Render("begin a conversation called ")+name.Render(sanitize(l.filter)), w), mark)
	} else {
		c := l.all[l.shown[i]]
		facts := l.facts(c, w)
		room := w - width(facts) - 6
		lines = append(lines,
			spread(mark+"  "+name.Render(fit(sanitize(c.Name), room)), s.soft.Render(facts)+" ", w),
			fit(mark+"    "+l.below(c, i == l.chosen), w))
	}
	for len(lines) < l.rowHeight() {
		lines = append(lines, "")
	}
	return lines
}

// facts fits a conversation's facts into a row of w cells.
func (l *conversationList) facts(c engine.Conversation, w int) string {
	text := counted(c.Count, "question") + " · " + Moment(c.Updated, l.now)
	if w < wideList {
		return text
	}
	text = size(diskOf(c)) + " · " + text
	if c.Keys.Memory > 0 {
		text = "in memory · " + text
	}
	return text
}

// below returns an entry's second line: its first question, what is lost of it,
// or the confirmation of deleting.
func (l *conversationList) below(c engine.Conversation, chosen bool) string {
	s := l.styles
	switch {
	case chosen && l.deleting:
		return s.problem.Render("delete " + counted(c.Count, "question") + ", " + size(diskOf(c)) +
			"? y deletes, other keys keep")
	case c.Problem != "":
		return s.warn.Render(sanitize(c.Problem))
	}
	return s.faint.Render(flattenMarked(c.First, nil).text)
}

func diskOf(c engine.Conversation) int64 { return c.Text + c.Keys.Disk }

// emptyState says why the list is empty.
func (l *conversationList) emptyState() []paragraph {
	s := l.styles
	switch {
	case l.problem != "":
		return []paragraph{{"The conversations cannot be listed.", s.problem}, {}, {l.problem, s.text}}
	case l.loading:
		return nil
	}
	return []paragraph{
		{"There are no conversations yet.", s.name}, {},
		{"Type a name and press enter to begin one, or go back, ask a question, and keep it with ctrl-s. " +
			"A question in a conversation may go on from what was said before.", s.soft},
	}
}

func (l *conversationList) status() string {
	if l.loading || l.problem != "" || len(l.all) == 0 {
		return ""
	}
	var disk int64
	for _, c := range l.all {
		disk += diskOf(c)
	}
	text := counted(len(l.all), "conversation")
	if len(l.shown) < len(l.all) {
		text = count(len(l.shown)) + " of " + text
	}
	return text + " · " + size(disk) + " on disk"
}
