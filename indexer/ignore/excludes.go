package ignore

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// gitPatience is how long git may take to say where its settings are; it takes milliseconds.
const gitPatience = 5 * time.Second

// excludesFile returns the file of rules that the person's git follows in every repository: what
// core.excludesFile names for the repository whose top is dir, and git's own place where nothing
// does. Git is asked, since its settings include and override each other.
func excludesFile(dir string) string {
	ctx, cancel := context.WithTimeout(context.Background(), gitPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", "config", "--get", "--type=path", "-z", "core.excludesFile")
	cmd.Dir = dir
	if out, err := cmd.Output(); err == nil {
		return absoluteFrom(dir, strings.TrimSuffix(string(out), "\x00"))
	}
	settings := os.Getenv("XDG_CONFIG_HOME")
	if settings == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		settings = filepath.Join(home, ".config")
	}
	return filepath.Join(settings, "git", "ignore")
}

// personal returns the rules of the excludesFile of a repository. The file may be a link, as of
// those who keep their settings in a repository of their own. One that cannot be read counts
// for none, as git warns and goes on.
func personal(dir string) []rule {
	path := excludesFile(dir)
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
