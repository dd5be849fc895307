package tui

import (
	"strings"
	"time"

	"dowse/engine"
)

// wideList is the width from which on a row shows the conversation's size.
const wideList = 80

// conversationList lists the kept conversations that match the filter, last
// asked first. It covers the body.
type conversationList struct {
	styles styles
	keys   keyMap

	chooser
	loading bool
	problem string
	serial  int    // of the newest request
	focused string // id of the preloaded conversation

	all []engine.Conversation
	now time.Time // when all was fetched
}

// set fills the list. The chosen conversation stays chosen, or else the next.
func (l *conversationList) set(all []engine.Conversation, now time.Time) {
	old, _ := l.selected()
	chosen, moved := l.chosen, l.moved
	l.all, l.now, l.loading, l.problem = all, now, false, ""
	l.find(l.filter)
	if moved {
		l.chooseAgain(func(i int) bool { return all[i].ID == old.ID }, chosen)
	}
}

// find shows the conversations with every word in their name or first question.
func (l *conversationList) find(filter string) {
	l.filter = strings.TrimSpace(filter)
	l.match(filterWords(l.filter), len(l.all), func(i int) string { return l.all[i].Name + "\n" + l.all[i].First })
	_, l.more = l.begins()
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
	i, ok := l.index()
	if !ok {
		return engine.Conversation{}, false
	}
	return l.all[i], true
}

// begins returns the name of a conversation that can be begun: the filter,
// where no conversation has that name.
func (l *conversationList) begins() (name string, ok bool) {
	_, taken := l.named(l.filter)
	return l.filter, l.filter != "" && !taken && !l.loading && l.problem == ""
}

// setArea resizes the list. An entry has two rows, and an empty one where there is room.
func (l *conversationList) setArea(area rect) {
	if l.rows = 2; area.h >= 20 {
		l.rows = 3
	}
	l.chooser.setArea(area)
}

// Render draws the entries in sight as h lines of w cells.
func (l *conversationList) Render(w, h int) []string { return l.render(w, h, l.entry, l.emptyState) }

// entry draws a conversation's name and facts, then its first question.
func (l *conversationList) entry(i, w int) []string {
	s := l.styles
	mark, name := s.mark(i == l.chosen)
	if i >= len(l.shown) {
		return []string{fit(mark+"  "+s.soft.Render("begin a conversation called ")+name(sanitize(l.filter)), w), mark}
	}
	c := l.all[l.shown[i]]
	facts := l.facts(c, w)
	return []string{
		spread(mark+"  "+name(fit(sanitize(c.Name), w-width(facts)-6)), s.soft.Render(facts)+" ", w),
		fit(mark+"    "+l.below(c, i == l.chosen), w),
	}
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
	case chosen && l.asking:
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
		{"Type a name and press " + keyFor(l.keys.open) + " to begin one, or go back, ask a question, and keep it with " + keyFor(l.keys.keep) + ". " +
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
	return l.count(len(l.all), "conversation") + " · " + size(disk) + " on disk"
}
