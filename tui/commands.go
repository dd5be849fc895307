package tui

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"dowse/engine"
	"dowse/internal/child"

	tea "github.com/charmbracelet/bubbletea"
)

const (
	wanted          = 30                     // passages asked for
	refineAfter     = 120 * time.Millisecond // without a key
	redrawEvery     = 50 * time.Millisecond  // while layers of a reranking come
	slowAfter       = 250 * time.Millisecond
	refreshAfter    = 400 * time.Millisecond // collects the commits of a busy indexer
	noticeTime      = 5 * time.Second
	statusEvery     = 2 * time.Second
	subscribeEvery  = 2 * time.Second
	statusPatience  = 10 * time.Second
	deletePatience  = time.Minute            // with calls that change a conversation
	focusAfter      = 300 * time.Millisecond // with a conversation chosen
	maxEventsAtOnce = 256
)

// startSearch asks the present query, and ends the search before it. With keep
// the chosen passage stays chosen, and the answer is the final one; otherwise
// it may be an estimate, for the time that the person types. An empty query
// only clears the screen.
func (m *model) startSearch(keep bool) tea.Cmd {
	return m.ask(asking{keep: keep, estimate: !keep})
}

// asking says how the present query is asked.
type asking struct {
	keep     bool // the chosen passage stays chosen
	estimate bool // the ranking need not be the final one
	answer   bool // an answer is wanted; otherwise the one in sight goes
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

// launch begins a search, whose layers and answer come as they are known.
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
		feed.take,
		m.nextOf(answers),
		tellSlow(generation),
	)
}

// tellSlow tells after a while that a search may still be under way.
func tellSlow(generation int) tea.Cmd {
	return tea.Tick(slowAfter, func(time.Time) tea.Msg { return searchSlow{generation} })
}

// begin ends the search before this one.
func (m *model) begin(how asking) {
	if m.search.cancel != nil {
		m.search.cancel()
	}
	m.search = searchState{
		generation: m.search.generation + 1, keep: how.keep, refine: !how.estimate, answer: how.answer,
		result: m.search.result, err: m.search.err,
	}
}

// searchContext returns the context of the search that begins.
func (m *model) searchContext() context.Context {
	ctx, cancel := context.WithCancel(m.ctx)
	m.search.cancel = cancel
	return ctx
}

// showPreview brings the chosen passage into the preview, if that is in sight
// and does not show it yet.
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

// stopPreview ends the preview under way.
func (m *model) stopPreview() {
	if m.look.cancel != nil {
		m.look.cancel()
	}
	m.look = previewState{generation: m.look.generation + 1}
}

// askPreview reads the file around the passage of the preview pane.
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
		return previewDone{generation, preview, markLines(passage, preview.Lines), nil}
	}
}

// askStatus asks what is indexed and what it costs.
func (m *model) askStatus() tea.Cmd {
	searcher, parent := m.searcher, m.ctx
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, statusPatience)
		defer cancel()
		status, err := searcher.Status(ctx)
		return statusDone{status, err}
	}
}

// watchStatus asks for the status every so often while the panel is open.
func (m *model) watchStatus() tea.Cmd {
	m.statusSerial++
	return tea.Batch(m.askStatus(), m.nextStatus())
}

func (m *model) nextStatus() tea.Cmd {
	serial := m.statusSerial
	return tea.Tick(statusEvery, func(time.Time) tea.Msg { return statusDue{serial} })
}

// subscribe opens the channel of events.
func (m *model) subscribe() tea.Cmd {
	searcher, ctx := m.searcher, m.ctx
	return func() tea.Msg {
		events, err := searcher.Subscribe(ctx)
		return subscribed{events, err}
	}
}

// listen waits for events and takes all that lie ready at once.
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

// add folds one event in.
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

// selected returns the chosen passage, of the conversation in sight or of the results.
func (m *model) selected() (engine.Passage, bool) {
	if m.inConversation() {
		place, ok := m.conversation.selected()
		return place.passage, ok
	}
	return m.results.selected()
}

// place returns where the chosen passage begins, or, if it was chosen by a citation,
// what is cited of it.
func (m *model) place() (path string, line int, where engine.Where, ok bool) {
	if m.inConversation() {
		place, ok := m.conversation.selected()
		return place.passage.Path, place.line(), place.where, ok
	}
	passage, ok := m.results.selected()
	line = passage.LineStart
	if cited := m.preview.cited.first; cited > line && cited <= passage.LineEnd {
		line = cited
	}
	return passage.Path, line, passage.On(line), ok
}

// open opens the chosen passage: text in the editor, what else there is in a viewer.
func (m *model) open() tea.Cmd {
	_, _, where, ok := m.place()
	switch {
	case !ok:
		return nil
	case where.Extracted:
		return m.openViewer()
	}
	return m.openEditor()
}

// openViewer has a program with a window of its own show the file of the chosen
// passage, at the page if the program can go there.
func (m *model) openViewer() tea.Cmd {
	path, _, where, ok := m.place()
	if !ok {
		return nil
	}
	command, err := chooseViewer(m.options, path, where.Page())
	if err != nil {
		return m.say(err.Error()+"; "+m.keys.copyPlace.Help().Key+" copies the path", true)
	}
	args, there, err := viewerCommand(command, path, where.Page())
	if err != nil {
		return m.say(err.Error(), true)
	}
	cmd, err := child.Attended(args[0], args[1:]...)
	if err != nil {
		return m.say(fmt.Sprintf("viewer %s: %v; check $%s", args[0], err, viewerVariable), true)
	}
	said := "opened in " + filepath.Base(args[0])
	if where.Locator != nil && !there {
		said += "; what was found is on " + where.Locator.Label
	}
	return tea.Batch(m.say(sanitize(said), false), func() tea.Msg {
		if err := cmd.Run(); err != nil { // when its window closes
			return viewerFailed{fmt.Errorf("viewer %s: %w; check $%s", filepath.Base(args[0]), err, viewerVariable)}
		}
		return nil
	})
}

// openEditor opens the chosen passage in the person's editor, which gets the
// terminal until it ends.
func (m *model) openEditor() tea.Cmd {
	path, line, _, ok := m.place()
	if !ok {
		return nil
	}
	command, err := chooseEditor(m.options)
	if err != nil {
		return m.say(err.Error()+"; "+m.keys.copyPlace.Help().Key+" copies the place", true)
	}
	args, err := editorCommand(command, path, line)
	if err != nil {
		return m.say(err.Error(), true)
	}
	failed := func(err error) error {
		return fmt.Errorf("editor %s: %w; check $VISUAL and $EDITOR", args[0], err)
	}
	cmd, err := child.Attended(args[0], args[1:]...)
	if err != nil {
		return m.say(failed(err).Error(), true)
	}
	return tea.Exec(editorProcess{cmd, m.terminal}, func(err error) tea.Msg {
		if err != nil {
			err = failed(err)
		}
		return editorDone{err}
	})
}

// copyPlace hands path:line of the chosen passage to the clipboard, or the path alone of
// what is no text.
func (m *model) copyPlace() tea.Cmd {
	path, line, where, ok := m.place()
	if !ok {
		return nil
	}
	place := placeText(path, line)
	if where.Extracted {
		place = pathText(path)
	}
	out := m.terminal
	return func() tea.Msg { return copied{place, out.copy(place)} }
}
