package tui

import (
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dowse/engine"
)

// toggleAnswer asks for an answer or closes the one in sight. An outdated one
// is asked for again.
func (m *model) toggleAnswer() tea.Cmd {
	switch {
	case m.query() == "":
		return m.notify("type a question first", false)
	case m.answer.open && !m.answer.outdated:
		return m.closeAnswer()
	}
	m.answer.begin()
	m.relayout()
	if m.layout.answer.empty() && m.showMachine { // the answer was opened last
		m.showMachine = false
		m.relayout()
	}
	return tea.Batch(m.showPreview(), m.ask(asking{answer: true}))
}

// closeAnswer closes the answer. Results that were held for it or are not final
// are asked for again.
func (m *model) closeAnswer() tea.Cmd {
	again := m.answer.outdated || m.search.answer && m.search.cancel != nil
	m.answer.drop()
	m.relayout()
	if again {
		return m.startSearch(true)
	}
	return m.showPreview()
}

// What stands below an answer that the person stopped.
const (
	stoppedNote    = "The writing was stopped; what is quoted stands."
	uncheckedNote  = "Stopped before it was checked; what is quoted stands."
	unfinishedNote = "The writing was stopped; this is not all of it."
)

// stopAnswer cancels an answer and keeps what stands of it, or closes it.
func (m *model) stopAnswer() tea.Cmd {
	stands, passages := m.answer.soFar(), m.answer.passages
	if stands == nil {
		return m.closeAnswer()
	}
	m.stopSearch(m.search.result)
	m.answer.finish(stands, passages)
	m.relayout()
	return m.showPreview()
}

// onAnswer shows the answer so far. It belongs to the final ranking, which
// arrives with its first part.
func (m *model) onAnswer(msg answerArrived) tea.Cmd {
	if msg.feed.generation != m.search.generation {
		return nil // typed over
	}
	if m.search.turn && m.conversation.writing() {
		m.conversation.grow(msg.found, msg.answer)
		m.machine.wrote(msg.answer)
		return tea.Tick(redrawEvery, func(time.Time) tea.Msg { return m.nextOf(msg.feed)() })
	}
	if !m.answer.open || m.answer.done {
		return nil // closed or complete
	}
	var cmd tea.Cmd
	if msg.found != nil {
		m.answer.passages = msg.found
		m.results.now = m.now()
		m.results.set(msg.found, m.results.moved)
		cmd = m.showPreview()
	}
	if msg.answer != nil {
		m.answer.grow(*msg.answer)
		m.machine.wrote(msg.answer)
		m.relayout()
	}
	return tea.Batch(cmd, tea.Tick(redrawEvery, func(time.Time) tea.Msg { return m.nextOf(msg.feed)() }))
}

// nextOf waits for news of an answer.
func (m *model) nextOf(feed *answerFeed) tea.Cmd {
	return func() tea.Msg {
		if _, ok := <-feed.news; !ok {
			return nil // the result has the rest
		}
		return feed.receive()
	}
}

// nextCitation goes to the next cited passage.
func (m *model) nextCitation() tea.Cmd {
	next, ok := m.answer.advance()
	if !ok {
		return nil
	}
	return m.cite(next)
}

// cite chooses a citation's passage and shows its lines in the preview, which
// opens unless the person closed it.
func (m *model) cite(to mark) tea.Cmd {
	if !m.results.chooseRank(to.n) {
		return nil
	}
	m.answer.reveal(to)
	if m.wish == previewAuto && m.layout.preview.empty() {
		m.wish = previewOn
		m.relayout()
	}
	cmd := m.showPreview()
	m.preview.cite(m.answer.linesOf(to))
	return cmd
}

// answerFeed carries a growing answer from the searching goroutine to the event
// loop. A newer state replaces one that was not drawn yet, so that neither side
// waits.
type answerFeed struct {
	generation int
	news       chan struct{} // filled while there is news

	mu     sync.Mutex
	found  []engine.Passage // cited by the answer; nil once taken
	answer *engine.Answer   // nil once taken
}

func newAnswerFeed(generation int) *answerFeed {
	return &answerFeed{generation: generation, news: make(chan struct{}, 1)}
}

// emit receives the search's events.
func (f *answerFeed) emit(e engine.Event) {
	if e.Found == nil && e.Answer == nil {
		return
	}
	f.mu.Lock()
	if e.Found != nil {
		f.found = e.Found
	}
	if e.Answer != nil {
		f.answer = e.Answer
	}
	f.mu.Unlock()
	select {
	case f.news <- struct{}{}:
	default: // pending already
	}
}

// close ends the feed with the search.
func (f *answerFeed) close() { close(f.news) }

func (f *answerFeed) receive() answerArrived {
	f.mu.Lock()
	defer f.mu.Unlock()
	arrived := answerArrived{f, f.found, f.answer}
	f.found, f.answer = nil, nil
	return arrived
}
