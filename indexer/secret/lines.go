package secret

import (
	"strings"

	"dowse/indexer/skip"
	"dowse/internal/pattern"
)

// lineKind is a kind of file whose lines, but for comments, look alike.
type lineKind struct {
	named  func(name string) bool // nil: any name
	line   *pattern.Pattern
	one    *pattern.Pattern // what one line has, at least; its first group is the secret, if it has one
	detail string
}

var lineKinds = []lineKind{
	{nil, pattern.New(`^[^:\s]{1,64}:(?:\$apr1\$|\$2[abxy]\$|\{SHA\}|\{SSHA\}|\$[156y]\$|\$5\$|\$argon2)[^\s:]{10,}$`), nil, "htpasswd"},
	{nil, pattern.New(`^[\w.-]{1,64}:(?:[!*]*|x|[!]?\$[\w]+\$[^:\s]{8,}|[A-Za-z0-9./]{13}):\d*:\d*:\d*:\d*:\d*:\d*:\d*$`), pattern.New(`:[!]?\$\w+\$`), "shadow"},
	{nil, pattern.New(`^https?://[^\s/:@]*:[^\s/@]+@[\w.:%-]+(?:/\S*)?$`), pattern.New(`^https?://[^\s/:@]*:([^\s/@]{4,})@`), "git credentials"},
	{isPgpass, pattern.New(`^(?:[^:\\]|\\.)+:(?:\d{1,5}|\*):(?:[^:\\]|\\.)+:(?:[^:\\]|\\.)+:.+$`), pattern.New(`:([^:]{4,})$`), ".pgpass"},
	{nil, pattern.New(`^[\w.*-]+:(?:5432|6432):[^:\s]+:[^:\s]+:\S+$`), pattern.New(`:([^:]{4,})$`), ".pgpass"},
}

func isPgpass(name string) bool { return strings.Contains(name, "pgpass") }

// lines tells files of passwords that have one a line.
func (f *file) lines() Found {
	if f.isNetrc() {
		return Found{skip.Passwords, "netrc"}
	}
	for i := range lineKinds {
		k := &lineKinds[i]
		if (k.named == nil || k.named(f.name)) && k.all(f.text) {
			return Found{skip.Passwords, k.detail}
		}
	}
	return Found{}
}

// all reports whether all lines are of the kind, and one has a secret.
func (k *lineKind) all(text string) bool {
	n, secret := 0, k.one == nil
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n ")
		if line == "" || line[0] == '#' {
			continue
		}
		if n++; !k.line.MatchString(line) {
			return false
		}
		if !secret {
			m := k.one.FindStringSubmatch(line)
			secret = m != nil && (len(m) == 1 || password.holds(m[1]))
		}
	}
	return n > 0 && secret
}

// isNetrc reports whether a text is nothing but what ftp(1) reads: machines with a login and a password.
func (f *file) isNetrc() bool {
	first := strings.TrimLeft(f.text, " \t\n")
	for strings.HasPrefix(first, "#") {
		_, first, _ = strings.Cut(first, "\n")
		first = strings.TrimLeft(first, " \t\n")
	}
	if !strings.HasPrefix(first, "machine") && !strings.HasPrefix(first, "default") {
		return false
	}
	words := strings.Fields(comment.ReplaceAllString(first, ""))
	secret := false
	for i := 0; i < len(words); i++ {
		switch words[i] {
		case "default":
		case "macdef":
			return secret
		case "machine", "login", "account", "port", "protocol":
			i++
		case "password", "passwd":
			if i++; i < len(words) && password.holds(words[i]) {
				secret = true
			}
		default:
			return false
		}
	}
	return secret
}
