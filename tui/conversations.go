package tui

import (
	"context"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

const conversationsPrompt = " conversations ❯ "

// toggleConversations lists the conversations, or closes the list.
func (m *model) toggleConversations() tea.Cmd {
	if m.list.open {
		return m.closeConversations()
	}
	m.list.open, m.list.loading, m.list.problem = true, m.list.all == nil, ""
	m.list.find("")
	m.takeLine(conversationsPrompt, "type to find one", "")
	return tea.Batch(m.listConversations(), m.focusSoon())
}

// closeConversations closes the list. What it covered comes back.
func (m *model) closeConversations() tea.Cmd {
	m.list.open, m.list.deleting = false, false
	m.giveLineBack()
	return m.showPreview()
}

// listConversations asks for the list.
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
		return nil // nobody asked to see it
	}
	m.list.set(msg.all, m.now())
	return m.focusSoon()
}

// focusSoon has the chosen conversation loaded if it stays chosen for a while.
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

// conversationsTake acts on the keys of the list. What is left is typed to find one.
func (m *model) conversationsTake(msg tea.KeyMsg) tea.Cmd {
	l := &m.list
	if l.deleting {
		l.deleting = false
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

// openChosen goes on with the chosen conversation, or begins the one that is typed.
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
		return m.say("an answer is being written; esc stops it", false)
	}
	return tea.Batch(m.closeConversations(), m.openConversation(name, fresh))
}

// askToDelete asks whether the chosen conversation is to be deleted.
func (m *model) askToDelete() tea.Cmd {
	chosen, ok := m.list.selected()
	if ok && chosen.Name == m.conversation.name && m.conversation.writing() {
		return m.say("an answer is being written in it; esc stops it", false)
	}
	m.list.deleting = ok
	return nil
}

// deleteChosen deletes the chosen conversation.
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

// onConversationDeleted tells what went. A conversation that was open is left.
func (m *model) onConversationDeleted(msg conversationDeleted) tea.Cmd {
	if msg.err != nil {
		return tea.Batch(m.say(msg.err.Error(), true), m.listConversations())
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
	return tea.Batch(append(cmds, m.listConversations(), m.askStatus(), m.say(gone, false))...)
}

// clickConversation chooses a conversation of the list; twice opens it.
func (m *model) clickConversation(y int) tea.Cmd {
	index, ok := m.list.at(y)
	if !ok {
		return nil
	}
	again := m.clickedAgain(index)
	m.list.choose(index)
	if again {
		return m.openChosen()
	}
	return m.focusSoon()
}

// keptCount returns how many conversations there are, as far as that is known.
func (m *model) keptCount() int {
	if m.status == nil || m.status.Conversations == nil {
		return 0
	}
	return m.status.Conversations.Count
}
