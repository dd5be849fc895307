package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// toggleAnswer asks for an answer to the query, or closes the one in sight. One
// from before the files changed is asked for again.
func (m *model) toggleAnswer() tea.Cmd {
	switch {
	case m.query() == "":
		return m.say("type a question first", false)
	case m.answer.open && !m.answer.outdated:
		return m.closeAnswer()
	}
	m.answer.begin()
	m.relayout()
	if m.layout.answer.empty() && m.showMachine { // the answer was asked for last
		m.showMachine = false
		m.relayout()
	}
	return tea.Batch(m.showPreview(), m.ask(asking{answer: true}))
}

// closeAnswer takes the answer away. The results stay, unless they were kept
// for its sake although the index has changed, or are not final yet.
func (m *model) closeAnswer() tea.Cmd {
	again := m.answer.outdated || m.search.answer && m.search.cancel != nil
	m.answer.drop()
	m.relayout()
	if again {
		return m.startSearch(true)
	}
	return m.showPreview()
}

// onAnswer shows what is known of the answer by now. It belongs to the final
// ranking, which comes with the first of it.
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
		return nil // closed, or complete already
	}
	var cmd tea.Cmd
	if msg.found != nil {
		m.answer.passages = msg.found
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
			return nil // the rest is in the result
		}
		return feed.take()
	}
}

// nextCitation goes to the next passage that the answer cites.
func (m *model) nextCitation() tea.Cmd {
	next, ok := m.answer.advance()
	if !ok {
		return nil
	}
	return m.cite(next)
}

// cite chooses the passage of a citation and brings the lines that it is about
// into the preview, which is opened unless the person closed it.
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
