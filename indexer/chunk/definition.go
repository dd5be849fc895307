package chunk

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// definition is what a line of source code defines.
type definition struct {
	title     string // the line up to the parameters: func (s *Server) Close
	name      string // Close; "" where the line names nothing, as impl blocks do
	owner     string // Server, where the line itself says what the name belongs to
	container bool   // definitions within it have sections of their own
	value     bool   // a constant or variable, which stays among its neighbours
}

// containers are keywords whose definitions hold others.
var containers = setOf("class interface struct enum trait impl module namespace object protocol extension record union actor mixin service defmodule defprotocol defimpl contract")

// definers are the other keywords that a name follows.
var definers = setOf("func fn def function fun sub proc method procedure macro type typealias typedef defp defmacro defmacrop defguard message rpc newtype data macro_rules! template annotation subroutine delegate event component")

// modifiers stand before keywords, or before the type of a function.
var modifiers = setOf("pub public private protected internal static final abstract async export default override virtual inline extern unsafe open sealed " +
	"suspend partial readonly declare local noinline mut synchronized native const constexpr explicit friend companion lateinit inner operator infix tailrec external " +
	"indirect fileprivate mutating nonisolated required convenience dynamic lazy new volatile transient strictfp ref implicit case comptime noreturn consteval register " +
	"pub(crate) pub(super) global")

// statements begin lines that a parenthesis follows and that define nothing.
var statements = setOf("if for while switch return else catch throw do try case when match unless until elif except with await yield delete assert raise print goto using lock foreach sizeof typeof new and or not defer go select super this import from package in")

// signatures are languages whose functions have no keyword: type name(parameters).
var signatures = setOf("c c++ java c# dart objective-c groovy")

var lisps = setOf("lisp clojure scheme racket")

// dataLanguages are those of settings and data, which define nothing.
var dataLanguages = setOf("json yaml ini xml css scss sass less diff toml svg")

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// define tells what a line of a language defines, behind the line last; false of one that defines nothing. within
// says that the line lies in a container, such as a class.
func define(language string, l, last textLine, within bool) (definition, bool) {
	body := l.body
	if dataLanguages[language] || isComment(body) && !strings.HasPrefix(body, "#define") || body == "" || body[0] == '[' {
		return definition{}, false
	}
	if d, ok := defineLisp(body); ok || lisps[language] {
		return d, ok
	}
	word, rest := cutWord(body)
	for modifiers[word] || strings.HasPrefix(word, "pub(") || strings.HasPrefix(word, "@") && rest != "" {
		if next, _ := cutWord(rest); next == "" || next[0] == '=' || next[0] == ':' {
			break
		}
		word, rest = cutWord(rest)
	}
	switch {
	case word == "#define":
		name, _ := cutName(rest)
		return definition{name: name, value: true}, name != ""
	case containers[word] || definers[word]:
		if d, ok := defineKeyword(word, rest, body); ok {
			d.container = containers[word] || (word == "type" || word == "typedef") && strings.HasSuffix(body, "{")
			return d, true
		}
	case word == "create" || word == "CREATE":
		return defineSQL(body)
	}
	if d, ok := defineAssigned(l, body); ok {
		return d, true
	}
	return defineSignature(language, l, last, within)
}

// cutWord cuts the first run without white space off a line, and an opening bracket behind a name.
func cutWord(s string) (word, rest string) {
	s = strings.TrimLeft(s, blanks)
	end := strings.IndexAny(s, " \t(<")
	switch {
	case end < 0:
		return s, ""
	case end == 0:
		return s[:1], s[1:]
	case s[end] == '(' && s[:end] == "pub":
		if n := strings.IndexByte(s, ')'); n > 0 {
			return s[:n+1], s[n+1:]
		}
	}
	return s[:end], s[end:]
}

// cutName cuts an identifier with its qualifiers off a line.
func cutName(s string) (name, rest string) {
	s = strings.TrimLeft(s, " \t*&")
	end := 0
	for end < len(s) {
		r, n := utf8.DecodeRuneInString(s[end:])
		if !isNameRune(r) && !(end > 0 && (r == '.' || r == '?' || r == '!')) && !(r == ':' && strings.HasPrefix(s[end:], "::")) {
			break
		}
		if r == ':' {
			n = 2
		}
		end += n
	}
	return strings.TrimRight(s[:end], ".:"), s[end:]
}

func isNameRune(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// defineKeyword reads what follows a keyword such as func or class.
func defineKeyword(word, rest, body string) (d definition, ok bool) {
	rest = strings.TrimLeft(rest, blanks)
	receiver := ""
	switch {
	case word == "func" && strings.HasPrefix(rest, "("): // the receiver of a method in Go
		end := strings.IndexByte(rest, ')')
		if end < 0 {
			return d, false
		}
		receiver, rest = receiverType(rest[1:end]), rest[end+1:]
	case word == "impl":
		title := strings.TrimRight(body, "{ \t")
		owner := rest
		if strings.HasPrefix(owner, "<") {
			owner = behindBracket(owner)
		}
		if _, behind, is := strings.Cut(owner, " for "); is {
			owner = behind
		}
		owner, _ = cutName(owner)
		return definition{title: title, owner: owner}, owner != ""
	case word == "sub" && strings.HasSuffix(body, ";"), word == "namespace" && strings.HasSuffix(body, ";"):
		return d, false // a declaration of what is defined elsewhere, or the place of the whole file
	case containers[word] || word == "data":
		for next, more := cutWord(rest); containers[next]; next, more = cutWord(rest) { // data class, enum struct
			rest = more
		}
	case strings.HasPrefix(rest, "<") || strings.HasPrefix(rest, "*"): // fun <T> name, function* name
		rest = strings.TrimLeft(behindBracket(rest), "* \t")
	}
	name, behind := cutName(rest)
	if name == "" || !startsName(name) || strings.HasPrefix(strings.TrimLeft(behind, " \t"), "=") && word != "type" && word != "typealias" && word != "data" && word != "newtype" && word != "def" {
		return d, false
	}
	if (word == "struct" || word == "enum" || word == "union") && strings.HasSuffix(body, ";") || word == "typedef" {
		return d, false // a declaration of something defined elsewhere, or of a variable
	}
	title := strings.TrimRight(body[:len(body)-len(behind)], " \t")
	if word == "type" { // type Server struct
		if kind, _ := cutWord(strings.TrimLeft(behind, " \t")); kind == "struct" || kind == "interface" || strings.HasPrefix(kind, "interface{") || strings.HasPrefix(kind, "struct{") {
			title += " " + strings.TrimSuffix(strings.TrimRight(kind, "{}"), "{")
		}
	}
	if word == "namespace" {
		return d, true // which holds definitions, and says nothing of them
	}
	d = definition{title: title, name: name, owner: receiver}
	if at := strings.LastIndexAny(name, ".:"); at >= 0 {
		d.owner, d.name = strings.TrimRight(name[:at], ".:"), name[at+1:]
	}
	return d, d.name != ""
}

// receiverType is the type that a Go method belongs to.
func receiverType(receiver string) string {
	fields := strings.Fields(receiver)
	if len(fields) == 0 {
		return ""
	}
	name, _ := cutName(strings.TrimLeft(fields[len(fields)-1], "*"))
	return name
}

// behindBracket returns what stands behind the angle bracket that s begins with.
func behindBracket(s string) string {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '<':
			depth++
		case '>':
			if depth--; depth == 0 {
				return s[i+1:]
			}
		}
	}
	return s
}

func startsName(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return r == '_' || r == '$' || unicode.IsLetter(r)
}

// defineLisp reads (defn name ...) and its kin.
func defineLisp(body string) (d definition, ok bool) {
	if !strings.HasPrefix(body, "(def") {
		return d, false
	}
	word, rest := cutWord(body[1:])
	rest = strings.TrimLeft(rest, " \t(")
	end := strings.IndexAny(rest, " \t()[]")
	if end < 0 {
		end = len(rest)
	}
	return definition{title: word + " " + rest[:end], name: rest[:end]}, end > 0
}

// defineSQL reads CREATE TABLE name and its kin.
func defineSQL(body string) (d definition, ok bool) {
	head := body
	if at := strings.IndexByte(head, '('); at >= 0 {
		head = head[:at]
	}
	fields := strings.Fields(head)
	for i, f := range fields {
		switch strings.ToLower(f) {
		case "table", "view", "function", "procedure", "trigger", "type", "index":
			for _, name := range fields[i+1:] {
				switch strings.ToLower(name) {
				case "if", "not", "exists":
					continue
				}
				name = strings.Trim(name, "`\"[];")
				return definition{title: strings.Join(fields, " "), name: name[strings.LastIndexByte(name, '.')+1:]}, true
			}
		}
	}
	return d, false
}

// defineAssigned reads functions and constants that are given a name by an assignment at the left margin, and what Haskell says the type of.
func defineAssigned(l textLine, body string) (d definition, ok bool) {
	if l.indent > 0 {
		return d, false
	}
	head, value, found := strings.Cut(body, "=")
	if !found || strings.HasPrefix(value, "=") {
		if name, rest := cutName(body); name != "" && strings.HasPrefix(strings.TrimLeft(rest, " "), ":: ") {
			return definition{title: body, name: name}, true
		}
		if name, rest := cutName(body); name != "" && strings.HasPrefix(strings.TrimLeft(rest, " "), "<- function") {
			return definition{title: name, name: name}, true
		}
		return d, false
	}
	head = strings.TrimRight(head, " \t:?+")
	keyword, rest := cutWord(head)
	for modifiers[keyword] && keyword != "const" && rest != "" {
		keyword, rest = cutWord(rest)
	}
	bare := false
	switch keyword {
	case "const", "var", "let", "val", "auto", "static":
		if m, more := cutWord(rest); m == "mut" || m == "rec" {
			rest = more
		}
	default:
		rest, bare = head, true
	}
	name, behind := cutName(rest)
	if name == "" || !startsName(name) || strings.ContainsAny(behind, "([{,'\"") && !bare && keyword != "let" || bare && strings.TrimSpace(behind) != "" {
		return d, false
	}
	value = strings.TrimLeft(value, blanks)
	function := strings.HasPrefix(value, "function") || strings.HasPrefix(value, "async ") || strings.Contains(value, "=>") || strings.HasPrefix(value, "class ") ||
		strings.HasPrefix(value, "struct") || strings.HasPrefix(value, "enum")
	if bare && !function && strings.ToUpper(name) != name || strings.Contains(value, "require(") { // of plain assignments those of constants
		return d, false
	}
	d = definition{title: strings.TrimSpace(head), name: name, value: !function, container: strings.HasPrefix(value, "class") || strings.HasPrefix(value, "struct")}
	if at := strings.LastIndexByte(name, '.'); at >= 0 {
		d.owner, d.name = strings.TrimSuffix(strings.TrimSuffix(name[:at], ".prototype"), "."), name[at+1:]
	}
	return d, d.name != ""
}

// defineSignature reads a function without a keyword: type name(parameters) in the family of C, name(parameters) { in a class of JavaScript or in a
// shell, name(parameters) -> in Erlang.
func defineSignature(language string, l, last textLine, within bool) (d definition, ok bool) {
	body := l.body
	open := strings.IndexByte(body, '(')
	if open <= 0 || l.indent > 0 && !within {
		return d, false
	}
	head := strings.TrimRight(body[:open], " \t")
	if strings.ContainsAny(head, "=\"'`;,?|+/") || strings.Contains(head, "->") {
		return d, false
	}
	fields := strings.Fields(head)
	for len(fields) > 0 && (modifiers[fields[0]] || strings.HasPrefix(fields[0], "@")) && len(fields) > 1 {
		fields = fields[1:]
	}
	if len(fields) == 0 || statements[fields[0]] {
		return d, false
	}
	name, rest := cutName(strings.TrimLeft(fields[len(fields)-1], "*&#~"))
	if name == "" || rest != "" || statements[name] || !startsName(name) {
		return d, false
	}
	end := strings.TrimRight(body, " \t")
	block := strings.HasSuffix(end, "{") || strings.HasSuffix(end, "->")
	switch {
	case signatures[language]:
		if strings.HasSuffix(end, ";") && !within || len(fields) < 2 && !(within && block) && !isTypeLine(l, last) && !strings.Contains(name, "::") || strings.HasPrefix(fields[0], "(") {
			return d, false
		}
	case !block || len(fields) > 1 && fields[0] != "get" && fields[0] != "set" && fields[0] != "*":
		return d, false
	case within || language == "shell" || language == "erlang" || language == "awk":
	default:
		return d, false
	}
	d = definition{title: head, name: name}
	if at := strings.LastIndexAny(name, ".:"); at >= 0 {
		d.owner, d.name = strings.TrimRight(name[:at], ".:"), name[at+1:]
	}
	return d, d.name != ""
}

// isTypeLine reports whether the line before the name of a function is its type alone.
func isTypeLine(l, last textLine) bool {
	return l.indent == 0 && !l.afterBlank && last.indent == 0 && last.body != "" && !strings.ContainsAny(last.body, "(){};=,#/\"<>:")
}

// names are those under which a definition is looked for: its own, with a dot before it where it belongs to something, and
// that with its owner.
func (d *definition) names() []string {
	switch {
	case strings.Trim(d.name, "_$") == "":
		return nil
	case d.owner == "":
		return []string{d.name}
	}
	return []string{"." + d.name, d.owner + "." + d.name}
}
