package tui

import (
	"context"
	"strings"
	"time"

	"dowse/engine"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// model is the whole state and the only tea.Model. Its methods run on Bubble
// Tea's event loop; commands get copies.
type model struct {
	ctx      context.Context
	searcher Source
	options  Options
	terminal *terminal
	now      func() time.Time

	styles styles
	keys   keyMap
	wrong  []string // what of the settings is wrong
	names  *names

	width, height int
	wish          previewWish
	showMachine   bool
	layout        layout
	divided       divided
	dragging      bool // the divider is dragged

	input      textinput.Model
	mode       engine.Mode
	search     searchState
	look       previewState
	results    resultList
	trail      []step // steps from passage to passage; empty at the query's results
	answer     answerPane
	preview    previewPane
	progress   progressLine
	machine    machinePanel
	held       []heldLine // lines that were lent, the query first
	completion completion
	history    history
	saved      []engine.SavedQuery // by name
	hint       string              // on an empty line; "" teaches the query syntax
	proposed   bool                // what stands on the line is selected

	conversation conversationPane
	covered      covered // by the conversation
	list         conversationList
	folders      folderList
	models       modelList
	naming       naming
	finding      finding
	errand       errand
	piping       context.CancelFunc // of the command that runs, or nil

	help helpOverlay

	status        *engine.Status // newest; nil before the first
	statusSerial  int            // of the newest chain of statusDue
	lost          bool           // the index's owner does not answer
	complaint     string         // last problem reported
	refreshQueued bool           // a refreshDue is on its way
	notice        notice
	click         click
}

// searchState is the running search and the last outcome.
type searchState struct {
	generation int
	cancel     context.CancelFunc // of the running search, or nil
	slow       bool               // has run long enough to say so
	keep       bool               // a refresh: the chosen passage stays
	refine     bool               // improves an estimate
	answer     bool               // wants an answer
	turn       bool               // is a conversation's question
	result     *engine.Result     // of the present query; nil before it
	err        error
}

type previewState struct {
	generation int
	cancel     context.CancelFunc
}

// click is the last click, to tell double clicks.
type click struct {
	index int
	at    time.Time
}

// notice is one line that disappears by itself.
type notice struct {
	text    string
	problem bool
	serial  int
}

func newModel(ctx context.Context, searcher Source, options Options, t *terminal) *model {
	s, keys := newStyles(options), defaultKeys()
	wrong := keys.rebind(options.Keys)
	called := &names{home: options.Home}
	m := &model{
		ctx:          ctx,
		searcher:     searcher,
		options:      options,
		terminal:     t,
		now:          time.Now,
		styles:       s,
		keys:         keys,
		wrong:        wrong,
		names:        called,
		mode:         best,
		input:        newInput(s, keys),
		results:      newResultList(s, called),
		answer:       answerPane{prose: prose{styles: s}},
		preview:      previewPane{styles: s, names: called},
		progress:     progressLine{styles: s, names: called},
		machine:      newMachinePanel(s, keys),
		list:         conversationList{styles: s, keys: keys},
		folders:      folderList{styles: s, keys: keys, home: options.Home, chooser: chooser{rows: folderRow}},
		models:       modelList{styles: s, chooser: chooser{rows: modelRow}},
		conversation: newConversationPane(s, called),
		completion:   completion{styles: s},
		help:         helpOverlay{styles: s, keys: keys, version: options.Version},
	}
	m.input.ShowSuggestions = options.Getenv("TERM") != "dumb" // there a suggestion would look typed
	m.input.SetValue(sanitize(options.Query))
	m.input.CursorEnd()
	return m
}

// newInput returns the query line. Its cursor does not blink: that would send
// two frames a second over slow connections.
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
	var told tea.Cmd
	if len(m.wrong) > 0 {
		told = m.notify(strings.Join(m.wrong, " · "), true)
	}
	return tea.Batch(told, m.askStatus(), m.subscribe(), m.loadQueries(), m.startSearch(false))
}

// relayout divides the screen again after a change of the layout's inputs.
func (m *model) relayout() {
	m.layout = computeLayout(m.width, m.height, wishes{
		preview:  m.previewWish(),
		machine:  m.showMachine,
		progress: m.progress.active(),
		answer:   m.answer.height(m.width),
		trail:    len(m.trail) > 0,
		divided:  m.divided,
	})
	m.answer.setArea(m.layout.answer)
	if m.layout.list != m.results.area {
		m.results.setArea(m.layout.list)
	}
	m.conversation.setArea(m.layout.list)
	m.list.setArea(m.layout.body)
	m.folders.setArea(m.layout.body)
	m.models.setArea(m.layout.body)
	m.preview.setArea(m.layout.preview)
	m.help.setArea(m.layout.body)
	m.input.Width = max(m.width-width(m.input.Prompt)-2, 1)
	if m.input.Placeholder = m.hint; m.hint == "" {
		m.input.Placeholder = placeholder(m.input.Width)
	}
	m.input.SetCursor(m.input.Position()) // scrolls to the cursor
}

// previewWish returns the wish in force. In a conversation there is no preview
// until a place is chosen.
func (m *model) previewWish() previewWish {
	if _, ok := m.conversation.selected(); m.inConversation() && !ok && m.wish == previewAuto {
		return previewOff
	}
	return m.wish
}

// notify shows a notice for a few seconds.
func (m *model) notify(text string, problem bool) tea.Cmd {
	m.notice = notice{text: sanitize(text), problem: problem, serial: m.notice.serial + 1}
	serial := m.notice.serial
	return tea.Tick(noticeTime, func(time.Time) tea.Msg { return noticeOver{serial} })
}
