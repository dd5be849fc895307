package tui

import (
	"context"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

const conversationsPrompt = " conversations ❯ "

// toggleConversations opens or closes the list.
func (m *model) toggleConversations() tea.Cmd {
	if m.list.open {
		return m.closeConversations()
	}
	m.list.open, m.list.loading, m.list.problem = true, m.list.all == nil, ""
	m.list.find("")
	m.borrowLine(conversationsPrompt, "type to find one", "")
	return tea.Batch(m.listConversations(), m.focusSoon())
}

// closeConversations closes the list and restores what it covered.
func (m *model) closeConversations() tea.Cmd {
	m.list.open, m.list.asking = false, false
	m.returnLine()
	return m.showPreview()
}

func (m *model) listConversations() tea.Cmd {
	m.list.serial++
	searcher, parent, serial := m.searcher, m.ctx, m.list.serial
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, statusPatience)
		defer cancel()
		all, err := searcher.Conversations(ctx)
		return conversationsDone{serial, all, err}
	}
}

func (m *model) onConversationsDone(msg conversationsDone) tea.Cmd {
	switch {
	case msg.serial != m.list.serial:
		return nil
	case msg.err != nil && m.list.open:
		m.list.all, m.list.loading, m.list.problem = nil, false, sanitize(msg.err.Error())
		m.list.find(m.list.filter)
		return nil
	case msg.err != nil:
		return nil // the list was closed meanwhile
	}
	m.list.set(msg.all, m.now())
	return m.focusSoon()
}

// focusSoon preloads the chosen conversation if it stays chosen for a while.
func (m *model) focusSoon() tea.Cmd {
	chosen, ok := m.list.selected()
	if !ok || !m.list.open {
		return nil
	}
	return tea.Tick(focusAfter, func(time.Time) tea.Msg { return focusDue{chosen.ID} })
}

func (m *model) onFocusDue(msg focusDue) tea.Cmd {
	chosen, ok := m.list.selected()
	if !ok || !m.list.open || chosen.ID != msg.id || m.list.focused == msg.id {
		return nil
	}
	m.list.focused = msg.id
	return m.focus(chosen.Name)
}

// conversationListKey handles the list's keys; the rest edits the filter.
func (m *model) conversationListKey(msg tea.KeyMsg) tea.Cmd {
	l := &m.list
	if l.asking {
		l.asking = false
		if string(msg.Runes) == "y" && !msg.Paste {
			return m.deleteChosen()
		}
		return nil
	}
	if to, moves := m.keys.moveTo(msg, l.chosen, l.perPage(), l.entries()); moves {
		l.choose(to)
		return m.focusSoon()
	}
	switch {
	case key.Matches(msg, m.keys.open):
		return m.openChosen()
	case key.Matches(msg, m.keys.rename):
		return m.renameChosen()
	case key.Matches(msg, m.keys.remove):
		return m.askToDelete()
	default:
		cmd := m.edit(msg)
		if m.line() != l.filter {
			l.find(m.line())
		}
		return tea.Batch(cmd, m.focusSoon())
	}
}

// openChosen opens the chosen conversation or begins the typed one.
func (m *model) openChosen() tea.Cmd {
	name, fresh := m.list.begins()
	if chosen, ok := m.list.selected(); ok {
		name, fresh = chosen.Name, false
	} else if !fresh {
		return nil
	}
	if name == m.conversation.name {
		return m.closeConversations()
	}
	if m.conversation.writing() {
		return m.notify("an answer is being written; esc stops it", false)
	}
	return tea.Batch(m.closeConversations(), m.openConversation(name, fresh))
}

// askToDelete asks for confirmation.
func (m *model) askToDelete() tea.Cmd {
	chosen, ok := m.list.selected()
	if ok && chosen.Name == m.conversation.name && m.conversation.writing() {
		return m.notify("an answer is being written in it; esc stops it", false)
	}
	m.list.asking = ok
	return nil
}

func (m *model) deleteChosen() tea.Cmd {
	chosen, ok := m.list.selected()
	if !ok {
		return nil
	}
	searcher, parent := m.searcher, m.ctx
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, deletePatience)
		defer cancel()
		deleted, err := searcher.DeleteConversation(ctx, chosen.Name)
		return conversationDeleted{chosen.Name, deleted, err}
	}
}

// onConversationDeleted reports the deletion and leaves the conversation if it
// was open.
func (m *model) onConversationDeleted(msg conversationDeleted) tea.Cmd {
	if msg.err != nil {
		return tea.Batch(m.notify(msg.err.Error(), true), m.listConversations())
	}
	var cmds []tea.Cmd
	if msg.name == m.conversation.name {
		listed := m.list.open
		if listed {
			cmds = append(cmds, m.closeConversations())
		}
		cmds = append(cmds, m.leaveConversation())
		if listed {
			cmds = append(cmds, m.toggleConversations())
		}
	}
	gone := "deleted " + msg.name
	if msg.deleted != nil {
		gone += ": " + counted(msg.deleted.Questions, "question") + ", " + size(msg.deleted.Bytes)
	}
	return tea.Batch(append(cmds, m.listConversations(), m.askStatus(), m.notify(gone, false))...)
}

// clickConversation chooses a conversation; a second click opens it.
func (m *model) clickConversation(y int) tea.Cmd {
	index, ok := m.list.at(y)
	if !ok {
		return nil
	}
	again := m.isDoubleClick(index)
	m.list.choose(index)
	if again {
		return m.openChosen()
	}
	return m.focusSoon()
}

// keptCount returns the number of conversations; 0 before it is known.
func (m *model) keptCount() int {
	if m.status == nil || m.status.Conversations == nil {
		return 0
	}
	return m.status.Conversations.Count
}
