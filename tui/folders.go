package tui

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"dowse/engine"
	"dowse/internal/fold"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

const foldersPrompt = " folders ❯ "

// foldersDone brings the folders of a request.
type foldersDone struct {
	serial int
	all    []engine.Folder
	err    error
}

// folderChanged brings what a change did.
type folderChanged struct {
	said string
	err  error
}

// toggleFolders opens or closes the list of folders.
func (m *model) toggleFolders() tea.Cmd {
	if m.folders.open {
		return m.closeFolders()
	}
	m.folders.open, m.folders.loading, m.folders.problem = true, m.folders.all == nil, ""
	m.folders.find("")
	m.borrowLine(foldersPrompt, "type to find one, or a path to index", "")
	return m.listFolders()
}

// closeFolders closes the list and restores what it covered.
func (m *model) closeFolders() tea.Cmd {
	m.folders.open, m.folders.asking = false, false
	m.returnLine()
	return m.showPreview()
}

func (m *model) listFolders() tea.Cmd {
	m.folders.serial++
	searcher, parent, serial := m.searcher, m.ctx, m.folders.serial
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, statusPatience)
		defer cancel()
		all, err := searcher.Folders(ctx)
		return foldersDone{serial, all, err}
	}
}

func (m *model) onFoldersDone(msg foldersDone) {
	switch {
	case msg.serial != m.folders.serial:
	case msg.err != nil:
		m.folders.all, m.folders.loading, m.folders.problem = nil, false, sanitize(msg.err.Error())
		m.folders.find(m.folders.filter)
	default:
		m.folders.set(msg.all, m.now())
	}
}

// folderListKey handles the list's keys; the rest edits the filter.
func (m *model) folderListKey(msg tea.KeyMsg) tea.Cmd {
	l := &m.folders
	if l.asking {
		l.asking = false
		if f, ok := l.selected(); ok && string(msg.Runes) == "y" && !msg.Paste {
			m.input.SetValue("") // what is typed found the one that goes
			l.filter = ""
			return m.changeFolder("erasing "+f.Name, f.Name+" is erased from the index", engine.FolderChange{Action: engine.RemoveFolder, Folder: f.Path})
		}
		return nil
	}
	if to, moves := m.keys.moveTo(msg, l.chosen, l.perPage(), l.entries()); moves {
		l.choose(to)
		return nil
	}
	chosen, ok := l.selected()
	switch {
	case key.Matches(msg, m.keys.open):
		return m.useFolder()
	case key.Matches(msg, m.keys.rename) && ok:
		return m.renameFolder(chosen)
	case key.Matches(msg, m.keys.remove) && ok:
		l.asking = l.doing == ""
		return nil
	case key.Matches(msg, m.keys.pause) && ok:
		if chosen.State == engine.Paused {
			return m.changeFolder("looking at "+chosen.Name, chosen.Name+" is looked at again", engine.FolderChange{Action: engine.ResumeFolder, Folder: chosen.Path})
		}
		return m.changeFolder("pausing "+chosen.Name, chosen.Name+" is left alone; the same key goes on", engine.FolderChange{Action: engine.PauseFolder, Folder: chosen.Path})
	case key.Matches(msg, m.keys.togglePreview):
		if path, typed := l.typed(); typed {
			m.input.SetValue(completeFolder(path, m.options.Home))
			m.input.CursorEnd()
		}
	default:
		cmd := m.edit(msg)
		if m.line() != l.filter {
			l.find(m.line())
		}
		return cmd
	}
	l.find(m.line())
	return nil
}

// useFolder searches the chosen folder, or adds the one whose path is typed.
func (m *model) useFolder() tea.Cmd {
	if f, ok := m.folders.selected(); ok {
		back := m.closeFolders()
		if m.searched()[fold.String(f.Name)] {
			return back
		}
		return tea.Batch(back, m.setLine(toggleFolder(m.query(), f.Name)))
	}
	path, ok := m.folders.adds()
	if !ok {
		return nil
	}
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return m.notify("there is no folder "+shortenPath(path, m.options.Home, 40)+"; "+keyFor(m.keys.togglePreview)+" completes a path", true)
	}
	m.input.SetValue("")
	m.folders.find("")
	return m.changeFolder("indexing "+shortenPath(path, m.options.Home, 40), shortenPath(path, m.options.Home, 40)+" is indexed",
		engine.FolderChange{Action: engine.AddFolder, Folder: path})
}

// renameFolder asks for another name.
func (m *model) renameFolder(f engine.Folder) tea.Cmd {
	return m.lendLine(namePrompt, "what the folder is called", sanitize(f.Name), errand{
		advice: "another name for " + sanitize(f.Name), does: "name it",
		run: func(name string) tea.Cmd {
			return m.changeFolder("renaming "+f.Name, f.Path+" is called "+name,
				engine.FolderChange{Action: engine.RenameFolder, Folder: f.Path, To: name})
		},
	})
}

// changeFolder makes a change and says what came of it. One change is made at a time; leaving the program ends it, and
// what is in the index by then stays.
func (m *model) changeFolder(doing, said string, change engine.FolderChange) tea.Cmd {
	if m.folders.doing != "" {
		return m.notify(m.folders.doing+" goes on; wait for it", false)
	}
	m.folders.doing = sanitize(doing)
	searcher, ctx := m.searcher, m.ctx
	return func() tea.Msg {
		report, err := searcher.ChangeFolder(ctx, change, func(engine.Event) {})
		if err == nil && report.Index != nil {
			said += ": " + counted(report.Index.Files, "file") + ", " + counted(report.Index.Chunks, "passage")
		}
		if err == nil && len(report.Conversations) > 0 {
			quote := " still quote it"
			if len(report.Conversations) == 1 {
				quote = " still quotes it"
			}
			said += "; " + counted(len(report.Conversations), "conversation") + quote
		}
		return folderChanged{said, err}
	}
}

func (m *model) onFolderChanged(msg folderChanged) tea.Cmd {
	m.folders.doing = ""
	told := m.notify(msg.said, false)
	if msg.err != nil {
		told = m.notify(msg.err.Error(), true)
	}
	return tea.Batch(told, m.listFolders(), m.askStatus())
}

// clickFolder chooses a folder; a second click uses it.
func (m *model) clickFolder(y int) tea.Cmd {
	index, ok := m.folders.at(y)
	if !ok {
		return nil
	}
	again := m.isDoubleClick(index)
	m.folders.choose(index)
	if again {
		return m.useFolder()
	}
	return nil
}

func (m *model) folderHints(help hint) []hint {
	l := &m.folders
	back := fixed("esc", "back", 4)
	if l.asking {
		return []hint{fixed("y", "erase", 5), fixed("esc", "keep", 4)}
	}
	if f, ok := l.selected(); ok {
		pause := "pause"
		if f.State == engine.Paused {
			pause = "go on"
		}
		return []hint{bound(m.keys.open, "search it", 5), bound(m.keys.rename, "rename", 2), bound(m.keys.pause, pause, 1), bound(m.keys.remove, "erase", 3),
			bound(m.keys.leftOut, "left out", 1), back, help}
	}
	if l.entries() > 0 {
		return []hint{bound(m.keys.open, "index it", 5), bound(m.keys.togglePreview, "complete", 3), back, help}
	}
	return []hint{back, help}
}

// completeFolder lengthens a path by what all folders have in common that begin so, and shows the home folder as ~.
func completeFolder(path, home string) string {
	dir, begun := filepath.Split(path)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		dir, begun = path, ""
	}
	common, n := "", 0
	entries, _ := os.ReadDir(dir) // of a folder that is not there nothing is completed
	for _, e := range entries {
		name := e.Name()
		if !e.IsDir() || !strings.HasPrefix(name, begun) || begun == "" && name[0] == '.' {
			continue
		}
		if n++; n == 1 {
			common = name
		}
		for !strings.HasPrefix(name, common) {
			common = common[:len(common)-1]
		}
	}
	if n > 0 {
		path = filepath.Join(dir, strings.ToValidUTF8(common, ""))
	}
	if n == 1 || begun == "" && n == 0 {
		path += string(filepath.Separator)
	} else if begun == "" && common == "" {
		path = strings.TrimSuffix(dir, string(filepath.Separator)) + string(filepath.Separator)
	}
	if rest, in := strings.CutPrefix(path, home+string(filepath.Separator)); in && home != "" {
		return "~/" + rest
	}
	return path
}
