package tui

import (
	"context"
	"time"

	"dowse/engine"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// model is the whole state of the screen, and the only tea.Model. Its methods
// run on Bubble Tea's one event loop; commands get copies of what they need.
type model struct {
	ctx      context.Context
	searcher Source
	options  Options
	terminal *terminal
	now      func() time.Time

	styles styles
	keys   keyMap

	width, height int
	wish          previewWish
	showMachine   bool
	layout        layout

	input      textinput.Model
	mode       engine.Mode
	search     searchState
	look       previewState
	results    resultList
	trail      []step // from passage to passage, empty at the results of the query
	answer     answerPane
	preview    previewPane
	progress   progressLine
	machine    machinePanel
	held       []heldLine // that the query line is lent from, the query's first
	completion completion
	hint       string // on the line while nothing is typed; "" teaches queries

	conversation conversationPane
	covered      covered // by the conversation
	list         conversationList
	naming       naming

	help helpOverlay

	status        *engine.Status // newest; nil before the first
	statusSerial  int            // of the newest chain of statusDue
	lost          bool           // the owner of the index does not answer
	complaint     string         // of a search, told already
	refreshQueued bool           // a refreshDue is on its way
	notice        notice
	click         click
}

// searchState is the search under way and the outcome of the last.
type searchState struct {
	generation int
	cancel     context.CancelFunc // of the one under way; nil when none is
	slow       bool               // it has run long enough to say so
	keep       bool               // it refreshes: keep the chosen passage
	refine     bool               // it betters what is shown
	answer     bool               // the person wants an answer of it
	turn       bool               // it is a question of the conversation
	result     *engine.Result     // of the present query; nil before it
	err        error
}

// previewState is the preview under way.
type previewState struct {
	generation int
	cancel     context.CancelFunc
}

// click is the last click on a result, to tell a double one.
type click struct {
	index int
	at    time.Time
}

// notice is one line for the person that goes away by itself.
type notice struct {
	text    string
	problem bool
	serial  int
}

func newModel(ctx context.Context, searcher Source, options Options, t *terminal) *model {
	s, keys := newStyles(options.Output, options.NoColor, options.Getenv), defaultKeys()
	m := &model{
		ctx:          ctx,
		searcher:     searcher,
		options:      options,
		terminal:     t,
		now:          time.Now,
		styles:       s,
		keys:         keys,
		mode:         best,
		input:        newInput(s, keys),
		results:      newResultList(s, options.Home),
		answer:       answerPane{prose: prose{styles: s}},
		preview:      previewPane{styles: s, home: options.Home},
		progress:     progressLine{styles: s, home: options.Home},
		machine:      newMachinePanel(s),
		list:         conversationList{styles: s},
		conversation: newConversationPane(s, options.Home),
		completion:   completion{styles: s},
		help:         helpOverlay{styles: s, keys: keys, version: options.Version},
	}
	m.input.ShowSuggestions = options.Getenv("TERM") != "dumb" // there it would look as if typed
	m.input.SetValue(sanitize(options.Query))
	m.input.CursorEnd()
	return m
}

// newInput returns the query line. Its cursor does not blink: a blinking one sends
// a frame twice a second over a connection that may be slow.
func newInput(s styles, keys keyMap) textinput.Model {
	in := textinput.New()
	in.Prompt = searchPrompt
	in.PromptStyle, in.TextStyle, in.PlaceholderStyle = s.prompt, s.query, s.placeholder
	in.Cursor.Style = s.cursor
	in.Cursor.TextStyle = s.query
	in.Cursor.SetMode(cursor.CursorStatic)
	in.KeyMap = keys.queryKeys()
	in.CompletionStyle = s.placeholder
	in.Focus()
	return in
}

// Init asks for the status, for events, and for the first query.
func (m *model) Init() tea.Cmd {
	return tea.Batch(m.askStatus(), m.subscribe(), m.startSearch(false))
}

// relayout divides the screen anew after anything that the layout depends on.
func (m *model) relayout() {
	m.layout = computeLayout(m.width, m.height, wishes{
		preview:  m.previewWish(),
		machine:  m.showMachine,
		progress: m.progress.active(),
		answer:   m.answer.height(m.width),
		trail:    len(m.trail) > 0,
	})
	m.answer.setArea(m.layout.answer)
	if m.layout.list != m.results.area {
		m.results.setArea(m.layout.list)
	}
	m.conversation.setArea(m.layout.list)
	m.list.setArea(m.layout.body)
	m.preview.setArea(m.layout.preview)
	m.help.setArea(m.layout.body)
	m.input.Width = max(m.width-width(m.input.Prompt)-2, 1)
	if m.input.Placeholder = m.hint; m.hint == "" {
		m.input.Placeholder = placeholder(m.input.Width)
	}
	m.input.SetCursor(m.input.Position()) // makes it scroll to the cursor
}

// previewWish returns what the person said about the preview. In a conversation there is
// none of its own accord until a place is chosen: there is more to read.
func (m *model) previewWish() previewWish {
	if _, ok := m.conversation.selected(); m.inConversation() && !ok && m.wish == previewAuto {
		return previewOff
	}
	return m.wish
}

// say shows a notice for a few seconds.
func (m *model) say(text string, problem bool) tea.Cmd {
	m.notice = notice{text: sanitize(text), problem: problem, serial: m.notice.serial + 1}
	serial := m.notice.serial
	return tea.Tick(noticeTime, func(time.Time) tea.Msg { return noticeOver{serial} })
}
