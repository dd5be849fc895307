package tui

import (
	"context"
	"errors"

	"dowse/engine"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// covered is what a conversation covers, as it was left.
type covered struct {
	scene scene
	trail []step
}

// openConversation shows a conversation in the place of the search, which comes back
// when it is left. A fresh one has no turns yet, and exists from its first question on.
func (m *model) openConversation(name string, fresh bool) tea.Cmd {
	if m.conversation.writing() {
		return m.say("an answer is being written; esc stops it", false)
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
		m.takeLine(searchPrompt, "ask on in this conversation", "")
	}
	m.relayout()
	if fresh {
		return m.showPreview()
	}
	return tea.Batch(m.showPreview(), m.loadConversation(), m.focus(name))
}

// stopSearch ends the search under way; result is what it leaves behind.
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

// focus has a conversation loaded, since a question is likely to come. Whatever goes
// wrong there, asking will tell.
func (m *model) focus(name string) tea.Cmd {
	searcher, parent := m.searcher, m.ctx
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, statusPatience)
		defer cancel()
		_ = searcher.FocusConversation(ctx, name)
		return nil
	}
}

// onConversationDone shows the turns, unless another conversation was opened since.
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
		return tea.Batch(m.showPreview(), m.say(msg.problem, true))
	}
	return m.showPreview()
}

// leaveConversation brings back the search that the conversation covers.
func (m *model) leaveConversation() tea.Cmd {
	before := m.covered
	m.covered = covered{}
	m.conversation.close()
	m.trail = before.trail
	m.giveLineBack()
	return tea.Batch(m.restore(before.scene), m.askStatus())
}

// askTurn asks the line as the next question of the conversation.
func (m *model) askTurn() tea.Cmd {
	question := m.line()
	switch {
	case question == "":
		return m.say("type a question first", false)
	case m.conversation.writing():
		return m.say("one question at a time; esc stops this answer", false)
	case !m.conversation.ready():
		return m.say("the conversation is not open yet", false)
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

// onTurnDone takes the outcome of a question of the conversation. One that failed
// stands on the line again.
func (m *model) onTurnDone(msg searchDone) tea.Cmd {
	question := m.conversation.asked.Question
	if msg.err != nil {
		m.conversation.abandon()
		m.unask(question)
		if errors.Is(msg.err, context.Canceled) && m.ctx.Err() != nil {
			return nil
		}
		return m.say(msg.err.Error(), true)
	}
	m.machine.searched(&msg.result.Stats, msg.layers)
	m.machine.wrote(msg.result.Answer)
	m.conversation.finish(engine.MakeTurn(question, msg.result, m.now()), m.now())
	cmds := []tea.Cmd{m.showPreview(), m.complain(&msg.result.Stats)}
	use := msg.result.Context
	if use != nil && use.Kept && use.Turn != len(m.conversation.turns) {
		cmds = append(cmds, m.loadConversation()) // it was asked in, renamed or deleted elsewhere
	}
	if use != nil && use.Problem != "" {
		cmds = append(cmds, m.say(use.Problem, true))
	}
	return tea.Batch(cmds...)
}

// stopTurn ends the answer that is being written. Its question may be put otherwise.
func (m *model) stopTurn() tea.Cmd {
	question := m.conversation.asked.Question
	m.stopSearch(nil)
	m.conversation.abandon()
	m.unask(question)
	return m.showPreview()
}

// unask puts a question back on the line, unless something else stands there.
func (m *model) unask(question string) {
	switch {
	case len(m.held) == 1 && m.line() == "":
		m.setLine(question)
	case len(m.held) > 1 && unblank(m.held[1].text) == "":
		m.held[1].text = question // the list lies above
	}
}

// conversationTakes acts on the keys of a conversation. What it does not take is for
// the preview and the line.
func (m *model) conversationTakes(msg tea.KeyMsg) (cmd tea.Cmd, taken bool) {
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
	case key.Matches(msg, m.keys.copyPlace):
		return m.copyPlace(), true
	case key.Matches(msg, m.keys.related):
		if c.writing() {
			return m.say("wait for the answer first; esc stops it", false), true
		}
		return m.followChosen(), true
	case key.Matches(msg, m.keys.fold), key.Matches(msg, m.keys.mode):
		return nil, true // they are about results
	default:
		return nil, false
	}
	return m.showChosen(), true
}

// showChosen brings the place that was chosen into the preview.
func (m *model) showChosen() tea.Cmd {
	m.relayout()
	cmd := m.showPreview()
	if place, ok := m.conversation.selected(); ok {
		m.preview.cite(place.lines)
	}
	return cmd
}

// inConversation reports whether the turns of a conversation are in sight.
func (m *model) inConversation() bool { return m.conversation.open() && len(m.trail) == 0 }

// escapeConversation goes back one step: from an answer that is being written, the line,
// a chosen place, and at last from the conversation.
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

// expire has what a conversation covers asked for again when it comes back, since the
// index changed. The results below an answer stay as they are.
func (c *covered) expire() {
	expire(&c.scene)
	for i := range c.trail {
		expire(&c.trail[i].before)
	}
}

// clickPlace chooses the place on a row of the screen; twice opens it.
func (m *model) clickPlace(y int) tea.Cmd {
	place, ok := m.conversation.at(y)
	if !ok {
		return nil
	}
	again := m.clickedAgain(place)
	m.conversation.choose(place)
	if again {
		return m.open()
	}
	return m.showChosen()
}
