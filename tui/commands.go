package tui

import (
	"context"
	"time"

	"dowse/engine"

	tea "github.com/charmbracelet/bubbletea"
)

const (
	wanted          = 30                     // passages asked for
	refineAfter     = 120 * time.Millisecond // without a key
	redrawEvery     = 50 * time.Millisecond  // while layers of a reranking come
	slowAfter       = 250 * time.Millisecond
	refreshAfter    = 400 * time.Millisecond // collects commits of a busy indexer
	noticeTime      = 5 * time.Second
	statusEvery     = 2 * time.Second
	subscribeEvery  = 2 * time.Second
	statusPatience  = 10 * time.Second
	deletePatience  = time.Minute            // with calls that change a conversation
	focusAfter      = 300 * time.Millisecond // of resting on a conversation
	maxEventsAtOnce = 256
)

// startSearch asks the present query and cancels the search before it. With
// keep the chosen passage stays chosen and the ranking is final; otherwise an
// estimate will do while the person types. An empty query clears the screen.
func (m *model) startSearch(keep bool) tea.Cmd {
	return m.ask(asking{keep: keep, estimate: !keep})
}

// asking says how to ask the present query.
type asking struct {
	keep     bool // the chosen passage stays chosen
	estimate bool // an estimate will do
	answer   bool // with an answer; without, the one in sight closes
}

func (m *model) ask(how asking) tea.Cmd {
	if !how.answer && m.answer.open {
		m.answer.drop()
		m.relayout()
	}
	m.leaveTrail()
	m.begin(how)
	query := m.query()
	if query == "" {
		m.search.result, m.search.err = nil, nil
		m.results.set(nil, false)
		m.showPreview()
		return nil
	}
	return m.launch(engine.Request{
		Query: query, K: wanted, Mode: m.mode, In: m.options.In, Fold: true, Estimate: how.estimate, Answer: how.answer,
	})
}

// launch begins a search whose layers and answer are drawn as they come.
func (m *model) launch(request engine.Request) tea.Cmd {
	ctx, generation, searcher := m.searchContext(), m.search.generation, m.searcher
	feed, answers := newLayerFeed(ctx, generation), newAnswerFeed(generation)
	return tea.Batch(
		func() tea.Msg {
			defer feed.close()
			defer answers.close()
			result, err := searcher.Search(ctx, request, func(e engine.Event) { feed.emit(e); answers.emit(e) })
			return searchDone{generation, result, feed.all, err}
		},
		feed.receive,
		m.nextOf(answers),
		tellSlow(generation),
	)
}

// tellSlow reports after a while that a search may still run.
func tellSlow(generation int) tea.Cmd {
	return tea.Tick(slowAfter, func(time.Time) tea.Msg { return searchSlow{generation} })
}

// begin cancels the search before this one.
func (m *model) begin(how asking) {
	if m.search.cancel != nil {
		m.search.cancel()
	}
	m.search = searchState{
		generation: m.search.generation + 1, keep: how.keep, refine: !how.estimate, answer: how.answer,
		result: m.search.result, err: m.search.err,
	}
}

func (m *model) searchContext() context.Context {
	ctx, cancel := context.WithCancel(m.ctx)
	m.search.cancel = cancel
	return ctx
}

// showPreview requests the chosen passage's preview unless it is shown or out
// of sight.
func (m *model) showPreview() tea.Cmd {
	passage, ok := m.selected()
	switch {
	case !ok || m.layout.preview.empty():
		m.stopPreview()
		m.preview.drop()
		return nil
	case m.preview.has(passage):
		return nil
	}
	m.preview.wait(passage)
	if place, ok := m.conversation.selected(); ok && m.inConversation() {
		m.preview.cite(place.lines)
	}
	return m.askPreview()
}

func (m *model) stopPreview() {
	if m.look.cancel != nil {
		m.look.cancel()
	}
	m.look = previewState{generation: m.look.generation + 1}
}

// askPreview reads the file around the preview's passage.
func (m *model) askPreview() tea.Cmd {
	m.stopPreview()
	ctx, cancel := context.WithCancel(m.ctx)
	m.look.cancel = cancel
	searcher, passage := m.searcher, m.preview.passage
	generation, reach := m.look.generation, m.preview.reach
	return func() tea.Msg {
		preview, err := searcher.Preview(ctx, passage, reach, reach)
		if err != nil {
			return previewDone{generation: generation, err: err}
		}
		return previewDone{generation, preview, markLines(passage, preview), nil}
	}
}

func (m *model) askStatus() tea.Cmd {
	searcher, parent := m.searcher, m.ctx
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, statusPatience)
		defer cancel()
		status, err := searcher.Status(ctx)
		return statusDone{status, err}
	}
}

// watchStatus asks for the status repeatedly while the panel is open.
func (m *model) watchStatus() tea.Cmd {
	m.statusSerial++
	return tea.Batch(m.askStatus(), m.nextStatus())
}

func (m *model) nextStatus() tea.Cmd {
	serial := m.statusSerial
	return tea.Tick(statusEvery, func(time.Time) tea.Msg { return statusDue{serial} })
}

func (m *model) subscribe() tea.Cmd {
	searcher, ctx := m.searcher, m.ctx
	return func() tea.Msg {
		events, err := searcher.Subscribe(ctx)
		return subscribed{events, err}
	}
}

// listen waits for an event and takes all that are ready.
func listen(events <-chan engine.Event, now func() time.Time) tea.Cmd {
	return func() tea.Msg {
		h := happened{events: events}
		event, ok := <-events
		for n := 1; ok; n++ {
			h.add(event)
			if n == maxEventsAtOnce {
				break
			}
			select {
			case event, ok = <-events:
				continue
			default:
			}
			break
		}
		h.closed, h.at = !ok, now()
		return h
	}
}

// add coalesces one event.
func (h *happened) add(event engine.Event) {
	switch {
	case event.Progress != nil:
		h.progress = event.Progress
	case event.Memory != nil:
		h.memory = append(h.memory, event.Memory)
	case event.Changed != nil:
		h.changed = true
	case event.Change != nil:
		h.change = event.Change
	case event.Problem != "":
		h.problem = event.Problem
	}
}

// selected returns the chosen passage of the conversation or list in sight.
func (m *model) selected() (engine.Passage, bool) {
	if m.inConversation() {
		place, ok := m.conversation.selected()
		return place.passage, ok
	}
	return m.results.selected()
}
