package tui

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"dowse/engine"
	"dowse/internal/child"
)

// place returns the chosen passage's cited lines if a citation chose it, or
// else its matched words.
func (m *model) place() (path string, line int, where engine.Where, ok bool) {
	if m.inConversation() {
		place, ok := m.conversation.selected()
		return place.passage.Path, place.line(), place.where, ok
	}
	passage, ok := m.results.selected()
	if cited := m.preview.cited.first; cited > passage.LineStart && cited <= passage.LineEnd {
		return passage.Path, cited, passage.On(cited), ok
	}
	return passage.Path, passage.LineStart, passage.Telling(), ok
}

// open opens the chosen passage: text in the editor, other formats in a viewer, and what is in a pack in the pager.
func (m *model) open() tea.Cmd {
	_, _, where, ok := m.place()
	switch {
	case !ok:
		return nil
	case where.Pack != "":
		return m.readForPager()
	case where.Extracted:
		return m.openViewer()
	}
	return m.openEditor()
}

// openViewer shows the chosen passage's file, or its message, attachment or
// member, in a program with its own window.
func (m *model) openViewer() tea.Cmd {
	path, _, where, ok := m.place()
	if !ok {
		return nil
	}
	if m.options.OpenPart == nil || !where.InFile() {
		return m.view(path, where)
	}
	open, ctx := m.options.OpenPart, m.ctx
	return func() tea.Msg {
		file, within, err := open(ctx, path, *where.Locator)
		return partOpened{path, where, file, within, err}
	}
}

// onPartOpened shows the copy of a part, or the whole file where there is none.
func (m *model) onPartOpened(msg partOpened) tea.Cmd {
	switch {
	case errors.Is(msg.err, engine.ErrNoPart):
		return m.view(msg.path, msg.where)
	case msg.err != nil:
		return m.notify(sanitize(msg.err.Error()), true)
	}
	return m.view(msg.file, msg.within)
}

// view opens a file in a viewer, at the page if it can.
func (m *model) view(path string, where engine.Where) tea.Cmd {
	command, err := chooseViewer(m.options, path, where.Page())
	if errors.Is(err, errNoViewer) {
		return m.readForPager()
	}
	if err != nil {
		return m.notify(err.Error()+"; "+keyFor(m.keys.copyPlace)+" copies the path", true)
	}
	args, there, err := viewerCommand(command, path, where.Page())
	if err != nil {
		return m.notify(err.Error(), true)
	}
	cmd, err := child.Attended(args[0], args[1:]...)
	if err != nil {
		return m.notify(fmt.Sprintf("viewer %s: %v; check $%s", args[0], err, viewerVariable), true)
	}
	said := "opened in " + filepath.Base(args[0])
	if where.Locator != nil && !there {
		said += "; what was found is on " + where.Locator.Label
	}
	return tea.Batch(m.notify(sanitize(said), false), func() tea.Msg {
		if err := cmd.Run(); err != nil { // when its window closes
			return viewerFailed{fmt.Errorf("viewer %s: %w; check $%s", filepath.Base(args[0]), err, viewerVariable)}
		}
		return nil
	})
}

// openEditor opens the chosen passage in the editor, which gets the terminal.
func (m *model) openEditor() tea.Cmd {
	path, line, _, ok := m.place()
	if !ok {
		return nil
	}
	command, err := chooseEditor(m.options)
	if err != nil {
		return m.notify(err.Error()+"; "+keyFor(m.keys.copyPlace)+" copies the place", true)
	}
	args, err := editorCommand(command, path, line)
	if err != nil {
		return m.notify(err.Error(), true)
	}
	failed := func(err error) error {
		return fmt.Errorf("editor %s: %w; check $VISUAL and $EDITOR", args[0], err)
	}
	cmd, err := child.Attended(args[0], args[1:]...)
	if err != nil {
		return m.notify(failed(err).Error(), true)
	}
	return tea.Exec(editorProcess{cmd, m.terminal, nil}, func(err error) tea.Msg {
		if err != nil {
			err = failed(err)
		}
		return editorDone{err}
	})
}

// whereText is drawn behind a path, in at most half of w cells, since names of
// messages and members may be long.
func whereText(where engine.Where, line, w int) string {
	return fit(sanitize(where.Behind(line)), w/2)
}

// placeText is path:line as one word of a shell that means the path itself, for
// pasting behind an editor's name.
func placeText(path string, line int) string { return pathText(path + ":" + strconv.Itoa(line)) }

// pathText is a path as one word of a shell.
func pathText(place string) string {
	switch {
	case !strings.ContainsFunc(place, needsQuotes):
		return place
	case runtime.GOOS == "windows": // names there have no quotation marks
		return `"` + place + `"`
	case strings.ContainsFunc(place, needsEscape) || !utf8.ValidString(place):
		return escapeQuoted(place)
	}
	return "'" + strings.ReplaceAll(place, "'", `'\''`) + "'"
}

// needsQuotes reports whether a shell may take r for more than a letter.
func needsQuotes(r rune) bool {
	return r == utf8.RuneError || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune(`_-./:+,@%=`, r) && (r != '\\' || runtime.GOOS != "windows")
}

// needsEscape reports whether r cannot be pasted: line ends, terminal controls,
// invisible characters.
func needsEscape(r rune) bool { return !unicode.IsPrint(r) }

// escapeQuoted quotes text by $'...' (POSIX.1-2024, and most shells before),
// with unprintable bytes in octal.
func escapeQuoted(text string) string {
	var b strings.Builder
	b.WriteString("$'")
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1 || needsEscape(r):
			for _, c := range []byte(text[i : i+size]) {
				fmt.Fprintf(&b, `\%03o`, c)
			}
		case r == '\'' || r == '\\':
			b.WriteString(`\` + string(r))
		default:
			b.WriteRune(r)
		}
		i += size
	}
	return b.String() + "'"
}
