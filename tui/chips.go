package tui

import (
	"regexp"
	"strings"

	"dowse/engine"
	"dowse/internal/fold"

	tea "github.com/charmbracelet/bubbletea"
)

// chip is the name of an indexed folder on the rule below the query. A click has the query search it, or not any more.
type chip struct {
	name  string // of the folder, safe to draw and not shortened
	lit   bool   // the query names it by in:
	away  bool   // its files cannot be read now
	x, to int    // columns of the screen, the last one excluded
}

// label is what is drawn of a chip: without colours too one sees which are searched.
func (c chip) label() string {
	text := c.name
	if c.away {
		text += "!"
	}
	if c.lit {
		return "[" + text + "]"
	}
	return text
}

// chips places the names of all folders; none where there is one folder, where the program was started for some, or
// where half of the rule is too short for them.
func (m *model) chips() []chip {
	end := m.layout.rule.w - ruleTail
	w := end / 2
	if len(m.options.In) > 0 || m.status == nil || len(m.status.Named) < 2 || m.inConversation() {
		return nil
	}
	lit := m.searched()
	var all []chip
	for i := range m.status.Named {
		f := &m.status.Named[i]
		c := chip{name: sanitize(f.Name), lit: lit[fold.String(f.Name)], away: f.Away()}
		all = append(all, c)
		w -= width(c.label()) + len(chipGap)
	}
	if w < -len(chipGap) { // no gap follows the last one
		return nil
	}
	for i := len(all) - 1; i >= 0; i-- {
		all[i].to = end
		all[i].x = end - width(all[i].label())
		end = all[i].x - len(chipGap)
	}
	return all
}

// searched are the names, folded, that the query has behind in:.
func (m *model) searched() map[string]bool {
	names := map[string]bool{}
	if q, err := engine.Parse(m.query(), m.now()); err == nil {
		for _, name := range q.In {
			names[fold.String(name)] = true
		}
	}
	return names
}

const (
	chipGap  = "  "
	ruleTail = 3 // columns behind what stands on the rule
)

// viewChips draws them; what the query searches stands out.
func (m *model) viewChips(all []chip) string {
	var parts []string
	for _, c := range all {
		style := m.styles.faint
		switch {
		case c.lit:
			style = m.styles.accent
		case c.away:
			style = m.styles.warn
		}
		parts = append(parts, style.Render(c.label()))
	}
	return strings.Join(parts, chipGap)
}

// clickChip has the query search the folder at a column of the rule, or not any more.
func (m *model) clickChip(x int) tea.Cmd {
	for _, c := range m.chips() {
		if x >= c.x && x < c.to {
			return m.setLine(toggleFolder(m.query(), c.name))
		}
	}
	return nil
}

// toggleFolder puts in:NAME behind a query, or takes it out of it.
func toggleFolder(query, name string) string {
	filter := "in:" + name
	if strings.ContainsAny(name, " \t") {
		filter = `in:"` + name + `"`
	}
	there := regexp.MustCompile(`(?i)(^|\s+)(` + regexp.QuoteMeta(filter) + `|` + regexp.QuoteMeta(`in:"`+name+`"`) + `)(\s+|$)`)
	if there.MatchString(query) {
		for there.MatchString(query) { // the blank between two belongs to the first one
			query = there.ReplaceAllString(query, " ")
		}
		return strings.TrimSpace(query)
	}
	if query = strings.TrimSpace(query); query != "" {
		query += " "
	}
	return query + filter + " " // one goes on typing
}
