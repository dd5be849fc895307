package tui

import (
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// paragraph is a piece of an empty state.
type paragraph struct {
	text  string // safe plain text
	style lipgloss.Style
}

// viewEmpty draws the body without results, and why.
func (m *model) viewEmpty(w, h int) []string {
	return drawParagraphs(m.emptyState(), w, h)
}

func drawParagraphs(paragraphs []paragraph, w, h int) []string {
	var lines []string
	for _, p := range paragraphs {
		if p.text == "" {
			lines = append(lines, "")
			continue
		}
		for _, line := range wrapPlain(p.text, min(w-6, 88), h) {
			lines = append(lines, "   "+p.style.Render(line))
		}
	}
	if len(lines)+4 < h {
		lines = append([]string{""}, lines...)
	}
	return block(lines, w, h)
}

func (m *model) emptyState() []paragraph {
	switch {
	case m.inConversation():
		return m.conversation.emptyState()
	case m.search.err != nil:
		return m.failedState()
	case m.query() == "" && len(m.trail) == 0:
		return m.startState()
	case m.search.result == nil || m.search.cancel != nil:
		return nil // an answer is coming
	case len(m.trail) > 0:
		return m.nothingRelatedState()
	default:
		return m.nothingFoundState()
	}
}

// failedState shows the search's error, which says what to do, and how to look
// further.
func (m *model) failedState() []paragraph {
	s := m.styles
	return []paragraph{
		{"The search failed.", s.problem},
		{},
		{sanitize(strings.TrimSpace(m.search.err.Error())), s.text},
		{},
		{"Change the query to try again. If it stays like this, leave and run dowse doctor.", s.soft},
	}
}

// startState greets with what there is to search, and how.
func (m *model) startState() []paragraph {
	s := m.styles
	switch {
	case m.status == nil:
		return nil
	case m.status.Files == 0 && m.progress.indexing():
		return []paragraph{
			{"Reading your files for the first time.", s.name},
			{},
			{"You can search already: results appear as files are read.", s.soft},
		}
	case m.status.Files == 0:
		return []paragraph{
			{"Nothing is indexed yet.", s.name},
			{},
			{"Press " + strings.ReplaceAll(m.keys.folders.Help().Key, " ", " or ") + " and type the path of a folder, such as ~/notes.", s.soft},
			{},
			{"Files stay where they are, and nothing leaves this machine.", s.faint},
		}
	}
	out := []paragraph{{m.inventory(), s.name}}
	if roots := m.roots(); roots != "" {
		out = append(out, paragraph{"in " + roots, s.soft})
	}
	for i := range m.status.Named {
		if f := &m.status.Named[i]; f.Away() {
			out = append(out, paragraph{sanitize(f.AwayText()), s.warn})
		}
	}
	if skipped := counts(m.status.Skipped); skipped != "" {
		out = append(out, paragraph{"not indexed: " + skipped + " (" + keyFor(m.keys.leftOut) + " lists them)", s.faint})
	}
	if n := m.keptCount(); n > 0 {
		out = append(out, paragraph{counted(n, "conversation") + ": " + keyFor(m.keys.conversations) + " goes on with one", s.faint})
	}
	return append(out, paragraph{},
		paragraph{"Type a question or a few words. Results come while you type.", s.soft},
		paragraph{"? shows every key and how to narrow a search.", s.soft})
}

func (m *model) inventory() string {
	return counted(m.status.Files, "file") + ", " + counted(m.status.Chunks, "passage") + ", " +
		size(m.status.TextBytes) + " of text"
}

func (m *model) roots() string {
	const most = 4
	var names []string
	for i, root := range m.status.Roots {
		if i == most {
			names = append(names, counted(len(m.status.Roots)-most, "other folder"))
			break
		}
		names = append(names, shortenPath(root, m.options.Home, 40))
	}
	return strings.Join(names, ", ")
}

// nothingFoundState says how much was searched and what was left out.
func (m *model) nothingFoundState() []paragraph {
	s, stats := m.styles, m.search.result.Stats
	out := []paragraph{{"Nothing found.", s.name}, {}}
	all := 0
	if m.status != nil {
		all = m.status.Files
	}
	switch {
	case stats.Unmatched != "":
		out = append(out,
			paragraph{"No passage matches " + sanitize(stats.Unmatched) + ".", s.text},
			paragraph{"Plain words alone find the nearest passages" + m.scopeAdvice() + ".", s.soft})
	case stats.Files == 0 && all > 0:
		out = append(out,
			paragraph{"The filters left none of " + counted(all, "file") + ".", s.text},
			paragraph{"Loosen path:, type:, tag: and the other filters" + m.scopeAdvice() + ".", s.soft})
	case stats.Files < all:
		out = append(out,
			paragraph{"The filters left " + count(stats.Files) + " of " + counted(all, "file") + ", with " +
				counted(stats.Chunks, "passage") + ".", s.text},
			paragraph{"Loosen them" + m.scopeAdvice() + ", or use fewer or other words.", s.soft})
	default:
		out = append(out,
			paragraph{"Looked at " + counted(stats.Chunks, "passage") + " of " + counted(stats.Files, "file") + ".", s.text},
			paragraph{"Use fewer or other words, or take away quotes and -words.", s.soft})
	}
	for _, away := range stats.Away {
		out = append(out, paragraph{}, paragraph{sanitize(away), s.warn})
	}
	if m.progress.active() {
		out = append(out, paragraph{}, paragraph{"Indexing is under way: what it finds will appear here.", s.soft})
	}
	return out
}

// scopeAdvice names the folder that limits the search.
func (m *model) scopeAdvice() string {
	scope := m.scope(40)
	if scope == "" {
		return ""
	}
	return " (the search is also limited to files " + scope + ")"
}
