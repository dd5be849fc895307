package tui

import (
	"fmt"

	"dowse/engine"

	tea "github.com/charmbracelet/bubbletea"
)

// step is one step of a trail: the followed passage, and the scene before.
type step struct {
	like   engine.Passage
	before scene
}

// scene is a covered screen.
type scene struct {
	results resultList
	result  *engine.Result
	answer  answerPane
	expired bool // asked for again when restored
}

// followChosen shows passages similar to the chosen one.
func (m *model) followChosen() tea.Cmd {
	passage, ok := m.selected()
	if !ok {
		return nil
	}
	m.trail = append(m.trail, step{like: passage, before: m.scene()})
	m.answer.drop()
	m.relayout()
	return m.askRelated(asking{estimate: true})
}

// scene captures the screen; a running answer is not waited for.
func (m *model) scene() scene {
	s := scene{results: m.results, result: m.search.result, answer: m.answer}
	if m.search.cancel != nil || m.search.err != nil || m.search.result != nil && m.search.result.Stats.Estimated {
		s.expired = true
		s.answer.drop()
	}
	return s
}

// goBack undoes the last step.
func (m *model) goBack() tea.Cmd {
	last := len(m.trail) - 1
	before := m.trail[last].before
	m.trail = m.trail[:last]
	return m.restore(before)
}

// restore brings back a scene.
func (m *model) restore(before scene) tea.Cmd {
	m.stopSearch(before.result)
	m.results, m.answer = before.results, before.answer
	m.relayout()
	m.results.setArea(m.layout.list)
	if before.expired {
		return m.askAgain(asking{keep: true})
	}
	return m.showPreview()
}

// leaveTrail forgets the steps when the query is asked.
func (m *model) leaveTrail() {
	if len(m.trail) > 0 {
		m.trail = nil
		m.relayout()
	}
}

// expireTrail marks all steps for refreshing, since the index changed. Results
// below an answer stay.
func (m *model) expireTrail() {
	for i := range m.trail {
		expire(&m.trail[i].before)
	}
}

func expire(before *scene) {
	before.answer.outdated = before.answer.open
	before.expired = !before.answer.open
}

// askAgain refreshes what is in sight.
func (m *model) askAgain(how asking) tea.Cmd {
	if len(m.trail) > 0 {
		return m.askRelated(how)
	}
	return m.ask(how)
}

// askRelated requests the last step's passages.
func (m *model) askRelated(how asking) tea.Cmd {
	m.begin(how)
	ctx, generation := m.searchContext(), m.search.generation
	searcher, like := m.searcher, m.trail[len(m.trail)-1].like
	request := engine.RelatedRequest{
		Path: like.Path, Line: like.LineStart, ChunkID: like.ChunkID,
		K: wanted, In: m.options.In, Fold: true, Estimate: how.estimate,
	}
	return tea.Batch(
		func() tea.Msg {
			related, err := searcher.Related(ctx, request, nil)
			if err != nil {
				return searchDone{generation: generation, err: err}
			}
			return searchDone{generation: generation, result: &engine.Result{Passages: related.Passages, Stats: related.Stats}}
		},
		tellSlow(generation),
	)
}

// viewTrail draws which passage the ones below are like.
func (m *model) viewTrail(w int) string {
	last := m.trail[len(m.trail)-1].like
	steps := ""
	if n := len(m.trail); n > 1 {
		steps = fmt.Sprintf(" · %d steps", n)
	}
	line := whereText(last.Where, last.LineStart, w)
	room := w - width("─ like "+line+steps+" ─")
	place := m.names.short(last.Path, room) + line
	if title := lastHeading(last.Heading); title != "" && room-width(place)-width(headingMark) >= minHeading {
		place = fit(place+headingMark+title, room+width(line))
	}
	return fit(heading("like "+place+steps, w, m.styles), w)
}

// nothingRelatedState says that no passage is similar.
func (m *model) nothingRelatedState() []paragraph {
	return []paragraph{
		{"Nothing else is like it.", m.styles.name},
		{},
		{"There is no passage of another file to compare it with" + m.scopeAdvice() + ".", m.styles.text},
		{"esc goes back to the results.", m.styles.soft},
	}
}
