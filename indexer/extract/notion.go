package extract

import (
	"path/filepath"
	"strings"

	"dowse/indexer/document"
	"dowse/internal/pattern"
)

// notionName is a name that Notion gives a page of an export: its title, and an identifier.
var notionName = pattern.New(` [0-9a-f]{32}$`)

// PlainName returns the name of a file without its extension, and without the identifier that Notion adds.
func PlainName(path string) string {
	name := filepath.Base(path)
	return notionName.ReplaceAllString(strings.TrimSuffix(name, filepath.Ext(name)), "")
}

// property is a line that Notion writes below the title of a page of a database, or Logseq at the beginning of one.
var property = pattern.New(`^(?:- )?(\pL[\pL\d _-]{0,40})(:|::) +(\S.*)$`)

// noteProperties takes what a page says of itself below its title: of Notion where it is named so, of Logseq behind two colons.
func noteProperties(m *document.Meta, path, text string) {
	base := filepath.Base(path)
	isNotion := notionName.MatchString(strings.TrimSuffix(base, filepath.Ext(base)))
	begun := false
	for line := range strings.Lines(text[:min(len(text), 8<<10)]) {
		line = strings.TrimSpace(strings.TrimPrefix(line, "\ufeff"))
		if title, is := strings.CutPrefix(line, "# "); is && isNotion && !begun && m.Title == "" {
			m.Title = title
			continue
		}
		p := property.FindStringSubmatch(line)
		switch {
		case line == "" && !begun:
			continue
		case p == nil, p[2] == ":" && !isNotion:
			return
		}
		begun = true
		value := strings.NewReplacer("[[", "", "]]", "").Replace(p[3])
		note(m, strings.ToLower(p[1]), []string{value})
	}
}
