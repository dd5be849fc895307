package tui

import (
	"context"
	"errors"
	"time"

	"dowse/engine"

	tea "github.com/charmbracelet/bubbletea"
)

// Update handles one message. It only changes state and starts commands.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		if m.width == 0 || m.height == 0 { // a terminal that does not know its size
			m.width, m.height = 80, 24
		}
		m.relayout()
		return m, m.showPreview()
	case tea.KeyMsg:
		cmd := m.onKey(msg)
		if keep := m.keepAsked(); keep != nil {
			cmd = tea.Batch(cmd, keep)
		}
		return m, cmd
	case tea.MouseMsg:
		return m, m.onMouse(msg)
	case searchDone:
		return m, m.onSearchDone(msg)
	case layersArrived:
		return m, m.onLayers(msg)
	case answerArrived:
		return m, m.onAnswer(msg)
	case refineDue:
		if msg.generation == m.search.generation {
			return m, m.askAgain(asking{keep: m.results.moved})
		}
	case searchSlow:
		if msg.generation == m.search.generation && m.search.cancel != nil {
			m.search.slow = true
		}
	case suggestionsFound:
		return m, m.onSuggestions(msg)
	case previewDone:
		m.onPreviewDone(msg)
	case statusDone:
		return m, m.onStatusDone(msg)
	case leftOutDone:
		m.onLeftOut(msg)
	case budgetDone:
		return m, m.onBudgetDone(msg)
	case statusDue:
		if m.showMachine && msg.serial == m.statusSerial {
			return m, tea.Batch(m.askStatus(), m.nextStatus())
		}
	case subscribed:
		return m, m.onSubscribed(msg)
	case subscribeDue:
		return m, m.subscribe()
	case happened:
		return m, m.onHappened(msg)
	case refreshDue:
		return m, m.onRefreshDue()
	case noticeOver:
		if msg.serial == m.notice.serial {
			m.notice.text = ""
		}
	default:
		return m, m.onDone(msg)
	}
	return m, nil
}

// onDone handles what commands that the person started have brought.
func (m *model) onDone(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case conversationsDone:
		return m.onConversationsDone(msg)
	case conversationDone:
		return m.onConversationDone(msg)
	case conversationNamed:
		return m.onConversationNamed(msg)
	case askedOn:
		return m.onAskedOn(msg)
	case conversationDeleted:
		return m.onConversationDeleted(msg)
	case foldersDone:
		m.onFoldersDone(msg)
	case folderChanged:
		return m.onFolderChanged(msg)
	case modelsDone:
		m.onModelsDone(msg)
	case modelPulled:
		return m.onModelPulled(msg)
	case modelChanged:
		return m.onModelChanged(msg)
	case focusDue:
		return m.onFocusDue(msg)
	case partOpened:
		return m.onPartOpened(msg)
	case viewerFailed:
		return m.notify(sanitize(msg.err.Error()), true)
	case pagerReady:
		return m.onPagerReady(msg)
	case queriesLoaded:
		return m.onQueriesLoaded(msg)
	case querySaved:
		return m.onQuerySaved(msg)
	case acted:
		if msg.err != nil {
			return m.notify(msg.err.Error(), true)
		}
		return m.notify(msg.said, false)
	case piped:
		return m.onPiped(msg)
	case tea.ResumeMsg:
		return m.resume()
	case editorDone:
		return m.onEditorDone(msg)
	case copied:
		if msg.err != nil {
			return m.notify(msg.err.Error(), true)
		}
		return m.notify("copied "+msg.what, false)
	}
	return nil
}

// onSearchDone handles an outcome, unless a newer search has begun.
func (m *model) onSearchDone(msg searchDone) tea.Cmd {
	if msg.generation != m.search.generation {
		return nil
	}
	if m.search.cancel != nil {
		m.search.cancel()
	}
	m.search.cancel, m.search.slow = nil, false
	if m.search.turn {
		return m.onTurnDone(msg)
	}
	if msg.err != nil {
		return tea.Batch(m.answered(msg.err), m.onSearchFailed(msg.err))
	}
	return tea.Batch(m.onResult(msg), m.answered(nil))
}

func (m *model) onSearchFailed(err error) tea.Cmd {
	if m.answer.open {
		m.answer.drop()
		m.relayout()
	}
	if errors.Is(err, context.Canceled) && m.ctx.Err() != nil {
		return nil
	}
	if (m.search.keep || m.search.refine) && len(m.results.passages) > 0 {
		return m.notify(err.Error(), true) // older results are better than nothing
	}
	if len(m.trail) > 0 {
		return tea.Batch(m.goBack(), m.notify(err.Error(), true))
	}
	m.search.err, m.search.result = err, nil
	m.results.set(nil, false)
	return m.showPreview()
}

func (m *model) onResult(msg searchDone) tea.Cmd {
	m.search.err, m.search.result = nil, msg.result
	m.machine.searched(&msg.result.Stats, msg.layers)
	// A passage chosen since the estimate is being read.
	m.results.now = m.now()
	m.results.set(msg.result.Passages, m.search.keep || m.search.refine && m.results.moved)
	if m.search.answer {
		m.answer.finish(msg.result.Answer, msg.result.Passages)
		m.machine.wrote(msg.result.Answer)
		m.relayout()
	}
	cmds := []tea.Cmd{m.showPreview(), m.reportProblem(&msg.result.Stats)}
	if !m.search.refine && msg.result.Stats.Estimated {
		cmds = append(cmds, tea.Tick(refineAfter, func(time.Time) tea.Msg { return refineDue{msg.generation} }))
	}
	return tea.Batch(cmds...)
}

// onPreviewDone shows a stretch of a file, unless another was requested since.
func (m *model) onPreviewDone(msg previewDone) {
	if msg.generation != m.look.generation {
		return
	}
	if m.look.cancel != nil {
		m.look.cancel()
		m.look.cancel = nil
	}
	if msg.err != nil {
		m.preview.fail(msg.err)
		return
	}
	m.preview.set(msg.preview, msg.lines)
}

func (m *model) onStatusDone(msg statusDone) tea.Cmd {
	if msg.err != nil {
		if m.ctx.Err() != nil || m.lost {
			return nil // reported already
		}
		return m.notify(msg.err.Error(), true)
	}
	first := m.status == nil
	m.status = msg.status
	m.machine.setStatus(msg.status, m.now())
	if m.names.set(msg.status.Roots) {
		m.results.forgetRows()
	}
	was := m.progress.active()
	if m.progress.last == nil && msg.status.Progress != nil {
		m.progress.set(msg.status.Progress, m.now())
	}
	m.progress.setChange(msg.status.Change)
	if was != m.progress.active() {
		m.relayout()
	}
	if first && m.options.Choose && len(msg.status.Roots) == 0 && len(m.held) == 0 && !m.help.open {
		return m.toggleFolders()
	}
	return nil
}

// onSubscribed starts to listen, or retries later. After a lost connection
// everything on the screen is refreshed.
func (m *model) onSubscribed(msg subscribed) tea.Cmd {
	if msg.err != nil {
		if m.ctx.Err() != nil {
			return nil
		}
		m.lost = true
		return tea.Tick(subscribeEvery, func(time.Time) tea.Msg { return subscribeDue{} })
	}
	cmds := []tea.Cmd{listen(msg.events, m.now)}
	if m.lost {
		m.lost = false
		cmds = append(cmds, m.askStatus(), m.refresh())
	}
	return tea.Batch(cmds...)
}

// onHappened handles the indexer's events.
func (m *model) onHappened(msg happened) tea.Cmd {
	var cmds []tea.Cmd
	if msg.progress != nil || msg.change != nil {
		was, wasIndexing := m.progress.active(), m.progress.indexing()
		if msg.progress != nil {
			m.progress.set(msg.progress, msg.at)
		}
		if msg.change != nil {
			m.progress.setChange(msg.change)
		}
		if was != m.progress.active() || wasIndexing != m.progress.indexing() {
			m.relayout()
			cmds = append(cmds, m.showPreview(), m.askStatus())
		}
	}
	for _, pools := range msg.memory {
		m.machine.rest(msg.at.Add(-sampleEvery))
		m.machine.sample(pools, msg.at)
	}
	if msg.problem != "" {
		cmds = append(cmds, m.notify(msg.problem, true))
	}
	if msg.changed && !m.refreshQueued {
		m.refreshQueued = true
		cmds = append(cmds, tea.Tick(refreshAfter, func(time.Time) tea.Msg { return refreshDue{} }))
	}
	switch {
	case !msg.closed:
		cmds = append(cmds, listen(msg.events, m.now))
	case m.ctx.Err() == nil:
		m.lost = true
		cmds = append(cmds, tea.Tick(subscribeEvery, func(time.Time) tea.Msg { return subscribeDue{} }))
	}
	return tea.Batch(cmds...)
}

// onRefreshDue asks the query again, after a running search.
func (m *model) onRefreshDue() tea.Cmd {
	if m.search.cancel != nil {
		return tea.Tick(refreshAfter, func(time.Time) tea.Msg { return refreshDue{} })
	}
	m.refreshQueued = false
	if m.query() == "" && !m.conversation.open() {
		return m.askStatus()
	}
	return tea.Batch(m.askStatus(), m.refresh())
}

// refresh asks the query again. Below an answer the results stay: its numbers
// mean them.
func (m *model) refresh() tea.Cmd {
	if m.conversation.open() {
		m.covered.expire()
		m.expireTrail()
		if m.inConversation() {
			return m.showPreview()
		}
		return m.askRelated(asking{keep: true})
	}
	if m.answer.open {
		m.answer.outdated = true
		return m.showPreview()
	}
	m.expireTrail()
	return m.askAgain(asking{keep: true})
}

// onEditorDone refreshes, because the file may have changed.
func (m *model) onEditorDone(msg editorDone) tea.Cmd {
	if msg.err != nil {
		return m.notify(msg.err.Error(), true)
	}
	m.preview.expired = true
	return m.refresh()
}

// best leaves the mode to the engine: words and meaning, reranked where a
// reranker is installed.
const best engine.Mode = ""

// cycleMode switches between both, words, and meaning.
func (m *model) cycleMode() tea.Cmd {
	switch m.mode {
	case best:
		m.mode = engine.Lexical
	case engine.Lexical:
		m.mode = engine.Vector
	default:
		m.mode = best
	}
	return tea.Batch(m.notify("ranked by "+modeName(m.mode), false), m.startSearch(false))
}

// modeName names a mode without jargon.
func modeName(mode engine.Mode) string {
	switch mode {
	case engine.Lexical:
		return "words"
	case engine.Vector:
		return "meaning"
	default:
		return "words and meaning"
	}
}
