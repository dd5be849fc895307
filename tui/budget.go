package tui

import (
	"context"
	"fmt"
	"time"

	"dowse/engine"

	tea "github.com/charmbracelet/bubbletea"
)

// budgetPatience is how long a change of the budget may take: a model that is larger than
// the new one closes first.
const budgetPatience = time.Minute

// budgetDone is what became of the memory of models.
type budgetDone struct {
	step *engine.BudgetStep
	err  error
}

// changeBudget has the memory of models lowered or raised by a step.
func (m *model) changeBudget(change engine.BudgetChange) tea.Cmd {
	searcher, parent := m.searcher, m.ctx
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, budgetPatience)
		defer cancel()
		step, err := searcher.ChangeBudget(ctx, change)
		return budgetDone{step, err}
	}
}

// onBudgetDone tells what the budget is now.
func (m *model) onBudgetDone(msg budgetDone) tea.Cmd {
	if msg.err != nil {
		return m.say(msg.err.Error(), true)
	}
	return tea.Batch(m.say(budgetNotice(msg.step), false), m.askStatus())
}

// budgetNotice says what a change came to.
func budgetNotice(b *engine.BudgetStep) string {
	switch {
	case b.Changed() && b.Bytes == b.Full:
		return fmt.Sprintf("memory: %s again, as the settings say", size(b.Full))
	case b.Changed():
		return fmt.Sprintf("memory: %s now, %s by the settings", size(b.Bytes), size(b.Full))
	case b.Bytes == b.Full:
		return fmt.Sprintf("memory: %s, which is all that the settings give", size(b.Full))
	}
	return fmt.Sprintf("memory: %s, which is the least", size(b.Bytes))
}

// writerLines says how the model that writes runs, in lines of the memory panel that a
// column of a narrow screen holds.
func writerLines(u *engine.ModelUse) (lines []string) {
	name := sanitize(u.Name) + " "
	switch u.Way {
	case engine.Resident:
		return []string{name + "in memory"}
	case engine.Streamed:
		lines = append(lines, name+"streamed", fmt.Sprintf("%s of %s kept", count(u.Kept), counted(u.Layers, "layer")))
	case engine.Swapped:
		lines = append(lines, name+"swapped by rows")
	case engine.Mixture:
		lines = append(lines, name+"reads experts")
	}
	cost := "cache " + size(u.Cache)
	if u.TokenBytes > 0 {
		cost += " · " + size(u.TokenBytes) + " a token"
	}
	lines = append(lines, cost)
	if rate, ok := u.HitRate(); ok {
		lines = append(lines, fmt.Sprintf("%s hits, %s misses (%.0f%%)", count(u.Hits), count(u.Misses), 100*rate))
	}
	if u.Sparsity > 0 {
		lines = append(lines, fmt.Sprintf("%.0f%% of its inputs left out", 100*u.Sparsity))
	}
	return lines
}
