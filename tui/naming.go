package tui

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"dowse/engine"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

const (
	namePrompt = " name ❯ "
	nameCells  = 48 // of a suggested name
)

// naming is the state while a conversation's name is typed.
type naming struct {
	open   bool
	rename string // the conversation to rename; "" to keep a new one
	busy   bool   // the name is being set
	asksOn bool   // the answer in sight becomes a conversation
	waits  string // the name to set when the answer is complete
}

// keepAsConversation asks for a name to keep the question and its answer under.
func (m *model) keepAsConversation() tea.Cmd {
	switch {
	case m.conversation.open():
		return m.notify("kept already, as "+m.conversation.name, false)
	case m.query() == "":
		return m.notify("type a question first", false)
	}
	m.naming = naming{open: true}
	m.borrowLine(namePrompt, "what the conversation is called", suggestName(m.query()))
	return m.listConversations()
}

// suggestName cuts the first question at a word.
func suggestName(question string) string {
	name := strings.TrimRight(strings.TrimSpace(flattenMarked(question, nil).text), "?!. ")
	if width(name) <= nameCells {
		return name
	}
	ranges, _ := wrap(name, nameCells, 1)
	return strings.TrimRight(name[:ranges[0].end], ",;:- ")
}

func (m *model) renameChosen() tea.Cmd {
	chosen, ok := m.list.selected()
	if !ok {
		return nil
	}
	m.naming = naming{open: true, rename: chosen.Name}
	m.borrowLine(namePrompt, "what the conversation is called", sanitize(chosen.Name))
	return nil
}

func (m *model) stopNaming() tea.Cmd {
	m.naming = naming{}
	m.returnLine()
	return m.showPreview()
}

// namingKey edits the name and sets it.
func (m *model) namingKey(msg tea.KeyMsg) tea.Cmd {
	switch {
	case m.naming.busy:
		return nil
	case !key.Matches(msg, m.keys.open):
		return m.edit(msg)
	}
	name := strings.TrimSpace(m.line())
	switch {
	case name == "":
		return m.notify("type a name, or esc to leave it", false)
	case m.naming.rename != "":
		return m.rename(m.naming.rename, name)
	case !m.answer.open:
		return m.askIn(name)
	}
	m.naming.busy = true
	if !m.answer.done {
		m.naming.waits = name
		return nil
	}
	return m.keep(name)
}

func (m *model) rename(from, to string) tea.Cmd {
	if from == to {
		return m.stopNaming()
	}
	m.naming.busy = true
	searcher, parent := m.searcher, m.ctx
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, deletePatience)
		defer cancel()
		return conversationNamed{from: from, name: to, err: searcher.RenameConversation(ctx, from, to)}
	}
}

// answered sets the name that waited for the answer, unless that failed.
func (m *model) answered(err error) tea.Cmd {
	name := m.naming.waits
	if m.naming.waits = ""; name == "" {
		return nil
	}
	if err != nil {
		return m.stopNaming()
	}
	return m.keep(name)
}

// keep makes a conversation of the question in sight and its answer, or appends
// them to the one of that name.
func (m *model) keep(name string) tea.Cmd {
	searcher, parent, turn := m.searcher, m.ctx, m.answeredTurn()
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, deletePatience)
		defer cancel()
		use, err := searcher.KeepTurn(ctx, name, turn)
		if err == nil && use != nil && use.Name != "" {
			name = use.Name
		}
		return conversationNamed{name: name, err: err}
	}
}

// answeredTurn makes a turn of the question and the answer in sight.
func (m *model) answeredTurn() engine.Turn {
	var of engine.Result
	if m.search.result != nil {
		of = *m.search.result
	}
	if m.answer.done { // also one that was stopped
		said := m.answer.answer
		of.Answer, of.Passages = &said, m.answer.passages
	}
	return engine.MakeTurn(m.query(), &of, m.now())
}

// askedOn says under which name an answer was kept to go on with.
type askedOn struct {
	name string
	err  error
}

// askOn makes a conversation of the question and its answer, by the proposed name, and has the line take the next
// question.
func (m *model) askOn() tea.Cmd {
	switch {
	case !m.answer.open:
		return m.notify("ask for an answer first", false)
	case !m.answer.done:
		return m.notify("wait for the answer; ctrl-c stops it", false)
	case m.naming.asksOn:
		return nil
	}
	m.naming.asksOn = true
	searcher, parent, turn, wished := m.searcher, m.ctx, m.answeredTurn(), suggestName(m.query())
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, deletePatience)
		defer cancel()
		all, err := searcher.Conversations(ctx)
		if err != nil {
			return askedOn{"", err}
		}
		name := freeName(wished, all)
		_, err = searcher.KeepTurn(ctx, name, turn)
		return askedOn{name, err}
	}
}

// freeName returns a name that no conversation has: the wished one, or that with a number.
func freeName(wished string, all []engine.Conversation) string {
	name := wished
	for n := 2; slices.ContainsFunc(all, func(c engine.Conversation) bool { return strings.EqualFold(c.Name, name) }); n++ {
		name = wished + " " + strconv.Itoa(n)
	}
	return name
}

func (m *model) onAskedOn(msg askedOn) tea.Cmd {
	m.naming.asksOn = false
	switch {
	case msg.err != nil:
		return m.notify(msg.err.Error(), true)
	case len(m.held) > 0:
		return m.notify("kept as "+msg.name, false) // something else was opened meanwhile
	}
	return tea.Batch(m.openConversation(msg.name, false), m.notify("kept as "+msg.name+"; ask on", false))
}

// onConversationNamed continues under the name; a refused one stays on the
// line.
func (m *model) onConversationNamed(msg conversationNamed) tea.Cmd {
	if !m.naming.open {
		return nil
	}
	if msg.err != nil {
		m.naming.busy = false
		return m.notify(msg.err.Error(), true)
	}
	back := m.stopNaming()
	if msg.from == "" {
		return tea.Batch(back, m.openConversation(msg.name, false), m.notify("kept as "+msg.name, false))
	}
	if m.conversation.name == msg.from {
		m.conversation.name = msg.name
	}
	return tea.Batch(back, m.listConversations())
}

// askIn opens a conversation and asks the query in it. In an existing one the
// question waits on the line.
func (m *model) askIn(name string) tea.Cmd {
	known, taken := m.list.named(name)
	if taken {
		name = known.Name
	}
	question := m.query()
	cmds := []tea.Cmd{m.stopNaming(), m.openConversation(name, !taken)}
	m.setLine(question)
	if !taken {
		cmds = append(cmds, m.askTurn())
	}
	return tea.Batch(cmds...)
}

// namingAdvice says what enter does with the name.
func (m *model) namingAdvice() string {
	known, taken := m.list.named(m.line())
	switch {
	case m.naming.waits != "":
		return "keeps it when the answer is there" + ellipsis
	case m.naming.rename != "":
		return "another name for " + sanitize(m.naming.rename)
	case taken:
		return "goes on with it: " + counted(known.Count, "question") + " so far"
	case m.answer.open:
		return "keeps question and answer under this name"
	}
	return "asks the question in a conversation of this name"
}
