package tui

import (
	"strings"
	"time"

	"dowse/engine"
)

// conversationPane shows a conversation's turns, first on top, and the running
// one at the end.
type conversationPane struct {
	styles styles
	names  *names

	name    string // "" when closed
	serial  int    // of the opened conversation
	loading bool
	problem string       // why the turns cannot be shown
	asked   *engine.Turn // the running question
	turns   []turnView   // asked at the end

	places []placeRow // of all turns
	chosen int        // index into places, or -1
	area   rect
	rows   []transcriptRow
	width  int // of the laid rows
	top    int
	moved  bool // the person scrolled: new rows do not
}

type placeRow struct{ turn, at, row int }

type turnPart int

const (
	questionPart turnPart = iota
	replyPart
	placePart
	footPart
	gapPart
)

type transcriptRow struct {
	turn int
	part turnPart
	at   int // index of the part's row or of the place
}

func newConversationPane(s styles, n *names) conversationPane {
	return conversationPane{styles: s, names: n, chosen: -1}
}

func (c *conversationPane) open() bool { return c.name != "" }

// writing reports whether an answer is running.
func (c *conversationPane) writing() bool { return c.asked != nil }

// ready reports whether a question can be asked.
func (c *conversationPane) ready() bool { return !c.loading && c.problem == "" }

// show opens a conversation; turns of one that is not fresh follow.
func (c *conversationPane) show(name string, fresh bool) {
	*c = conversationPane{styles: c.styles, names: c.names, area: c.area, serial: c.serial + 1, chosen: -1, name: name, loading: !fresh}
}

func (c *conversationPane) close() { c.show("", true) }

// fail shows why the turns are missing.
func (c *conversationPane) fail(err error) {
	c.loading, c.problem = false, sanitize(err.Error())
}

// load shows the turns, the last one in sight.
func (c *conversationPane) load(turns []turnView) {
	c.loading, c.turns = false, turns
	c.follow()
}

// ask appends a running question.
func (c *conversationPane) ask(question string) {
	c.asked, c.moved, c.chosen = &engine.Turn{Question: question}, false, -1
	c.turns = append(c.turns, turnView{})
	c.rewrite(false, time.Time{})
}

func (c *conversationPane) grow(found []engine.Passage, answer *engine.Answer) {
	if found != nil {
		c.asked.Passages = engine.MakeTurn("", &engine.Result{Passages: found}, time.Time{}).Passages
	}
	if answer != nil {
		c.asked.Answer = answer
	}
	c.rewrite(false, time.Time{})
}

// finish shows the turn as it was stored.
func (c *conversationPane) finish(turn engine.Turn, now time.Time) {
	if turn.Answer == nil {
		turn.Answer = &engine.Answer{Problem: "no answer came"}
	}
	c.asked = &turn
	c.rewrite(true, now)
	c.asked = nil
}

// abandon removes the running question.
func (c *conversationPane) abandon() {
	c.asked = nil
	c.turns = c.turns[:len(c.turns)-1]
	c.follow()
}

// rewrite redraws the last turn. While it runs it lists no places: its
// citations are not known.
func (c *conversationPane) rewrite(done bool, now time.Time) {
	view := newTurnView(*c.asked, done, now, c.styles)
	if !done {
		view.places = nil
	}
	c.turns[len(c.turns)-1] = view
	c.follow()
}

// status counts questions and rows out of sight.
func (c *conversationPane) status() string {
	switch {
	case c.loading:
		return "opening" + ellipsis
	case c.problem != "", len(c.turns) == 0:
		return ""
	}
	text := counted(len(c.turns), "question")
	above, below := c.more()
	if above > 0 {
		text += " · ↑ " + count(above)
	}
	if below > 0 {
		text += " · ↓ " + count(below)
	}
	return text
}

// setArea resizes the pane; the top row stays on top.
func (c *conversationPane) setArea(area rect) {
	if c.area == area {
		return
	}
	var on transcriptRow
	if c.top < len(c.rows) {
		on = c.rows[c.top]
	}
	c.area, c.width = area, 0
	if c.layRows(); !c.moved && c.chosen < 0 {
		c.follow()
		return
	}
	for i, row := range c.rows {
		if row.turn == on.turn && row.part == on.part {
			c.top = i
			break
		}
	}
	c.clamp()
	c.reveal()
}

// follow reveals the last turn, unless the person reads elsewhere: all of it,
// or from its question on where it is too long.
func (c *conversationPane) follow() {
	c.width = 0
	c.layRows()
	if !c.moved {
		c.top = len(c.rows)
		for i, row := range c.rows {
			if row.turn == len(c.turns)-1 && row.part == questionPart {
				c.top = i
				break
			}
		}
	}
	c.clamp()
}

func (c *conversationPane) layRows() {
	if c.width == c.area.w || c.area.w <= 0 {
		return
	}
	c.width, c.rows, c.places = c.area.w, c.rows[:0], c.places[:0]
	for i := range c.turns {
		t := &c.turns[i]
		if i > 0 {
			c.rows = append(c.rows, transcriptRow{i, gapPart, 0})
		}
		t.question.layRows(c.width-2, maxTurnRows)
		c.putRows(i, questionPart, len(t.question.rows))
		t.reply.layRows(c.width-2-replyIndent, maxTurnRows)
		c.putRows(i, replyPart, len(t.reply.rows))
		for at := range t.places {
			c.places = append(c.places, placeRow{i, at, len(c.rows) + at})
		}
		c.putRows(i, placePart, len(t.places))
		if t.foot.lines != nil && t.foot.lines[0].text != "" {
			t.foot.layRows(c.width-2-replyIndent, maxTurnRows)
			c.putRows(i, footPart, len(t.foot.rows))
		}
	}
	c.chosen = min(c.chosen, len(c.places)-1)
}

func (c *conversationPane) putRows(turn int, part turnPart, n int) {
	for at := range n {
		c.rows = append(c.rows, transcriptRow{turn, part, at})
	}
}

// Render draws the rows in sight as h lines of w cells.
func (c *conversationPane) Render(w, h int) []string {
	var lines []string
	for i := c.top; i < len(c.rows) && len(lines) < h; i++ {
		lines = append(lines, c.draw(i, w))
	}
	return block(lines, w, h)
}

func (c *conversationPane) draw(i, w int) string {
	row := c.rows[i]
	t := &c.turns[row.turn]
	switch row.part {
	case questionPart:
		return " " + t.question.drawRow(t.question.rows[row.at])
	case replyPart:
		return strings.Repeat(" ", 1+replyIndent) + t.reply.drawRow(t.reply.rows[row.at])
	case footPart:
		return strings.Repeat(" ", 1+replyIndent) + t.foot.drawRow(t.foot.rows[row.at])
	case placePart:
		return t.places[row.at].draw(c.chosen >= 0 && c.places[c.chosen].row == i, c.names, w, c.styles)
	}
	return ""
}

// emptyState says why no turn is in sight.
func (c *conversationPane) emptyState() []paragraph {
	s := c.styles
	switch {
	case c.problem != "":
		return []paragraph{
			{"The conversation cannot be shown.", s.problem}, {},
			{c.problem, s.text}, {},
			{"esc goes back to the search.", s.soft},
		}
	case c.loading:
		return nil
	}
	return []paragraph{
		{"A new conversation.", s.name}, {},
		{"Ask its first question. The next ones may go on from what was said, and all of it is here when you come back.", s.soft},
	}
}
