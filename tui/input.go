package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"dowse/engine"
)

// onKey handles a key: first global ones, then the help's, the list's, the
// preview's, and last the query line's. Letters that came in one read are text
// even where they spell the name of a key: as pasted ones they match no
// binding.
func (m *model) onKey(msg tea.KeyMsg) tea.Cmd {
	if len(msg.Runes) > 1 {
		msg.Paste = true
	}
	switch {
	case key.Matches(msg, m.keys.abort):
		return m.abort()
	case m.showMachine && (key.Matches(msg, m.keys.explain) || !m.help.open && m.asksForHelp(msg)):
		m.toggleExplained()
		return nil
	case key.Matches(msg, m.keys.help), m.asksForHelp(msg):
		m.help.toggle()
		return nil
	case key.Matches(msg, m.keys.leftOut):
		return m.toggleLeftOut()
	case key.Matches(msg, m.keys.escape):
		return m.escape()
	case key.Matches(msg, m.keys.redraw):
		return tea.ClearScreen
	case key.Matches(msg, m.keys.suspend):
		return m.terminal.suspend
	case key.Matches(msg, m.keys.machine):
		return m.toggleMachine()
	case key.Matches(msg, m.keys.lower):
		return m.changeBudget(engine.LowerBudget)
	case key.Matches(msg, m.keys.raise):
		return m.changeBudget(engine.RaiseBudget)
	}
	if m.help.open && m.helpKey(msg) {
		return nil
	}
	switch {
	case m.naming.open:
		return m.namingKey(msg)
	case m.finding.open:
		return m.findingKey(msg)
	case m.errand.open():
		return m.errandKey(msg)
	case key.Matches(msg, m.keys.folders) && !m.list.open && !m.models.open:
		return m.toggleFolders()
	case key.Matches(msg, m.keys.models) && !m.list.open && !m.folders.open:
		return m.toggleModels()
	case m.models.open:
		return m.modelListKey(msg)
	case m.folders.open:
		return m.folderListKey(msg)
	case key.Matches(msg, m.keys.conversations):
		return m.toggleConversations()
	case m.list.open:
		return m.conversationListKey(msg)
	case key.Matches(msg, m.keys.keep):
		return m.keepAsConversation()
	}
	if cmd, taken := m.savedKey(msg); taken {
		return cmd
	}
	if cmd, taken := m.completionKey(msg); taken {
		return cmd
	}
	if cmd, taken := m.historyKey(msg); taken {
		return cmd
	}
	cmd, taken := m.bodyKey(msg)
	if !taken {
		cmd, taken = m.previewKey(msg)
	}
	if taken {
		m.leaveSuggestions()
		return cmd
	}
	return m.edit(msg)
}

// bodyKey handles the keys of the part in sight.
func (m *model) bodyKey(msg tea.KeyMsg) (cmd tea.Cmd, taken bool) {
	switch {
	case m.inConversation():
		return m.conversationKey(msg)
	case m.conversation.open() && key.Matches(msg, m.keys.answer):
		return m.askTurn(), true
	case m.conversation.open() && key.Matches(msg, m.keys.mode, m.keys.nextCitation, m.keys.passage, m.keys.askOn):
		return nil, true // they are about a query
	}
	if cmd, taken := m.listKey(msg); taken {
		return cmd, taken
	}
	return m.answerKey(msg)
}

// asksForHelp reports whether msg is a ? outside a query.
func (m *model) asksForHelp(msg tea.KeyMsg) bool {
	return key.Matches(msg, m.keys.question) && !msg.Paste && (m.input.Value() == "" || m.help.open)
}

// escape closes the topmost thing: help, name or list of conversations,
// suggestions, panel, step of the trail, conversation, answer, query, program.
func (m *model) escape() tea.Cmd {
	switch {
	case m.help.open:
		m.help.toggle()
		return nil
	case m.naming.open:
		return m.stopNaming()
	case m.finding.open:
		return m.stopFinding()
	case m.errand.open():
		return m.stopErrand()
	case m.piping != nil:
		return m.stopPipe()
	case m.list.asking:
		m.list.asking = false
		return nil
	case m.list.open:
		return m.closeConversations()
	case m.folders.asking:
		m.folders.asking = false
		return nil
	case m.folders.open:
		return m.closeFolders()
	case m.models.asking:
		m.models.asking = false
		return nil
	case m.models.open:
		return m.closeModels()
	case m.listsSuggestions():
		m.hideSuggestions()
		return nil
	case m.showMachine:
		return m.toggleMachine()
	case len(m.trail) > 0:
		return m.goBack()
	case m.conversation.open():
		return m.escapeConversation()
	case m.answer.running():
		return m.stopAnswer()
	case m.answer.open:
		return m.closeAnswer()
	case len(m.results.picks.passages) > 0:
		return m.dropPicks()
	case m.input.Value() != "":
		return m.setLine("")
	default:
		return m.quit()
	}
}

// abort stops an answer that is being written, or quits.
func (m *model) abort() tea.Cmd {
	switch {
	case m.models.open && m.models.pulling != "":
		return m.stopPull()
	case m.inConversation() && m.conversation.writing():
		return m.stopTurn()
	case m.answer.running() && len(m.held) == 0:
		return m.stopAnswer()
	}
	return m.quit()
}

func (m *model) toggleMachine() tea.Cmd {
	m.showMachine = !m.showMachine
	m.relayout()
	if m.showMachine {
		return tea.Batch(m.showPreview(), m.watchStatus())
	}
	return m.showPreview()
}

// helpKey scrolls the open help. Other keys close it and then do what they
// always do.
func (m *model) helpKey(msg tea.KeyMsg) bool {
	page := max(m.help.area.h-1, 1)
	switch {
	case key.Matches(msg, m.keys.up):
		m.help.scroll(-1)
	case key.Matches(msg, m.keys.down):
		m.help.scroll(1)
	case key.Matches(msg, m.keys.pageUp):
		m.help.scroll(-page)
	case key.Matches(msg, m.keys.pageDown):
		m.help.scroll(page)
	default:
		m.help.toggle()
		return false
	}
	return true
}

// listKey moves in the list and acts on the chosen passage.
func (m *model) listKey(msg tea.KeyMsg) (cmd tea.Cmd, taken bool) {
	list := &m.results
	if to, moves := m.keys.moveTo(msg, list.chosen, list.perPage(), len(list.passages)); moves {
		list.choose(to)
		return m.showPreview(), true
	}
	switch {
	case key.Matches(msg, m.keys.open):
		return m.open(), true
	case key.Matches(msg, m.keys.copyPlace, m.keys.copyText, m.keys.copyCited):
		return m.copyChosen(msg), true
	case key.Matches(msg, m.keys.fold):
		if !list.fold() {
			return m.notify("the list has nothing more of this file, and nothing that says the same", false), true
		}
	case key.Matches(msg, m.keys.pick):
		return m.pick(), true
	case key.Matches(msg, m.keys.related):
		return m.followChosen(), true
	case key.Matches(msg, m.keys.mode):
		return m.cycleMode(), true
	default:
		return nil, false
	}
	return m.showPreview(), true
}

// answerKey asks for an answer and visits its citations.
func (m *model) answerKey(msg tea.KeyMsg) (cmd tea.Cmd, taken bool) {
	switch {
	case key.Matches(msg, m.keys.answer):
		return m.toggleAnswer(), true
	case key.Matches(msg, m.keys.answerUp):
		m.answer.page(-1)
	case key.Matches(msg, m.keys.answerDown):
		m.answer.page(1)
	case key.Matches(msg, m.keys.askOn):
		return m.askOn(), true
	case key.Matches(msg, m.keys.nextCitation):
		return m.nextCitation(), true
	case key.Matches(msg, m.keys.passage):
		return m.cite(mark{n: int(msg.Runes[0] - '0')}), true
	default:
		return nil, false
	}
	return nil, true
}

func (m *model) previewKey(msg tea.KeyMsg) (cmd tea.Cmd, taken bool) {
	half, page := max(m.layout.preview.h/2, 1), max(m.preview.rowsInSight()-1, 1)
	switch {
	case key.Matches(msg, m.keys.togglePreview):
		return m.togglePreview(), true
	case key.Matches(msg, m.keys.save):
		return m.saveQuery(), true
	case key.Matches(msg, m.keys.export):
		return m.askExport(), true
	case key.Matches(msg, m.keys.pipe):
		return m.askPipe(), true
	case key.Matches(msg, m.keys.reveal):
		return m.reveal(), true
	case key.Matches(msg, m.keys.wrapLines):
		m.preview.toggleWrap()
		return nil, true
	case key.Matches(msg, m.keys.previewUp):
		return m.scrollPreview(-1), true
	case key.Matches(msg, m.keys.previewDown):
		return m.scrollPreview(1), true
	case key.Matches(msg, m.keys.previewHalfUp):
		return m.scrollPreview(-half), true
	case key.Matches(msg, m.keys.previewHalfDown):
		return m.scrollPreview(half), true
	case key.Matches(msg, m.keys.previewPageUp):
		return m.scrollPreview(-page), true
	case key.Matches(msg, m.keys.previewPageDown):
		return m.scrollPreview(page), true
	case key.Matches(msg, m.keys.find) && !m.finding.open:
		return m.startFinding(), true
	case key.Matches(msg, m.keys.matchBefore) && !m.inConversation():
		return m.nextMatched(-1), true
	case key.Matches(msg, m.keys.matchAfter) && !m.inConversation():
		return m.nextMatched(1), true
	}
	return nil, false
}

func (m *model) togglePreview() tea.Cmd {
	m.wish = previewOn
	if !m.layout.preview.empty() {
		m.wish = previewOff
	}
	m.relayout()
	if m.wish == previewOn && m.layout.preview.empty() {
		return m.notify("no room for the preview", false)
	}
	return m.showPreview()
}

// scrollPreview scrolls the preview, and reads more of the file at its edges.
func (m *model) scrollPreview(n int) tea.Cmd {
	if !m.preview.scroll(n) || m.look.cancel != nil {
		return nil
	}
	m.preview.reach *= 4
	return m.askPreview()
}

// edit gives a key to the query line and searches if the line changed.
func (m *model) edit(msg tea.KeyMsg) tea.Cmd {
	if key.Matches(msg, m.keys.clear) {
		m.propose(false)
		return m.setLine("")
	}
	if msg.Type == tea.KeyRunes {
		msg.Runes = []rune(flattenMarked(string(msg.Runes), nil).text)
		if string(msg.Runes) == "" {
			return nil
		}
	}
	before, text, at := m.line(), m.input.Value(), m.input.Position()
	m.typeOver(msg)
	var cmd tea.Cmd
	if key.Matches(msg, m.keys.deleteNextWord) {
		m.deleteNextWord()
	} else {
		m.input, cmd = m.input.Update(msg)
	}
	m.notice.text = ""
	if m.input.Value() != text || m.input.Position() != at {
		cmd = tea.Batch(cmd, m.suggest(false))
	}
	if m.line() == before {
		return cmd
	}
	return tea.Batch(cmd, m.typed(before))
}

// typed reacts to a changed line: a query is searched for; typing in a
// conversation preloads it.
func (m *model) typed(before string) tea.Cmd {
	switch {
	case len(m.held) == 0:
		return m.startSearch(false)
	case before == "" && m.inConversation() && len(m.held) == 1:
		return m.focus(m.conversation.name)
	}
	return nil
}

// setLine replaces the line. A query that goes is remembered.
func (m *model) setLine(text string) tea.Cmd {
	if len(m.held) == 0 && text == "" {
		m.history.add(m.line())
	}
	m.input.SetValue(text)
	m.input.CursorEnd()
	m.dropSuggestions()
	m.notice.text = ""
	if len(m.held) == 0 {
		return m.startSearch(false)
	}
	return nil
}
