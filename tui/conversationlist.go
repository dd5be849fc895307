package tui

import (
	"strings"
	"time"

	"dowse/engine"
	"dowse/internal/fold"
)

// wideList is the width from which on a row says what a conversation takes.
const wideList = 80

// conversationList lists the conversations that a person has kept, the one asked last
// first, as far as they match what is typed. It covers the body.
type conversationList struct {
	styles styles

	open     bool
	loading  bool
	problem  string
	deleting bool   // asks whether the chosen one is to be deleted
	serial   int    // of the newest question for the list
	focused  string // id of the conversation that was loaded for it

	all    []engine.Conversation
	now    time.Time // when all was known
	filter string
	shown  []int // indices into all
	chosen int   // index into shown; one beyond for the one to begin
	moved  bool  // the person chose it
	top    int
	area   rect
}

// set takes the list. What the person chose stays chosen, or the next after it.
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

// find shows the conversations that hold every word in their name or first question.
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

// named returns the conversation of that name. Case makes no difference.
func (l *conversationList) named(name string) (engine.Conversation, bool) {
	for _, c := range l.all {
		if strings.EqualFold(c.Name, strings.TrimSpace(name)) {
			return c, true
		}
	}
	return engine.Conversation{}, false
}

// selected returns the chosen conversation.
func (l *conversationList) selected() (engine.Conversation, bool) {
	if l.chosen < 0 || l.chosen >= len(l.shown) {
		return engine.Conversation{}, false
	}
	return l.all[l.shown[l.chosen]], true
}

// begins returns the name of the conversation that can be begun: what is typed, where
// none is called so.
func (l *conversationList) begins() (name string, ok bool) {
	_, taken := l.named(l.filter)
	return l.filter, l.filter != "" && !taken && !l.loading && l.problem == ""
}

// entries returns how many can be chosen.
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

// rowHeight returns the number of lines of an entry: two, and where there is room an
// empty one.
func (l *conversationList) rowHeight() int {
	if l.area.h >= 20 {
		return 3
	}
	return 2
}

func (l *conversationList) perPage() int { return max(l.area.h/l.rowHeight(), 1) }

// reveal brings the chosen entry into sight.
func (l *conversationList) reveal() {
	page := l.perPage()
	l.top = max(min(l.top, l.chosen, max(l.entries()-page, 0)), l.chosen-page+1, 0)
}

// at returns the entry on screen row y.
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

// entry draws a conversation: its name and what is known of it, then its first question.
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

// facts returns what is known of a conversation for a row of w cells.
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

// below returns the second line of an entry: its first question, what of it is lost, or
// whether it is to be deleted.
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

// diskOf returns the bytes that a conversation takes on disk.
func diskOf(c engine.Conversation) int64 { return c.Text + c.Keys.Disk }

// emptyState says why no conversation is listed.
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

// status counts all conversations.
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
