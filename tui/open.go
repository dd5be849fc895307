package tui

import (
	"errors"
	"fmt"
	"path/filepath"

	"dowse/engine"
	"dowse/internal/child"

	tea "github.com/charmbracelet/bubbletea"
)

// place returns where the matched words of the chosen passage are, or, if it was chosen by a
// citation, what is cited of it.
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
// passage, or the message, attachment or member that it is in.
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

// onPartOpened shows the copy of a part, or the file itself where there is none.
func (m *model) onPartOpened(msg partOpened) tea.Cmd {
	switch {
	case errors.Is(msg.err, engine.ErrNoPart):
		return m.view(msg.path, msg.where)
	case msg.err != nil:
		return m.say(sanitize(msg.err.Error()), true)
	}
	return m.view(msg.file, msg.within)
}

// view has a program show a file, at the page if the program can go there.
func (m *model) view(path string, where engine.Where) tea.Cmd {
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
