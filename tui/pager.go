package tui

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"dowse/internal/child"
)

// wholeFile is more lines than a file of text has.
const wholeFile = 1 << 30

// errNoPager says that the text of a file can be shown by nothing.
var errNoPager = errors.New("no program to read it with: set $PAGER, for example export PAGER=less, or $" + viewerVariable)

// readForPager reads the text of the chosen passage's file, where no program
// could open a window for the file itself.
func (m *model) readForPager() tea.Cmd {
	passage, ok := m.selected()
	if !ok {
		return nil
	}
	searcher, ctx := m.searcher, m.ctx
	return func() tea.Msg {
		data, err := searcher.Preview(ctx, passage, wholeFile, wholeFile)
		if err != nil {
			return pagerReady{err: err}
		}
		var text strings.Builder
		for _, line := range data.Lines {
			text.WriteString(sanitize(line) + "\n")
		}
		return pagerReady{text: text.String(), line: max(data.LineStart-data.FirstLine+1, 1)}
	}
}

// onPagerReady lends the terminal to the pager.
func (m *model) onPagerReady(msg pagerReady) tea.Cmd {
	if msg.err != nil {
		return m.notify(msg.err.Error(), true)
	}
	args, err := pagerCommand(m.options, msg.line)
	if err != nil {
		return m.notify(err.Error()+"; "+keyFor(m.keys.copyPlace)+" copies the path", true)
	}
	failed := func(err error) error {
		return fmt.Errorf("pager %s: %w; check $PAGER", args[0], err)
	}
	cmd, err := child.Attended(args[0], args[1:]...)
	if err != nil {
		return m.notify(failed(err).Error(), true)
	}
	return tea.Exec(editorProcess{cmd, m.terminal, &msg.text}, func(err error) tea.Msg {
		if err != nil {
			err = failed(err)
		}
		return editorDone{err}
	})
}

// pagerCommand returns the words of $PAGER, or of a pager that is installed,
// for a text that is read from line on.
func pagerCommand(o Options, line int) ([]string, error) {
	command := o.Getenv("PAGER")
	if strings.TrimSpace(command) == "" {
		for _, name := range []string{"less", "more"} {
			if _, err := o.LookPath(name); err == nil {
				command = name
				break
			}
		}
	}
	if command == "" {
		return nil, errNoPager
	}
	args, err := splitCommand(command)
	if err != nil {
		return nil, fmt.Errorf("%w; check $PAGER", err)
	}
	if slices.Contains([]string{"less", "more"}, filepath.Base(args[0])) {
		args = append(args, "+"+strconv.Itoa(line))
	}
	return args, nil
}

// resume takes the terminal again after a suspension.
func (m *model) resume() tea.Cmd {
	terminal := m.terminal
	return func() tea.Msg {
		if err := terminal.setWrap(false); err != nil {
			return viewerFailed{err}
		}
		return nil
	}
}
