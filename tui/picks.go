package tui

import (
	"slices"

	"dowse/engine"

	tea "github.com/charmbracelet/bubbletea"
)

// picks are the passages that the person has selected, in that order. They stay
// while other queries are asked.
type picks struct{ passages []engine.Passage }

func (k *picks) index(p engine.Passage) int {
	return slices.IndexFunc(k.passages, func(other engine.Passage) bool { return samePassage(p, other) })
}

func (k *picks) has(p engine.Passage) bool { return len(k.passages) > 0 && k.index(p) >= 0 }

// toggle selects a passage, or leaves it again.
func (k *picks) toggle(p engine.Passage) {
	if i := k.index(p); i >= 0 {
		k.passages = slices.Delete(slices.Clone(k.passages), i, i+1)
		return
	}
	k.passages = append(slices.Clip(k.passages), p)
}

// pick selects the chosen passage, or leaves it again, and goes on to the next.
func (m *model) pick() tea.Cmd {
	passage, ok := m.results.selected()
	if !ok {
		return nil
	}
	m.results.picks.toggle(passage)
	m.results.forgetRows()
	m.results.choose(m.results.chosen + 1)
	return m.showPreview()
}

// dropPicks leaves all selected passages.
func (m *model) dropPicks() tea.Cmd {
	*m.results.picks = picks{}
	m.results.forgetRows()
	return nil
}

// acting returns the passages that a key acts on: the selected ones, or else the
// chosen one.
func (m *model) acting() []engine.Passage {
	if picked := m.results.picks.passages; len(picked) > 0 && !m.inConversation() {
		return picked
	}
	if passage, ok := m.selected(); ok {
		return []engine.Passage{passage}
	}
	return nil
}
