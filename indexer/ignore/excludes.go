package ignore

import (
	"os"
	"path/filepath"
	"strings"
)

// personal returns the rules that the person's git follows in a repository whose top is dir and whose
// settings lie in common: those of the file that core.excludesFile names. The file may be a link, as of
// people who keep their settings in a repository of their own. An unreadable file counts for none,
// as git warns and goes on.
func personal(dir, common string) []rule {
	path := excludesFile(dir, common)
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		path = resolved
	}
	text, err := readRuleFile(path)
	if err != nil {
		return nil
	}
	rules := parseRules(text)
	for i := range rules {
		rules[i].file = path
	}
	return rules
}

// excludesFile returns what core.excludesFile names, "" where there is no home. Settings of the repository
// count before those of the person, and these before those of the machine; where none names a file it is
// git's own place. Source: git-config(1). What settings include is not followed.
func excludesFile(dir, common string) string {
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	folder := os.Getenv("XDG_CONFIG_HOME")
	if folder == "" {
		folder = filepath.Join(home, ".config")
	}
	files := []string{filepath.Join(common, "config"), filepath.Join(home, ".gitconfig"), filepath.Join(folder, "git", "config"), "/etc/gitconfig"}
	if global, set := os.LookupEnv("GIT_CONFIG_GLOBAL"); set {
		files = []string{files[0], global, files[3]}
	}
	for _, file := range files {
		if resolved, err := filepath.EvalSymlinks(file); err == nil {
			file = resolved
		}
		text, err := readRuleFile(file)
		if err != nil {
			continue
		}
		if value, set := setting(text, "core", "excludesfile"); set {
			if rest, inHome := strings.CutPrefix(value, "~/"); inHome {
				return filepath.Join(home, rest)
			}
			return absoluteFrom(dir, value)
		}
	}
	return filepath.Join(folder, "git", "ignore")
}

// setting returns the last value of a name in a section without a subsection, as a file of git's settings
// has it. Neither takes upper case.
func setting(text, section, name string) (value string, set bool) {
	within := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if rest, isHead := strings.CutPrefix(line, "["); isHead {
			head, behind, _ := strings.Cut(rest, "]")
			within, line = strings.EqualFold(strings.TrimSpace(head), section), strings.TrimSpace(behind)
		}
		key, v, _ := strings.Cut(line, "=")
		if within && strings.EqualFold(strings.TrimSpace(key), name) {
			value, set = unquoted(v), true
		}
	}
	return value, set
}

// unquoted is a value without its quotation marks, the comment behind it and white space around it.
func unquoted(value string) string {
	var out strings.Builder
	quoted := false
	value = strings.TrimSpace(value)
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\' && i+1 < len(value):
			i++
			out.WriteByte(value[i])
		case !quoted && (c == '#' || c == ';'):
			return strings.TrimSpace(out.String())
		default:
			out.WriteByte(c)
		}
	}
	return strings.TrimSpace(out.String())
}
