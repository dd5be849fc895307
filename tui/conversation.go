package tui

import (
	"context"
	"errors"

	"dowse/engine"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// covered is the search that a conversation covers, as it was left.
type covered struct {
	scene scene
	trail []step
}

// openConversation replaces the search by a conversation; leaving it restores
// the search. A fresh one has no turns and exists from its first question on.
func (m *model) openConversation(name string, fresh bool) tea.Cmd {
	if m.conversation.writing() {
		return m.notify("an answer is being written; esc stops it", false)
	}
	if m.conversation.open() {
		m.leaveTrail()
		m.conversation.show(name, fresh)
		m.setLine("")
	} else {
		m.covered = covered{m.scene(), m.trail}
		m.stopSearch(nil)
		m.trail = nil
		m.answer.drop()
		m.results.set(nil, false)
		m.conversation.show(name, fresh)
		m.borrowLine(searchPrompt, "ask on in this conversation", "")
	}
	m.relayout()
	if fresh {
		return m.showPreview()
	}
	return tea.Batch(m.showPreview(), m.loadConversation(), m.focus(name))
}

// stopSearch cancels the search; result replaces its outcome.
func (m *model) stopSearch(result *engine.Result) {
	if m.search.cancel != nil {
		m.search.cancel()
	}
	m.search = searchState{generation: m.search.generation + 1, result: result}
}

// loadConversation asks for the turns of the open conversation.
func (m *model) loadConversation() tea.Cmd {
	searcher, parent, serial, name := m.searcher, m.ctx, m.conversation.serial, m.conversation.name
	now, s := m.now(), m.styles
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, statusPatience)
		defer cancel()
		c, err := searcher.Conversation(ctx, name)
		if err != nil {
			return conversationDone{serial: serial, err: err}
		}
		return conversationDone{serial: serial, turns: newTurnViews(c.Turns, now, s), problem: c.Problem}
	}
}

// focus preloads a conversation, since a question is likely. Errors are left to
// the question itself.
func (m *model) focus(name string) tea.Cmd {
	searcher, parent := m.searcher, m.ctx
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, statusPatience)
		defer cancel()
		_ = searcher.FocusConversation(ctx, name)
		return nil
	}
}

// onConversationDone shows the turns, unless another conversation was opened
// since.
func (m *model) onConversationDone(msg conversationDone) tea.Cmd {
	c := &m.conversation
	if msg.serial != c.serial || c.writing() {
		return nil
	}
	if msg.err != nil {
		c.fail(msg.err)
		return nil
	}
	c.load(msg.turns)
	if msg.problem != "" {
		return tea.Batch(m.showPreview(), m.notify(msg.problem, true))
	}
	return m.showPreview()
}

// leaveConversation restores the covered search.
func (m *model) leaveConversation() tea.Cmd {
	before := m.covered
	m.covered = covered{}
	m.conversation.close()
	m.trail = before.trail
	m.returnLine()
	return tea.Batch(m.restore(before.scene), m.askStatus())
}

func (m *model) askTurn() tea.Cmd {
	question := m.line()
	switch {
	case question == "":
		return m.notify("type a question first", false)
	case m.conversation.writing():
		return m.notify("one question at a time; esc stops this answer", false)
	case !m.conversation.ready():
		return m.notify("the conversation is not open yet", false)
	}
	m.leaveTrail()
	m.begin(asking{answer: true})
	m.search.turn = true
	m.conversation.ask(question)
	m.setLine("")
	m.relayout()
	return tea.Batch(m.showPreview(), m.launch(engine.Request{
		Query: question, K: wanted, Mode: m.mode, In: m.options.In, Fold: true,
		Answer: true, Context: m.conversation.name, Keep: true,
	}))
}

// onTurnDone shows the outcome of a question. A failed one returns to the line.
func (m *model) onTurnDone(msg searchDone) tea.Cmd {
	question := m.conversation.asked.Question
	if msg.err != nil {
		m.conversation.abandon()
		m.unask(question)
		if errors.Is(msg.err, context.Canceled) && m.ctx.Err() != nil {
			return nil
		}
		return m.notify(msg.err.Error(), true)
	}
	m.machine.searched(&msg.result.Stats, msg.layers)
	m.machine.wrote(msg.result.Answer)
	m.conversation.finish(engine.MakeTurn(question, msg.result, m.now()), m.now())
	cmds := []tea.Cmd{m.showPreview(), m.reportProblem(&msg.result.Stats)}
	use := msg.result.Context
	if use != nil && use.Kept && use.Turn != len(m.conversation.turns) {
		cmds = append(cmds, m.loadConversation()) // asked in, renamed or deleted elsewhere
	}
	if use != nil && use.Problem != "" {
		cmds = append(cmds, m.notify(use.Problem, true))
	}
	return tea.Batch(cmds...)
}

// stopTurn cancels the answer and offers its question for editing.
func (m *model) stopTurn() tea.Cmd {
	question := m.conversation.asked.Question
	m.stopSearch(nil)
	m.conversation.abandon()
	m.unask(question)
	return m.showPreview()
}

// unask returns a question to the line, unless something else stands there.
func (m *model) unask(question string) {
	switch {
	case len(m.held) == 1 && m.line() == "":
		m.setLine(question)
	case len(m.held) > 1 && unblank(m.held[1].text) == "":
		m.held[1].text = question // the list lies above
	}
}

// conversationKey handles a conversation's keys; preview and line get the
// others.
func (m *model) conversationKey(msg tea.KeyMsg) (cmd tea.Cmd, taken bool) {
	c := &m.conversation
	switch {
	case key.Matches(msg, m.keys.up):
		c.step(-1)
	case key.Matches(msg, m.keys.down):
		c.step(1)
	case key.Matches(msg, m.keys.pageUp):
		c.scroll(1 - c.area.h)
	case key.Matches(msg, m.keys.pageDown):
		c.scroll(c.area.h - 1)
	case key.Matches(msg, m.keys.first):
		c.scroll(-len(c.rows))
	case key.Matches(msg, m.keys.last):
		c.scroll(len(c.rows))
	case key.Matches(msg, m.keys.nextCitation):
		c.nextPlace()
	case key.Matches(msg, m.keys.passage):
		c.chooseNumber(int(msg.Runes[0] - '0'))
	case key.Matches(msg, m.keys.answer):
		return m.askTurn(), true
	case key.Matches(msg, m.keys.open):
		if m.line() != "" {
			return m.askTurn(), true
		}
		return m.open(), true
	case key.Matches(msg, m.keys.copyPlace, m.keys.copyText, m.keys.copyCited):
		return m.copyChosen(msg), true
	case key.Matches(msg, m.keys.related):
		if c.writing() {
			return m.notify("wait for the answer first; esc stops it", false), true
		}
		return m.followChosen(), true
	case key.Matches(msg, m.keys.fold, m.keys.mode, m.keys.askOn):
		return nil, true // they are about results
	default:
		return nil, false
	}
	return m.showChosen(), true
}

// showChosen previews the chosen place.
func (m *model) showChosen() tea.Cmd {
	m.relayout()
	cmd := m.showPreview()
	if place, ok := m.conversation.selected(); ok {
		m.preview.cite(place.lines)
	}
	return cmd
}

func (m *model) inConversation() bool { return m.conversation.open() && len(m.trail) == 0 }

// escapeConversation goes back one step: from a running answer, the line, a
// chosen place, and at last the conversation.
func (m *model) escapeConversation() tea.Cmd {
	switch {
	case m.conversation.writing():
		return m.stopTurn()
	case m.input.Value() != "":
		return m.setLine("")
	case m.conversation.chosen >= 0:
		m.conversation.unchoose()
		m.relayout()
		return m.showPreview()
	}
	return m.leaveConversation()
}

// expire marks the covered search for refreshing, since the index changed.
// Results below an answer stay.
func (c *covered) expire() {
	expire(&c.scene)
	for i := range c.trail {
		expire(&c.trail[i].before)
	}
}

// clickPlace chooses the place on a row of the screen; a second click opens it.
func (m *model) clickPlace(y int) tea.Cmd {
	place, ok := m.conversation.at(y)
	if !ok {
		return nil
	}
	again := m.isDoubleClick(place)
	m.conversation.choose(place)
	if again {
		return m.open()
	}
	return m.showChosen()
}
