package tui

import (
	"strings"

	"dowse/engine"
	"dowse/internal/fold"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// QueryKeeper keeps queries from one time to the next. Its methods may be slow.
type QueryKeeper interface {
	Load() (engine.KeptQueries, error)
	Ask(queries ...string) error
	Save(name, query string) error // "" removes the name
}

const (
	saveMark   = "@" // begins the name of a saved search on the line
	savePrompt = " name ❯ "
)

// queriesLoaded are the kept queries.
type queriesLoaded struct {
	kept engine.KeptQueries
	err  error
}

// querySaved says that a name was given to a query, or removed where query is "".
type querySaved struct {
	engine.SavedQuery
	err error
}

// loadQueries asks for the kept queries.
func (m *model) loadQueries() tea.Cmd {
	keeper := m.options.Queries
	if keeper == nil {
		return nil
	}
	return func() tea.Msg {
		kept, err := keeper.Load()
		return queriesLoaded{kept, err}
	}
}

func (m *model) onQueriesLoaded(msg queriesLoaded) tea.Cmd {
	if msg.err != nil {
		return m.notify(msg.err.Error(), true)
	}
	m.saved = nil
	for _, s := range msg.kept.Saved {
		m.saved = append(m.saved, engine.SavedQuery{Name: sanitize(s.Name), Query: sanitize(s.Query)})
	}
	newer := m.history.lines
	m.history.lines = nil
	for _, query := range append(msg.kept.Asked, newer...) {
		m.history.add(sanitize(query))
	}
	m.history.fresh = nil
	return nil
}

// keepAsked writes down the queries that were asked since the last time.
func (m *model) keepAsked() tea.Cmd {
	fresh, keeper := m.history.fresh, m.options.Queries
	m.history.fresh = nil
	if len(fresh) == 0 || keeper == nil {
		return nil
	}
	return func() tea.Msg {
		if err := keeper.Ask(fresh...); err != nil {
			return acted{err: err}
		}
		return nil
	}
}

// quit leaves, once the last query is written down.
func (m *model) quit() tea.Cmd {
	m.history.add(m.query())
	if keep := m.keepAsked(); keep != nil {
		return tea.Sequence(keep, tea.Quit)
	}
	return tea.Quit
}

// saveQuery asks for a name to save the query under.
func (m *model) saveQuery() tea.Cmd {
	query, keeper := m.query(), m.options.Queries
	switch {
	case keeper == nil:
		return m.notify("nothing is kept: screen.history is off in the settings", false)
	case query == "":
		return m.notify("type a query first", false)
	}
	return m.lendLine(savePrompt, "what the search is called", "", errand{
		advice: "typing @ and the name finds it again", does: "save",
		run: func(name string) tea.Cmd {
			name = strings.ReplaceAll(strings.TrimLeft(name, saveMark), " ", "-")
			if name == "" {
				return m.notify("a name has letters or digits", false)
			}
			return keepQuery(keeper, engine.SavedQuery{Name: name, Query: query})
		},
	})
}

func keepQuery(keeper QueryKeeper, q engine.SavedQuery) tea.Cmd {
	return func() tea.Msg { return querySaved{q, keeper.Save(q.Name, q.Query)} }
}

// onQuerySaved shows the name, or that it is gone.
func (m *model) onQuerySaved(msg querySaved) tea.Cmd {
	if msg.err != nil {
		return m.notify(msg.err.Error(), true)
	}
	kept := engine.KeptQueries{Saved: m.saved}
	kept.Save(msg.SavedQuery)
	m.saved = kept.Saved
	if msg.Query == "" {
		return tea.Batch(m.suggest(true), m.notify("removed "+saveMark+msg.Name, false))
	}
	return m.notify("saved as "+saveMark+msg.Name, false)
}

// listSaved lists the saved searches below the line.
func (m *model) listSaved() tea.Cmd {
	if len(m.saved) == 0 {
		return m.notify("no search is saved; "+keyFor(m.keys.save)+" saves one", false)
	}
	if len(m.held) > 0 {
		return nil
	}
	m.completion.hides = false
	return tea.Batch(m.setLine(saveMark), m.suggest(true))
}

// suggestSaved suggests the saved searches that the line may name. It returns false
// where it names none.
func (m *model) suggestSaved() bool {
	line := m.input.Value()
	name, is := strings.CutPrefix(line, saveMark)
	if !is || len(m.held) > 0 || len(m.saved) == 0 || m.cursorByte() != len(line) {
		return false
	}
	found := engine.Completion{End: len(line), Key: saveMark}
	for _, s := range m.saved {
		if strings.HasPrefix(fold.String(s.Name), fold.String(name)) {
			found.Suggestions = append(found.Suggestions, engine.Suggestion{Text: s.Query, Label: s.Name, Detail: s.Query})
		}
	}
	if len(found.Suggestions) == 0 {
		return false
	}
	m.stopSuggesting()
	m.setSuggestions(&found, false)
	return true
}

// savedKey lists the saved searches, and removes the one that is chosen.
func (m *model) savedKey(msg tea.KeyMsg) (cmd tea.Cmd, taken bool) {
	c := &m.completion
	if key.Matches(msg, m.keys.listSaved) {
		return m.listSaved(), true
	}
	if !key.Matches(msg, m.keys.remove) || c.found.Key != saveMark || !m.suggesting() || m.options.Queries == nil {
		return nil, false
	}
	return keepQuery(m.options.Queries, engine.SavedQuery{Name: c.found.Suggestions[c.chosen].Label}), true
}
