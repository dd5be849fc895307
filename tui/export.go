package tui

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"dowse/engine"
	"dowse/internal/child"
)

const (
	exportPrompt = " file ❯ "
	pipePrompt   = " pipe ❯ "
)

// acted is the outcome of something done with passages.
type acted struct {
	said string
	err  error
}

// askExport asks for a file to write the passages into, as quotations.
func (m *model) askExport() tea.Cmd {
	passages := m.acting()
	if len(passages) == 0 {
		return m.notify("nothing is selected", false)
	}
	text := "# " + sanitize(m.query()) + "\n\n" + m.quotations(passages)
	home, ctx := m.options.Home, m.ctx
	return m.lendLine(exportPrompt, "a file to write them into", exportName(m.query()), errand{
		advice: "writes " + counted(len(passages), "quotation") + " into a file", does: "write",
		run: func(name string) tea.Cmd {
			return func() tea.Msg { return export(ctx, name, home, text) }
		},
	})
}

// exportName suggests a file for the results of a query.
func exportName(query string) string {
	words := strings.FieldsFunc(strings.ToLower(query), notWord)
	name := strings.Join(words[:min(len(words), 6)], "-")
	if name == "" {
		name = "passages"
	}
	return name + ".md"
}

// export writes a new file, and never over another one.
func export(ctx context.Context, name, home, text string) tea.Msg {
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		name = filepath.Join(home, rest)
	}
	path, err := filepath.Abs(name)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return acted{err: err}
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	switch {
	case errors.Is(err, fs.ErrExist):
		return acted{err: fmt.Errorf("there is a %s already; give another name", path)}
	case errors.Is(err, fs.ErrNotExist):
		return acted{err: fmt.Errorf("there is no folder %s; give another name", filepath.Dir(path))}
	case err != nil:
		return acted{err: fmt.Errorf("write the file: %w", err)}
	}
	_, err = file.WriteString(text)
	if err = errors.Join(err, file.Close()); err != nil {
		return acted{err: fmt.Errorf("write the file: %w", err)}
	}
	return acted{said: "written to " + path}
}

// askPipe asks for a command that gets the text of the passages.
func (m *model) askPipe() tea.Cmd {
	passages := m.acting()
	if len(passages) == 0 {
		return m.notify("nothing is selected", false)
	}
	return m.lendLine(pipePrompt, `a command, such as wc -w, or grep -c dns "$@"`, "", errand{
		advice: `gives it the text of ` + counted(len(passages), "passage") + `; "$@" are the files`, does: "run",
		run: func(command string) tea.Cmd { return m.pipe(command, passages) },
	})
}

// pipe runs a command of the person's shell and shows its output in the pager. Esc
// ends it.
func (m *model) pipe(command string, passages []engine.Passage) tea.Cmd {
	shell := m.options.Getenv("SHELL")
	if shell == "" {
		shell = "sh"
	}
	var texts, args []string
	for _, p := range passages {
		texts = append(texts, strings.TrimSpace(p.Text)+"\n")
	}
	args = append([]string{"-c", command, "dowse"}, paths(passages)...)
	ctx, cancel := context.WithCancel(m.ctx)
	m.piping = cancel
	return func() tea.Msg {
		defer cancel()
		out, err := child.Pipe(ctx, strings.Join(texts, "\n"), shell, args...)
		return piped{command, out, err}
	}
}

// piped is what a command of the person has written.
type piped struct {
	command string
	output  []byte
	err     error
}

// onPiped shows what a command has written.
func (m *model) onPiped(msg piped) tea.Cmd {
	m.piping = nil
	var text strings.Builder
	for line := range strings.Lines(string(msg.output)) {
		text.WriteString(sanitize(strings.TrimRight(line, "\r\n")) + "\n")
	}
	switch {
	case errors.Is(msg.err, context.Canceled):
		return m.notify(msg.command+" was ended", false)
	case msg.err != nil && text.Len() == 0:
		return m.notify(fmt.Sprintf("%s: %v", msg.command, msg.err), true)
	case text.Len() == 0:
		return m.notify(msg.command+" wrote nothing", false)
	}
	cmd := m.onPagerReady(pagerReady{text: text.String(), line: 1})
	if msg.err != nil {
		return tea.Batch(cmd, m.notify(fmt.Sprintf("%s: %v", msg.command, msg.err), true))
	}
	return cmd
}

// stopPipe ends the command that runs.
func (m *model) stopPipe() tea.Cmd {
	m.piping()
	return nil
}

// paths lists the files of passages, each once.
func paths(passages []engine.Passage) (list []string) {
	known := map[string]bool{}
	for _, p := range passages {
		if !known[p.Path] {
			known[p.Path] = true
			list = append(list, p.Path)
		}
	}
	return list
}

// reveal opens the folder of the chosen passage on the desktop.
func (m *model) reveal() tea.Cmd {
	path, _, _, ok := m.place()
	if !ok {
		return nil
	}
	args := revealCommand(m.options, path)
	if args == nil {
		return m.notify("no desktop here to show it on; the folder is "+filepath.Dir(path), false)
	}
	cmd, err := child.Attended(args[0], args[1:]...)
	if err != nil {
		return m.notify(fmt.Sprintf("%s: %v", args[0], err), true)
	}
	return tea.Batch(m.notify("opened "+filepath.Dir(path), false), func() tea.Msg {
		if err := cmd.Run(); err != nil && args[0] != "explorer" { // which always fails
			return viewerFailed{fmt.Errorf("%s: %w", args[0], err)}
		}
		return nil
	})
}
