package chunk

import (
	"cmp"
	"sort"
	"strings"

	"dowse/indexer/document"
)

// codeReader reads source code. Indentation and keywords tell what belongs together, so that it works for every language
// that people indent, without a parser.
type codeReader struct {
	*scanner
	language string
	defined  []defined
	last     textLine
	titled   bool       // the unit has its title, or there is no unit
	open     []enclosed // the definitions that a line lies in, outermost first
	lead     int        // the atom at which the comments and decorators above a line begin
	leads    bool       // the last line was one of them
	doc      bool       // they began with the mark of documentation, which a blank line may follow
	quote    string     // what ends the text, or the comment, of several lines that a line lies in; "" of none
	margin   int        // where that comment begins: it counts as indented as far as its first line
	group    bool       // the line lies in a group of constants, variables or types of Go
}

// enclosed is a definition around a line.
type enclosed struct {
	definition
	indent int
}

// Definitions tells what source code defines and where. Its outline is one of definitions, not that by which the text is cut.
type Definitions struct {
	outline *outline
	defined []defined // ascending
}

// ReadDefinitions finds the definitions of a document of code.
func ReadDefinitions(doc *document.Document) *Definitions {
	opts := Options{Count: func(string) int { return 1 }}.withDefaults()
	o := &outline{opts: opts, sections: []section{{}}}
	s := &scanner{outline: o, text: doc.Text}
	c := codeReader{scanner: s, language: doc.Language, titled: true}
	for l, ok := s.next(); ok; l, ok = s.next() {
		c.line(l)
	}
	return &Definitions{o, c.defined}
}

// Heading is the path of the definitions that a byte lies in, such as "class Server > def close"; "" outside of all.
func (d *Definitions) Heading(at int) string {
	if i := d.outline.atomAt(at); i >= 0 {
		return strings.Join(d.outline.path(d.outline.atoms[i].section), Separator)
	}
	return ""
}

// Names lists the names that bytes start to end define: Close, and of what belongs to a type .Close and Server.Close.
func (d *Definitions) Names(start, end int) (names []string) {
	first := sort.Search(len(d.defined), func(i int) bool { return d.defined[i].start >= start })
	for _, def := range d.defined[first:] {
		if def.start >= end {
			break
		}
		names = append(names, def.names()...)
	}
	return names
}

// defined is a definition and the byte at which its line begins.
type defined struct {
	start int
	definition
}

// line makes atoms of a line, and a section of what begins with it.
func (c *codeReader) line(l textLine) {
	quoted := c.quote != ""
	if !quoted || l.indent == 0 && c.language == "go" && strings.HasPrefix(l.body, "func ") {
		c.quote, quoted = "", false
	}
	leads := quoted || isComment(l.body) || isDecorator(l.body)
	if c.quote == "*/" {
		l.indent = c.margin
	} else {
		c.margin = l.indent
		documented := c.leads && c.doc && !leads
		if !c.leads || l.afterBlank && !documented || l.indent != c.last.indent {
			c.lead, c.doc = len(c.atoms), strings.HasPrefix(l.body, "/**")
		}
	}
	documented := c.leads && c.doc
	c.leads = leads
	c.follow(l.body)
	if !quoted {
		c.leave(l)
		c.structure(l, documented)
	}
	c.append(l.start, 1, 0)
	c.last = l
}

// structure opens the section that begins with a line, if one does. documented says that comments for a program that
// makes documentation stand before it.
func (c *codeReader) structure(l textLine, documented bool) {
	d, is := definition{}, false
	if n := len(c.open); n == 0 || c.open[n-1].container {
		if d, is = define(c.language, l, c.last, n > 0); is && d.owner == "" && n > 0 {
			d.owner = cmp.Or(c.open[n-1].name, c.open[n-1].owner)
		}
	}
	switch {
	case beginsUnit(l, c.last) && !(is && documented):
		c.scanner.open(1, "", false)
		c.open, c.titled, c.group = nil, false, false
	case !c.titled && l.indent > 0:
		c.nameUnit(c.last)
		c.titled = true
	}
	switch {
	case is && !d.value:
		c.define(l, d)
	case is:
		c.defined = append(c.defined, defined{l.start, d})
	case c.language == "go":
		c.goGroup(l)
	}
}

// define makes a section of a definition, with the comments above it.
func (c *codeReader) define(l textLine, d definition) {
	if len(c.open) == 0 && l.indent == 0 && !c.titled {
		c.sections[len(c.sections)-1].title = shorten(d.title)
	} else {
		c.openAt(c.lead, len(c.open)+1, d.title, false)
	}
	c.titled = true
	c.defined = append(c.defined, defined{l.start, d})
	c.open = append(c.open, enclosed{d, l.indent})
}

// leave closes the definitions that end before a line.
func (c *codeReader) leave(l textLine) {
	if isCloser(l.body) || l.body == "{" || isComment(l.body) || strings.HasSuffix(l.body, ":") && !strings.ContainsAny(l.body, " (") {
		return
	}
	for n := len(c.open); n > 0 && l.indent <= c.open[n-1].indent; n-- {
		c.open = c.open[:n-1]
	}
}

// goGroup notes the names in const ( ... ), var ( ... ) and type ( ... ).
func (c *codeReader) goGroup(l textLine) {
	switch {
	case l.indent == 0:
		c.group = l.body == "const (" || l.body == "var (" || l.body == "type ("
	case c.group && l.indent == indentOf("\t") && !isComment(l.body):
		if name, rest := cutName(l.body); name != "" && startsName(name) && (rest == "" || strings.ContainsAny(rest[:1], " ,=")) {
			c.defined = append(c.defined, defined{l.start, definition{name: name}})
		}
	}
}

// quotes are what texts and comments of several lines stand between.
var quotes = map[string][]string{
	"python": {`"""`, "'''"}, "go": {"`"}, "javascript": {"`"}, "typescript": {"`"},
}

// follow notes which text or comment of several lines is open behind a line.
func (c *codeReader) follow(body string) {
	if c.quote == "" && !strings.HasPrefix(body, "/*") && isComment(body) && c.language != "python" {
		return
	}
	for rest := body; ; {
		if c.quote != "" {
			_, behind, ends := strings.Cut(rest, c.quote)
			if !ends {
				return
			}
			rest, c.quote = behind, ""
		}
		if strings.HasPrefix(rest, "/*") {
			rest, c.quote = rest[2:], "*/"
			continue
		}
		first := len(rest)
		for _, q := range quotes[c.language] {
			if at := strings.Index(rest[:first], q); at >= 0 && !strings.HasPrefix(rest[at+len(q):], "'") {
				first, c.quote = at, q
			}
		}
		if c.quote == "" {
			return
		}
		rest = rest[first+len(c.quote):]
	}
}

// isDecorator reports whether a line says something of the definition below it.
func isDecorator(body string) bool {
	return strings.HasPrefix(body, "@") || strings.HasPrefix(body, "[") && strings.HasSuffix(body, "]") || strings.HasPrefix(body, "template")
}
