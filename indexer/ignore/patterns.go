package ignore

import (
	"fmt"
	"strings"
)

// Patterns are lines as of a rule file that the settings give a folder, which is where they count from. They hold
// against all rules of files. nil has none.
type Patterns struct{ rules *ruleSet }

// ParsePatterns reads patterns, one each.
func ParsePatterns(lines []string) (*Patterns, error) {
	var rules []rule
	for _, line := range lines {
		read := parseRules(line)
		if len(read) != 1 || strings.ContainsAny(line, "\n\x00") {
			return nil, fmt.Errorf("%q is no pattern; want one as in a .gitignore file, such as \"*.log\" or \"/drafts/\"", line)
		}
		rules = append(rules, read...)
	}
	return &Patterns{(*ruleSet)(nil).with(rules, 0)}, nil
}

// Match returns the pattern by which an entry is left out, whose path is relative to the folder, with slashes; ""
// where none leaves it out. What lies in a folder that is left out is not asked for.
func (p *Patterns) Match(path string, isDir bool) string {
	if p == nil {
		return ""
	}
	name := path[strings.LastIndexByte(path, '/')+1:]
	if r := p.rules.find(path, name, isDir); r != nil && !r.negated {
		return r.text
	}
	return ""
}
