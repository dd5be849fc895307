package secret

import (
	"strings"
	"unicode"

	"dowse/internal/pattern"
)

// strength says how much of a value a name calls for.
type strength uint8

const (
	nothing strength = iota
	password
	key // of some length
	token
)

// nameOf says what a setting of some name holds.
func nameOf(name string) strength {
	words := wordsOf(name)
	if len(words) == 0 {
		return nothing
	}
	last, before := words[len(words)-1], ""
	if len(words) > 1 {
		before = words[len(words)-2]
	}
	switch last {
	case "password", "passwd", "passphrase", "pass", "pwd", "passcode", "passwort", "kennwort":
		return password
	case "secret", "apikey", "secretkey", "accesskey", "privatekey", "authkey", "credentials":
		return key
	case "key":
		switch before {
		case "api", "private", "access", "secret", "auth", "account", "encryption", "signing", "master", "session", "app", "admin", "license":
			return key
		}
	case "token", "auth", "authtoken", "pat", "dsn":
		return token
	}
	return nothing
}

// wordsOf splits a name at signs and at capitals, in small letters.
func wordsOf(name string) (words []string) {
	start, small := 0, false
	for i, r := range name {
		sign := !unicode.IsLetter(r) && !unicode.IsDigit(r)
		if sign || small && unicode.IsUpper(r) {
			if i > start {
				words = append(words, strings.ToLower(name[start:i]))
			}
			start = i
			if sign {
				start++
			}
		}
		small = unicode.IsLower(r)
	}
	if start < len(name) {
		words = append(words, strings.ToLower(name[start:]))
	}
	return words
}

// Least lengths of values.
const (
	leastPassword = 4
	leastKey      = 8
	leastToken    = 16
)

// holds reports whether a value is a secret of some strength and no placeholder.
func (s strength) holds(value string) bool {
	value = unquoted(value)
	switch s {
	case password:
		return len(value) >= leastPassword && !isPlaceholder(value)
	case key:
		return len(value) >= leastKey && !isPlaceholder(value) && !isPath(value)
	case token:
		return len(value) >= leastToken && strings.ContainsAny(value, "0123456789") && !isPlaceholder(value) && !isPath(value)
	}
	m := inAddress.FindStringSubmatch(value)
	return m != nil && !isPlaceholder(m[1]) && !strings.Contains(value, "example.com") && !strings.Contains(value, "example.org")
}

// inAddress is a password in the address of a server.
var inAddress = pattern.New(`^[a-z][a-z0-9+.-]*://[^/\s:@]*:([^/\s@]{4,})@[^\s]+$`)

// unquoted takes away quotation marks and what follows a value.
func unquoted(value string) string {
	value = strings.TrimSpace(value)
	if n := len(value); n > 1 && (value[0] == '"' || value[0] == '\'') {
		if end := strings.IndexByte(value[1:], value[0]); end >= 0 {
			return value[1 : 1+end]
		}
	}
	if i := strings.Index(value, " #"); i >= 0 {
		value = strings.TrimSpace(value[:i])
	}
	return value
}

var (
	variable = pattern.New(`^(?:\$\w+|%\w+%|@\w+@|\{\w+\}|\[[\w -]+\]|[A-Z]+(?:_[A-Z]+)+|\*.*)$`)
	// stand are what stands for a value, within it.
	stand = []string{"<", "${", "{{", "$(", "%(", "%s", "***", "xxx", "...", "…", "changeme", "change_me", "change-me", "changethis", "change_this", "change-this",
		"your_", "your-", "yourpass", "yourtoken", "yourkey", "your ", "yoursecret", "example", "placeholder", "insert", "replace", "dummy", "todo", "redacted", "sample", "fake",
		"_here", "-here", " here", "os.environ", "process.env", "env(", "getenv", "vault:", "enc[", "put your", "sua_", "seu_", "tu_", "votre_", "dein_", "你的"}
	// weak are words of values that nobody has for a secret.
	weak = setOf(strings.ReplaceAll("password passwd passwort pass pw secret token key keys admin root test tests testing guest user username postgres postgresql mysql mariadb redis rabbitmq mongo minio "+
		"none null nil true false default yes no foo bar foobar letmein qwerty qwerty123 string value empty required optional prompt ask unset auto disabled enabled hidden masked abc123 abcd1234 "+
		"swordfish passw0rd password1 password123 secret123 pass123 admin123 test123 test1234 pwd my our super db database dev development local localhost demo app api jwt the a strong random secure very long is "+
		"not real backend server session django flask in of some this that rootpass userpass 1 12 123 1234 12345 123456 1234567 12345678 123456789 0 2 256 32 64", " ", ","))
)

// isPlaceholder reports whether a value stands for one that somebody is to put there.
func isPlaceholder(value string) bool {
	lower := strings.ToLower(value)
	if variable.MatchString(value) || strings.Trim(lower, lower[:min(1, len(lower))]) == "" {
		return true
	}
	for _, s := range stand {
		if strings.Contains(lower, s) && !isChance(s, lower) {
			return true
		}
	}
	for _, word := range strings.FieldsFunc(lower, isSign) {
		if !weak[word] {
			return false
		}
	}
	return true
}

// Bounds of chance: one key of RSA in twenty, in base64, has "xxx" in it, in capitals or small letters.
const (
	leastStand  = 5  // letters of a word that random letters do not spell
	leastRandom = 40 // letters of a value in which they spell shorter ones
)

// isChance reports whether a value, in small letters, is so long, and of such letters, that a short word within it says nothing.
func isChance(word, value string) bool {
	return len(word) < leastStand && isLetters(word) && len(value) >= leastRandom && strings.ContainsAny(value, "0123456789") &&
		strings.IndexFunc(value, isNotBase64) < 0 && !strings.Contains(value, "xxxxxx")
}

func isLetters(s string) bool { return strings.IndexFunc(s, isSign) < 0 }

// isNotBase64 says it of small letters and signs that stand in no base64 of either alphabet, nor in one that JSON cut into lines.
func isNotBase64(r rune) bool {
	return (r < 'a' || r > 'z') && (r < '0' || r > '9') && !strings.ContainsRune(`+/=_-\.`, r)
}

func isSign(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// isPath reports whether a value names a file or an address without a password.
func isPath(value string) bool {
	return strings.HasPrefix(value, "/") && strings.Count(value, "/") > 1 && !strings.HasSuffix(value, "=") || strings.HasPrefix(value, "./") || strings.HasPrefix(value, "~/") ||
		strings.Contains(value, "://") && !inAddress.MatchString(value) || strings.Contains(value, " ")
}
