package tui

import (
	"path/filepath"
	"strings"
	"time"

	"dowse/engine"
	"dowse/internal/fold"
)

// folderList lists the indexed folders that match the filter. It covers the body.
type folderList struct {
	styles styles
	keys   keyMap
	home   string

	chooser
	loading bool
	problem string
	doing   string // the change under way, "" of none
	serial  int    // of the newest request

	all []engine.Folder
	now time.Time // when all was fetched
}

// folderRow is the height of an entry: its name, its path, an empty line.
const folderRow = 3

// set fills the list. The chosen folder stays chosen, or else the next.
func (l *folderList) set(all []engine.Folder, now time.Time) {
	old, _ := l.selected()
	chosen := l.chosen
	l.all, l.now, l.loading, l.problem = all, now, false, ""
	l.find(l.filter)
	l.chooseAgain(func(i int) bool { return all[i].Path == old.Path }, chosen)
}

// find shows the folders with every word in their name or path; of a path that is typed, those that begin so.
func (l *folderList) find(filter string) {
	l.filter = strings.TrimSpace(filter)
	words := filterWords(l.filter)
	if path, typed := l.typed(); typed {
		words = []string{fold.String(path)}
	}
	l.match(words, len(l.all), func(i int) string { return l.all[i].Name + "\n" + l.all[i].Path })
	_, l.more = l.adds()
}

// typed returns the path that the filter is, if it is one.
func (l *folderList) typed() (path string, ok bool) {
	switch {
	case filepath.IsAbs(l.filter):
		return filepath.Clean(l.filter), true
	case l.filter == "~" || strings.HasPrefix(l.filter, "~/"):
		return filepath.Join(l.home, l.filter[1:]), true
	}
	return "", false
}

// adds returns the folder that can be added: the path that is typed, where that is none of the list.
func (l *folderList) adds() (path string, ok bool) {
	path, ok = l.typed()
	for i := range l.all {
		ok = ok && l.all[i].Path != path
	}
	return path, ok && !l.loading && l.problem == ""
}

func (l *folderList) selected() (engine.Folder, bool) {
	i, ok := l.index()
	if !ok {
		return engine.Folder{}, false
	}
	return l.all[i], true
}

// Render draws the entries in sight as h lines of w cells.
func (l *folderList) Render(w, h int) []string { return l.render(w, h, l.entry, l.emptyState) }

// entry draws a folder's name and facts, then its path or what is to be known of it.
func (l *folderList) entry(i, w int) []string {
	s := l.styles
	mark, name := s.mark(i == l.chosen)
	if i >= len(l.shown) {
		path, _ := l.adds()
		return []string{fit(mark+"  "+s.soft.Render("index the folder ")+name(shortenPath(path, l.home, max(w-22, 1))), w), mark}
	}
	f := &l.all[l.shown[i]]
	facts := l.facts(f, w)
	return []string{
		spread(mark+"  "+name(fit(sanitize(f.Name), w-width(facts)-6)), facts+" ", w),
		fit(mark+"    "+l.below(f, i == l.chosen, w-6), w),
	}
}

// facts fits what is known of a folder into a row of w cells.
func (l *folderList) facts(f *engine.Folder, w int) string {
	s := l.styles
	state := s.soft.Render(string(f.State))
	if f.Away() {
		state = s.warn.Render(string(f.State))
	}
	text := counted(f.Files, "file") + " · "
	if w < wideList {
		return s.soft.Render(text) + state
	}
	text += counted(f.Chunks, "passage") + " · " + size(f.Bytes) + " · "
	if f.Model == "" {
		text += "words alone · "
	}
	if !f.Newest.IsZero() {
		text += Moment(f.Newest, l.now) + " · "
	}
	return s.soft.Render(text) + state
}

// below returns an entry's second line: the confirmation of removing, what is wrong, or its path and what was left out.
func (l *folderList) below(f *engine.Folder, chosen bool, w int) string {
	s := l.styles
	switch {
	case chosen && l.asking:
		return s.problem.Render("erase it from the index? Its own files stay. y erases, other keys keep")
	case f.Away() && f.Elsewhere != "":
		return s.warn.Render(fit("it is not there; the same files lie in "+shortenPath(f.Elsewhere, l.home, max(w-40, 8)), w))
	case f.Away():
		return s.warn.Render(fit(shortenPath(f.Path, l.home, max(w/2, 8))+" "+sanitize(f.Why), w))
	}
	path := shortenPath(f.Path, l.home, max(w/2, 8))
	text := s.faint.Render(path)
	if f.Why != "" {
		text += s.faint.Render(" · " + sanitize(f.Why))
	} else if out := counts(f.Skipped); out != "" {
		text += s.faint.Render(" · left out: " + out)
	}
	return text
}

// emptyState says why the list is empty.
func (l *folderList) emptyState() []paragraph {
	s := l.styles
	switch {
	case l.problem != "":
		return []paragraph{{"The folders cannot be listed.", s.problem}, {}, {l.problem, s.text}}
	case l.loading:
		return nil
	case len(l.all) > 0:
		return []paragraph{{"No folder is called so.", s.name}, {}, {"Type a path, such as ~/notes, to index another one.", s.soft}}
	}
	return []paragraph{
		{"No folder is indexed yet.", s.name}, {},
		{"Type the path of one, such as ~/notes; " + keyFor(l.keys.togglePreview) + " completes it, " + keyFor(l.keys.open) + " indexes it. Its files stay where they are, and nothing " +
			"leaves this machine. Hidden files, keys and passwords are left out, and so is what .gitignore names.", s.soft},
	}
}

func (l *folderList) status() string {
	switch {
	case l.doing != "":
		return l.doing + ellipsis
	case l.loading || l.problem != "" || len(l.all) == 0:
		return ""
	}
	return l.count(len(l.all), "folder")
}
