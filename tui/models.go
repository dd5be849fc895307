package tui

import (
	"context"
	"errors"
	"time"

	"dowse/engine"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

const (
	modelsPrompt   = " models ❯ "
	modelsPatience = time.Minute // for the disk, whose speed is measured the first time
)

// modelsDone brings the models of a request.
type modelsDone struct {
	serial int
	all    []engine.Model
	err    error
}

// modelPulled brings how far a pull has come.
type modelPulled struct {
	from chan engine.ModelPull
	pull engine.ModelPull
}

// modelChanged brings what came of a change.
type modelChanged struct {
	said string
	err  error
}

// toggleModels opens or closes the list of models.
func (m *model) toggleModels() tea.Cmd {
	switch {
	case m.options.Models == nil:
		return m.notify("models cannot be changed from here", false)
	case m.models.open:
		return m.closeModels()
	}
	m.models.open, m.models.loading, m.models.problem = true, m.models.all == nil, ""
	m.models.find("")
	m.borrowLine(modelsPrompt, "type to find one, or OWNER/NAME to pull", "")
	return m.listModels()
}

// closeModels closes the list and restores what it covered. A pull goes on.
func (m *model) closeModels() tea.Cmd {
	m.models.open, m.models.asking = false, false
	m.returnLine()
	return m.showPreview()
}

func (m *model) listModels() tea.Cmd {
	m.models.serial++
	keeper, parent, serial := m.options.Models, m.ctx, m.models.serial
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, modelsPatience)
		defer cancel()
		all, err := keeper.Models(ctx)
		return modelsDone{serial, all, err}
	}
}

func (m *model) onModelsDone(msg modelsDone) {
	switch {
	case msg.serial != m.models.serial:
	case msg.err != nil:
		m.models.all, m.models.loading, m.models.problem = nil, false, sanitize(msg.err.Error())
		m.models.find(m.models.filter)
	default:
		m.models.set(msg.all)
	}
}

// modelListKey handles the list's keys; the rest edits the filter.
func (m *model) modelListKey(msg tea.KeyMsg) tea.Cmd {
	l := &m.models
	if l.asking {
		l.asking = false
		if chosen, ok := l.selected(); ok && string(msg.Runes) == "y" && !msg.Paste {
			return m.changeModel(l.asks, chosen.Name)
		}
		return nil
	}
	if to, moves := m.keys.moveTo(msg, l.chosen, l.perPage(), l.entries()); moves {
		l.choose(to)
		return nil
	}
	chosen, ok := l.selected()
	switch {
	case key.Matches(msg, m.keys.open):
		return m.useModel()
	case key.Matches(msg, m.keys.remove) && ok:
		return m.askToRemove(chosen)
	default:
		cmd := m.edit(msg)
		if m.line() != l.filter {
			l.find(m.line())
		}
		return cmd
	}
}

// useModel puts the chosen model to use, or pulls it where it is not here yet.
func (m *model) useModel() tea.Cmd {
	l := &m.models
	chosen, ok := l.selected()
	switch {
	case !ok:
		if name, adds := l.adds(); adds {
			return m.changeModel(engine.PullModel, name)
		}
		return nil
	case !chosen.Installed && chosen.Large:
		return m.notify(chosen.Name+" is too large for the memory or the disk of this machine", true)
	case !chosen.Installed:
		return m.changeModel(engine.PullModel, chosen.Name)
	case chosen.InUse:
		return m.notify(chosen.Name+" is in use already", false)
	case chosen.Job == engine.Embeds:
		l.asking, l.asks = l.doing == "", engine.UseModel
		return nil
	}
	return m.changeModel(engine.UseModel, chosen.Name)
}

// askToRemove asks for confirmation where there is something to delete.
func (m *model) askToRemove(chosen engine.Model) tea.Cmd {
	switch {
	case chosen.Part:
		return m.notify(chosen.Name+" is part of dowse: there is nothing to delete", false)
	case !chosen.Installed:
		return m.notify(chosen.Name+" is not installed", false)
	case chosen.InUse:
		return m.notify(chosen.Name+" is in use; use another one first", false)
	}
	m.models.asking, m.models.asks = m.models.doing == "", engine.RemoveModel
	return nil
}

// changeModel makes a change and says what came of it. One change is made at a time; ctrl-c stops a pull, and the next
// one goes on from what it brought.
func (m *model) changeModel(action engine.ModelAction, name string) tea.Cmd {
	l := &m.models
	if l.doing != "" {
		return m.notify(l.doing+" goes on; wait for it", false)
	}
	ctx, cancel := context.WithCancel(m.ctx)
	l.cancel, l.doing = cancel, map[engine.ModelAction]string{
		engine.PullModel: "pulling ", engine.UseModel: "choosing ", engine.RemoveModel: "deleting ",
	}[action]+sanitize(name)
	if chosen, ok := l.selected(); ok && action == engine.UseModel && chosen.Bytes > 0 && chosen.Job != engine.Embeds {
		l.doing = "loading " + sanitize(name)
	}
	keeper, news := m.options.Models, make(chan engine.ModelPull, 1)
	change := func() tea.Msg {
		defer cancel()
		defer close(news)
		said, err := keeper.ChangeModel(ctx, action, name, func(p engine.ModelPull) {
			select {
			case <-news: // not drawn yet
			default:
			}
			news <- p
		})
		return modelChanged{said, err}
	}
	if action != engine.PullModel {
		return change
	}
	l.pulling, l.pull = name, engine.ModelPull{Step: "asking for it"}
	return tea.Batch(change, nextPull(news))
}

// nextPull waits for news of a pull; it returns no message after the last.
func nextPull(news chan engine.ModelPull) tea.Cmd {
	return func() tea.Msg {
		pull, ok := <-news
		if !ok {
			return nil
		}
		return modelPulled{news, pull}
	}
}

func (m *model) onModelPulled(msg modelPulled) tea.Cmd {
	m.models.pull = msg.pull
	return tea.Tick(redrawEvery, func(time.Time) tea.Msg { return nextPull(msg.from)() })
}

func (m *model) onModelChanged(msg modelChanged) tea.Cmd {
	l := &m.models
	pulled := l.pulling
	l.doing, l.pulling, l.cancel = "", "", nil
	var told tea.Cmd
	switch {
	case msg.err == nil:
		told = m.notify(msg.said, false)
	case errors.Is(msg.err, context.Canceled) && pulled != "":
		told = m.notify("the pull of "+pulled+" is stopped; "+keyFor(m.keys.open)+" goes on where it was", false)
	default:
		told = m.notify(msg.err.Error(), true)
	}
	return tea.Batch(told, m.listModels(), m.askStatus())
}

// stopPull stops the pull under way.
func (m *model) stopPull() tea.Cmd {
	m.models.cancel()
	return nil
}

// clickModel chooses a model; a second click uses it.
func (m *model) clickModel(y int) tea.Cmd {
	index, ok := m.models.at(y)
	if !ok {
		return nil
	}
	again := m.isDoubleClick(index)
	m.models.choose(index)
	if again {
		return m.useModel()
	}
	return nil
}

func (m *model) modelHints(help hint) []hint {
	l := &m.models
	back := fixed("esc", "back", 4)
	if l.asking {
		does := "delete"
		if l.asks == engine.UseModel {
			does = "build"
		}
		return []hint{fixed("y", does, 5), fixed("esc", "keep", 4)}
	}
	if l.pulling != "" {
		return []hint{fixed("ctrl+c", "stop it", 5), back, help}
	}
	chosen, ok := l.selected()
	switch {
	case !ok && l.entries() > 0, ok && !chosen.Installed:
		return []hint{bound(m.keys.open, "pull", 5), back, help}
	case ok && chosen.InUse, !ok:
		return []hint{back, help}
	case chosen.Part:
		return []hint{bound(m.keys.open, "use", 5), back, help}
	}
	return []hint{bound(m.keys.open, "use", 5), bound(m.keys.remove, "delete", 3), back, help}
}
