package tui

import (
	"context"
	"strings"
	"unicode/utf8"

	"dowse/engine"
	"dowse/internal/fold"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

const (
	suggestionsWanted = 40
	suggestionRows    = 6 // values in sight at most; keys are nine
)

// completion holds the suggestions for the filter under the cursor. A single
// key is drawn behind the cursor, others below the query line.
type completion struct {
	styles styles

	generation int
	cancel     context.CancelFunc // of the running request, or nil
	eager      bool               // tab was pressed before its answer
	asked      bool               // the person asked for suggestions

	found  engine.Completion // every Text and Label safe to draw
	line   string            // they are for this line
	chosen int               // taken by the next tab
	taken  bool              // chosen stands in the line

	hidden engine.Typing // suggest nothing more for this one
	hides  bool
}

// suggestionsFound answers the request of a generation.
type suggestionsFound struct {
	generation int
	found      *engine.Completion
	asked      bool
	err        error
}

// suggesting reports whether suggestions are on the screen.
func (m *model) suggesting() bool {
	return len(m.completion.found.Suggestions) > 0 && len(m.held) == 0 && !m.help.open && !m.list.open && !m.folders.open
}

// listsSuggestions reports whether they stand below the query line.
func (m *model) listsSuggestions() bool {
	c := &m.completion
	return m.suggesting() && (c.found.Key != "" || c.asked)
}

// cursorByte returns the cursor's place in the line in bytes.
func (m *model) cursorByte() int {
	line := []rune(m.input.Value())
	return len(string(line[:min(m.input.Position(), len(line))]))
}

// suggest requests suggestions for the filter under the cursor. Only the newest
// line's request counts.
func (m *model) suggest(asked bool) tea.Cmd {
	c := &m.completion
	if !(c.hides && !asked && c.hidden.Key == saveMark) && m.suggestSaved() {
		return nil
	}
	line, cursor := m.input.Value(), m.cursorByte()
	sameWord := func(t engine.Typing) bool { return t.Start == c.found.Start && t.Key == c.found.Key }
	t, ok := engine.TypingAt(line, cursor, false)
	if !ok && (asked || c.asked) {
		if t, ok = engine.TypingAt(line, cursor, true); ok && !asked {
			ok = sameWord(t)
		}
	}
	if !ok || len(m.held) > 0 {
		m.dropSuggestions()
		if asked {
			return m.notify("nothing to complete here", false)
		}
		return nil
	}
	if c.hides = c.hides && !asked && t.Start == c.hidden.Start && t.Key == c.hidden.Key; c.hides {
		m.stopSuggesting()
		return nil
	}
	keepAsked := asked || c.asked && t.Key == "" && sameWord(t)
	if !sameWord(t) {
		m.dropSuggestions()
	}
	m.stopSuggesting()
	c.asked = keepAsked
	if t.Key == "" {
		return m.setSuggestions(engine.CompleteKey(t), asked)
	}
	ctx, cancel := context.WithCancel(m.ctx)
	c.cancel = cancel
	searcher, generation := m.searcher, c.generation
	req := engine.CompletionRequest{Line: line, Cursor: cursor, Max: suggestionsWanted, In: m.options.In, Asked: asked}
	return func() tea.Msg {
		found, err := searcher.Complete(ctx, req)
		return suggestionsFound{generation, found, asked, err}
	}
}

func (m *model) stopSuggesting() {
	c := &m.completion
	if c.cancel != nil {
		c.cancel()
	}
	c.cancel, c.eager = nil, false
	c.generation++
}

// dropSuggestions removes them from the screen.
func (m *model) dropSuggestions() {
	m.stopSuggesting()
	c := &m.completion
	c.found, c.chosen, c.taken, c.asked = engine.Completion{}, 0, false, false
	m.input.SetSuggestions(nil)
}

// hideSuggestions removes them until another filter is typed.
func (m *model) hideSuggestions() {
	c := &m.completion
	c.hidden, c.hides = engine.Typing{Key: c.found.Key, Start: c.found.Start}, true
	m.dropSuggestions()
}

// leaveSuggestions hides them when the person moves to the results.
func (m *model) leaveSuggestions() {
	if m.suggesting() {
		m.hideSuggestions()
	}
}

// onSuggestions shows the suggestions, unless the line has changed. It ignores
// errors and empty answers: they are no news while one types.
func (m *model) onSuggestions(msg suggestionsFound) tea.Cmd {
	c := &m.completion
	if msg.generation != c.generation || c.cancel == nil {
		return nil
	}
	c.cancel()
	c.cancel = nil
	if msg.err != nil || msg.found == nil {
		m.dropSuggestions()
		return nil
	}
	return m.setSuggestions(msg.found, msg.asked)
}

// setSuggestions shows suggestions that can be drawn as they would be typed. It
// reports that there are none only where the person asked for them.
func (m *model) setSuggestions(found *engine.Completion, asked bool) tea.Cmd {
	c, line := &m.completion, m.input.Value()
	c.found, c.line, c.chosen, c.taken = *found, line, 0, false
	c.found.Suggestions = nil
	for _, s := range found.Suggestions {
		if sanitize(s.Text) == s.Text {
			s.Label, s.Detail = sanitize(s.Label), sanitize(s.Detail)
			c.found.Suggestions = append(c.found.Suggestions, s)
		}
	}
	eager, all := c.eager, c.found.Suggestions
	c.eager = false
	typed := line[min(found.Start, len(line)):min(found.End, len(line))]
	switch {
	case len(all) == 0 && asked:
		m.dropSuggestions()
		return m.notify("nothing to complete here", false)
	case len(all) == 0, len(all) == 1 && fold.String(all[0].Text) == fold.String(typed):
		m.dropSuggestions()
		return nil
	case fold.String(all[0].Text) == fold.String(typed):
		c.chosen = 1 // the first stands there already
	}
	m.input.SetSuggestions(nil)
	if c.found.Key == "" && !c.asked && found.End == len(line) {
		m.input.SetSuggestions([]string{line[:found.Start] + all[0].Text})
	}
	if eager {
		return m.acceptSuggestion(c.chosen)
	}
	return nil
}

// completionKey handles tab and shift-tab while there are suggestions.
func (m *model) completionKey(msg tea.KeyMsg) (cmd tea.Cmd, taken bool) {
	c := &m.completion
	step := 0
	switch {
	case len(m.held) > 0 || m.list.open || m.folders.open:
		return nil, false
	case key.Matches(msg, m.keys.suggest):
		c.hides = false
		return m.suggest(true), true
	case key.Matches(msg, m.keys.togglePreview):
		step = 1
	case key.Matches(msg, m.keys.nextCitation):
		step = -1
	default:
		return nil, false
	}
	switch {
	case c.cancel != nil && (!m.suggesting() || c.line != m.input.Value()):
		c.eager = true
		return nil, true
	case !m.suggesting():
		return nil, false
	case !c.taken && step > 0:
		return m.acceptSuggestion(c.chosen), true
	}
	n := len(c.found.Suggestions)
	return m.acceptSuggestion((c.chosen + step + n) % n), true
}

// acceptSuggestion puts a suggestion into the line. The list stays for the next press;
// after a key, its values are suggested.
func (m *model) acceptSuggestion(index int) tea.Cmd {
	c := &m.completion
	all, line := c.found.Suggestions, c.line
	if index < 0 || index >= len(all) || c.found.Start > c.found.End || c.found.End > len(line) {
		return nil
	}
	c.chosen, c.taken = index, true
	before := line[:c.found.Start] + all[index].Text
	c.line = before + line[c.found.End:]
	c.found.End = len(before)
	m.input.SetSuggestions(nil)
	m.input.SetValue(c.line)
	m.input.SetCursor(utf8.RuneCountInString(before))
	m.notice.text = ""
	cmd := m.startSearch(false)
	switch {
	case c.found.Key == "":
		return tea.Batch(cmd, m.suggest(false))
	case len(all) == 1:
		m.dropSuggestions()
	}
	return cmd
}

// suggestionsInSight returns the rows of the list without its closing rule.
func (m *model) suggestionsInSight() int {
	if !m.listsSuggestions() {
		return 0
	}
	rows := len(m.completion.found.Suggestions)
	if m.completion.found.Key != "" {
		rows = min(rows, suggestionRows)
	}
	return max(min(rows, m.layout.body.h-4), 1)
}

// suggestionAt returns the suggestion on a row of the screen.
func (m *model) suggestionAt(y int) (index int, ok bool) {
	row := y - m.layout.body.y
	return m.firstSuggestion() + row, row >= 0 && row < m.suggestionsInSight()
}

// firstSuggestion returns the first one in sight; the chosen one always is.
func (m *model) firstSuggestion() int { return max(m.completion.chosen-m.suggestionsInSight()+1, 0) }

// viewSuggestions draws the list and its closing rule over the first rows of
// the body.
func (m *model) viewSuggestions(w int) []string {
	c, s, rows := &m.completion, m.styles, m.suggestionsInSight()
	if rows == 0 {
		return nil
	}
	top := m.firstSuggestion()
	shown := c.found.Suggestions[top : top+rows]
	labels, counts := 0, 0
	for _, one := range shown {
		labels, counts = max(labels, width(one.Label)), max(counts, width(filesText(one.Files)))
	}
	labels = min(labels, max(w-counts-6, minHeading))
	indent := min(width(m.input.Prompt)+width(sanitize(c.line[:c.found.Start])), max(w-labels-counts-24, 3))
	var lines []string
	for i, one := range shown {
		mark, ink := " ", s.text
		if top+i == c.chosen {
			mark, ink = s.accent.Render("▌"), s.chosen
		}
		line := blanks(indent-2) + mark + " " + ink.Render(pad(one.Label, labels)) + s.soft.Render(padLeft(filesText(one.Files), counts+2))
		if one.Detail != "" {
			line += s.faint.Render("  " + one.Detail)
		}
		lines = append(lines, pad(line, w))
	}
	left := len(c.found.Suggestions) - len(shown) + c.found.More
	return append(lines, m.viewSuggestionsEnd(left, w))
}

// viewSuggestionsEnd draws the closing rule with the number out of sight.
func (m *model) viewSuggestionsEnd(left, w int) string {
	s := m.styles
	if left == 0 {
		return s.line.Render(strings.Repeat("─", w))
	}
	label := "and " + count(left) + " more"
	return fit(s.line.Render(strings.Repeat("─", max(w-width(label)-4, 0))+" ")+s.soft.Render(label)+s.line.Render(" ──"), w)
}

// filesText counts files, right-aligned; empty for keys.
func filesText(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "1 file "
	}
	return count(n) + " files"
}
