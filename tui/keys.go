package tui

import (
	"dowse/engine"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// keyMap is every key of the program. The help is made from it, so that no key
// is undocumented.
type keyMap struct {
	up, down, pageUp, pageDown, first, last key.Binding
	open, copyPlace, copyText, copyCited    key.Binding
	pick, export, pipe, reveal              key.Binding
	related, fold, mode                     key.Binding
	answer, nextCitation, passage, askOn    key.Binding
	answerUp, answerDown                    key.Binding
	conversations, keep, rename, remove     key.Binding
	folders, pause, models                  key.Binding

	suggest key.Binding

	togglePreview, previewUp, previewDown key.Binding
	previewHalfUp, previewHalfDown        key.Binding
	previewPageUp, previewPageDown        key.Binding
	find, matchBefore, matchAfter         key.Binding
	wrapLines                             key.Binding
	clear, left, right, wordLeft          key.Binding
	wordRight, lineStart, lineEnd         key.Binding
	deleteBack, deleteForward             key.Binding
	deleteWord, deleteNextWord            key.Binding
	machine, explain                      key.Binding
	lower, raise, leftOut                 key.Binding
	help, question, escape, abort         key.Binding
	redraw, suspend, older, newer         key.Binding
	save, listSaved                       key.Binding
}

// bind makes a binding. Hints show its first key, the help all that is shown.
func bind(shown, does string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, does))
}

// defaultKeys follows fzf for the list, less and vim for the preview, readline
// for the line.
func defaultKeys() keyMap {
	return keyMap{
		up:        bind("↑ ctrl-k", "result before; on an empty line, query", "up", "ctrl+k"),
		down:      bind("↓ ctrl-j", "result after", "down", "ctrl+j"),
		pageUp:    bind("pgup", "a page up", "pgup"),
		pageDown:  bind("pgdn", "a page down", "pgdown"),
		first:     bind("home", "first result", "home", "ctrl+home"),
		last:      bind("end", "last result", "end", "ctrl+end"),
		open:      bind("enter", "open; in a conversation, ask", "enter"),
		copyPlace: bind("ctrl-y alt-y alt-c", "copy its path:line, text, quotation", "ctrl+y"),
		copyText:  bind("", "", "alt+y"),
		copyCited: bind("", "", "alt+c"),
		pick:      bind("ctrl-v insert", "select; keys act on all selected", "ctrl+v", "insert"),
		export:    bind("alt-e alt-|", "write to a file, give to a command", "alt+e"),
		pipe:      bind("", "", "alt+|", "alt+p"),
		reveal:    bind("alt-o", "open its folder", "alt+o"),
		related:   bind("alt-l F10", "passages like it; esc goes back", "f10", "alt+l"),
		fold:      bind("ctrl-x", "show or fold more of its file, copies", "ctrl+x"),
		mode:      bind("ctrl-t", "rank by both, words, or meaning", "ctrl+t"),

		answer:       bind("ctrl-r alt-enter", "answer the question, or close it", "ctrl+r", "alt+enter"),
		nextCitation: bind("shift-tab", "next passage that it cites", "shift+tab"),
		passage: bind("alt-1 … alt-9", "passage of that number",
			"alt+1", "alt+2", "alt+3", "alt+4", "alt+5", "alt+6", "alt+7", "alt+8", "alt+9"),

		answerUp:   bind("alt-k alt-j", "scroll a long one up, down", "alt+k"),
		answerDown: bind("", "", "alt+j"),
		askOn:      bind("alt-a", "ask on: the next question goes on", "alt+a"),

		conversations: bind("ctrl-g F3", "conversations: go on with one", "ctrl+g", "f3"),
		keep:          bind("ctrl-s F4", "keep the question as a conversation", "ctrl+s", "f4"),
		rename:        bind("alt-r F6", "in a list: another name", "f6", "alt+r"),
		remove:        bind("alt-x F8", "in a list: delete it", "f8", "alt+x"),

		folders: bind("alt-g F12", "folders: choose, add, erase", "alt+g", "f12"),
		pause:   bind("alt-u", "in their list: leave it alone, go on", "alt+u"),
		models:  bind("alt-i", "models: what fits; pull, use, delete", "alt+i"),

		togglePreview:   bind("tab", "show or hide it, or complete a filter", "tab"),
		previewUp:       bind("shift-↑ shift-↓", "scroll it by a line", "shift+up"),
		previewDown:     bind("", "", "shift+down"),
		previewHalfUp:   bind("ctrl-b ctrl-d", "half a page up, down", "ctrl+b"),
		previewHalfDown: bind("", "", "ctrl+d"),
		previewPageUp:   bind("alt-pgup alt-pgdn", "a page up, down", "alt+pgup", "ctrl+pgup"),
		previewPageDown: bind("", "", "alt+pgdown", "ctrl+pgdown"),
		find:            bind("ctrl-/ alt-/", "find a text in it, then n and N", "ctrl+_", "alt+/"),
		matchBefore:     bind("alt-↑ alt-↓", "matched passage before, after", "alt+up"),
		matchAfter:      bind("", "", "alt+down"),
		wrapLines:       bind("alt-w", "wrap long lines, or cut them", "alt+w"),

		suggest: bind("ctrl-space", "suggest filters; tab takes the next", "ctrl+@"),

		save:           bind("alt-s alt-h", "save the search, list saved: also @", "alt+s"),
		listSaved:      bind("", "", "alt+h"),
		older:          bind("ctrl-p ctrl-n", "query before, query after", "ctrl+p"),
		newer:          bind("", "", "ctrl+n"),
		clear:          bind("ctrl-u", "clear the line", "ctrl+u"),
		left:           bind("← →", "a letter left, right", "left"),
		right:          bind("", "", "right", "ctrl+f"),
		wordLeft:       bind("alt-←", "a word left", "alt+left", "ctrl+left", "alt+b"),
		wordRight:      bind("alt-→", "a word right", "alt+right", "ctrl+right", "alt+f"),
		lineStart:      bind("ctrl-a", "start of the line", "ctrl+a"),
		lineEnd:        bind("ctrl-e", "end of the line", "ctrl+e"),
		deleteBack:     bind("backspace", "delete the letter before", "backspace", "ctrl+h"),
		deleteForward:  bind("delete", "delete the letter after", "delete"),
		deleteWord:     bind("ctrl-w", "delete the word before", "ctrl+w", "alt+backspace"),
		deleteNextWord: bind("alt-d", "delete the word after", "alt+d", "alt+delete"),

		machine:  bind("ctrl-o F2, F9", "memory, stages; what is left out", "ctrl+o", "f2"),
		explain:  bind("alt-?", "in it: what each number means", "alt+?"),
		lower:    bind("alt-m F5, alt-n F7", "less memory for models, more", "f5", "alt+m"),
		raise:    bind("", "", "f7", "alt+n"),
		leftOut:  bind("", "", "f9"),
		help:     bind("F1 ?", "this help; ? on an empty line", "f1"),
		question: bind("", "", "?"),
		redraw:   bind("ctrl-l ctrl-z", "draw anew; to the shell, fg comes back", "ctrl+l"),
		suspend:  bind("", "", "ctrl+z"),
		escape:   bind("esc", "go back, close, clear, then quit", "esc"),
		abort:    bind("ctrl-c", "stop the writing, or quit", "ctrl+c"),
	}
}

type keyGroup struct {
	title    string
	bindings []key.Binding
}

// groups lists every binding once, in the order of the help. A binding without
// text shares the one before it.
func (k keyMap) groups() []keyGroup {
	return []keyGroup{
		{"Results", []key.Binding{k.up, k.down, k.pageUp, k.pageDown, k.first, k.last, k.open, k.copyPlace, k.copyText, k.copyCited, k.pick, k.export, k.pipe, k.reveal, k.related, k.fold, k.mode}},
		{"Answer", []key.Binding{k.answer, k.nextCitation, k.passage, k.answerUp, k.answerDown, k.askOn}},
		{"Conversations", []key.Binding{k.conversations, k.keep, k.rename, k.remove}},
		{"Folders and models", []key.Binding{k.folders, k.pause, k.models}},
		{"Preview", []key.Binding{k.togglePreview, k.previewUp, k.previewDown, k.previewHalfUp, k.previewHalfDown, k.previewPageUp, k.previewPageDown,
			k.find, k.matchBefore, k.matchAfter, k.wrapLines}},
		{"Query line", []key.Binding{k.suggest, k.save, k.listSaved, k.older, k.newer, k.clear, k.left, k.right, k.wordLeft, k.wordRight, k.lineStart, k.lineEnd,
			k.deleteBack, k.deleteForward, k.deleteWord, k.deleteNextWord}},
		{"Screen", []key.Binding{k.machine, k.explain, k.lower, k.raise, k.leftOut, k.help, k.question, k.redraw, k.suspend, k.escape, k.abort}},
	}
}

// moveTo returns where a key leads in a list of n rows, page of them in sight,
// possibly beyond its ends, and whether it moves.
func (k keyMap) moveTo(msg tea.KeyMsg, chosen, page, n int) (row int, moves bool) {
	switch {
	case key.Matches(msg, k.up):
		return chosen - 1, true
	case key.Matches(msg, k.down):
		return chosen + 1, true
	case key.Matches(msg, k.pageUp):
		return chosen - page, true
	case key.Matches(msg, k.pageDown):
		return chosen + page, true
	case key.Matches(msg, k.first):
		return 0, true
	case key.Matches(msg, k.last):
		return n - 1, true
	}
	return 0, false
}

// queryKeys gives the query line its keys and no others.
func (k keyMap) queryKeys() textinput.KeyMap {
	return textinput.KeyMap{
		CharacterForward:        k.right,
		CharacterBackward:       k.left,
		WordForward:             k.wordRight,
		WordBackward:            k.wordLeft,
		DeleteWordBackward:      k.deleteWord,
		DeleteWordForward:       k.deleteNextWord,
		DeleteCharacterBackward: k.deleteBack,
		DeleteCharacterForward:  k.deleteForward,
		LineStart:               k.lineStart,
		LineEnd:                 k.lineEnd,
	}
}

// Help texts without keys: the mouse, and how answers are marked.
var (
	mouseHelp = [][2]string{
		{"click", "choose a result"},
		{"double click", "open it"},
		{"click an answer", "choose what it cites"},
		{"click a hint", "do what its key does"},
		{"wheel", "scroll what is under it"},
		{"drag the divider", "give the preview more room, or less"},
		{"shift + drag", "select text (in most terminals)"},
	}
	answerHelp = [][2]string{
		{"[2]", "what passage 2 says"},
		{engine.DoubtMark, "not in the passages cited for it"},
		{"shaded, underlined", "guessed, and the model agreed"},
	}
)
