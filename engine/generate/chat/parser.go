package chat

// maxDepth bounds how deep statements and expressions may be nested.
const maxDepth = 100

// parser reads statements and, in expression.go, expressions.
type parser struct {
	tokens []token
	at     int
	depth  int
	loops  int // that the statement stands in
}

func (p *parser) here() token { return p.tokens[p.at] }

// take returns the next token and moves behind it, but never behind the last.
func (p *parser) take() token {
	t := p.here()
	if t.kind != endOfTemplate {
		p.at++
	}
	return t
}

func (p *parser) fault(format string, arguments ...any) *Error {
	return fault(p.here().line, format, arguments...)
}

// is reports whether an operator or a word comes next.
func (p *parser) is(text string) bool {
	t := p.here()
	return (t.kind == operator || t.kind == name) && t.text == text
}

// accept takes an operator or a word, if it comes next.
func (p *parser) accept(text string) bool {
	if !p.is(text) {
		return false
	}
	p.at++
	return true
}

func (p *parser) expect(text string) {
	if !p.accept(text) {
		panic(p.fault("%s, want %s", p.here(), text))
	}
}

func (p *parser) expectKind(k kind, what string) token {
	if p.here().kind != k {
		panic(p.fault("%s, want %s", p.here(), what))
	}
	return p.take()
}

// enter counts a level of nesting; leave goes back.
func (p *parser) enter() {
	if p.depth++; p.depth > maxDepth {
		panic(p.fault("nested deeper than %d", maxDepth))
	}
}

func (p *parser) leave() { p.depth-- }

// body reads statements up to a tag that ends them or the end of the template,
// which it leaves there.
func (p *parser) body() []statement {
	p.enter()
	defer p.leave()
	var all []statement
	for {
		switch t := p.here(); t.kind {
		case endOfTemplate:
			return all
		case data:
			p.at++
			all = append(all, &output{line: t.line, value: &literal{written(t.text)}})
		case printBegin:
			p.at++
			all = append(all, &output{line: t.line, value: p.tuple()})
			p.expectKind(printEnd, "}}")
		default: // blockBegin
			if ends[p.tokens[p.at+1].text] {
				return all
			}
			if s := p.statement(); s != nil {
				all = append(all, s)
			}
		}
	}
}

// ends are the words that end a body.
var ends = map[string]bool{
	"elif": true, "else": true, "endif": true, "endfor": true, "endset": true, "endgeneration": true,
}

// statement reads one; nil for one that does nothing.
func (p *parser) statement() statement {
	p.at++ // {%
	word := p.expectKind(name, "a statement")
	switch word.text {
	case "if":
		return p.branch(word.line)
	case "for":
		return p.loop(word.line)
	case "set":
		return p.assignment(word.line)
	case "break":
		if p.loops == 0 {
			panic(p.fault("break outside of a loop"))
		}
		p.endTag()
		return jump{}
	case "generation": // marks what the model said, for training; it changes nothing
		p.endTag()
		body := p.body()
		p.endOf("endgeneration")
		return &group{body}
	case "macro": // calling it is not supported
		p.skipTo("endmacro")
		return nil
	}
	p.at--
	panic(p.fault("{%% %s %%} is not supported", word.text))
}

// skipTo moves behind the tag that ends a statement.
func (p *parser) skipTo(word string) {
	for p.here().kind != endOfTemplate {
		if p.take().kind == blockBegin && p.is(word) {
			p.at++
			p.endTag()
			return
		}
	}
	panic(p.fault("%s, want {%% %s %%}", p.here(), word))
}

func (p *parser) endTag() { p.expectKind(blockEnd, "%}") }

// endOf reads a tag that ends a statement.
func (p *parser) endOf(word string) {
	if p.here().kind != blockBegin {
		panic(p.fault("%s, want {%% %s %%}", p.here(), word))
	}
	p.at++
	p.expect(word)
	p.endTag()
}

// branch reads what follows if or elif.
func (p *parser) branch(line int) statement {
	s := &branch{line: line, condition: p.tuple()}
	p.endTag()
	s.then = p.body()
	if p.here().kind == blockBegin && p.tokens[p.at+1].text == "elif" {
		p.enter()
		defer p.leave()
		p.at += 2
		s.otherwise = []statement{p.branch(p.here().line)}
		return s
	}
	s.otherwise = p.otherwise()
	p.endOf("endif")
	return s
}

// otherwise reads the part after else, if there is one.
func (p *parser) otherwise() []statement {
	if p.here().kind != blockBegin || p.tokens[p.at+1].text != "else" {
		return nil
	}
	p.at += 2
	p.endTag()
	return p.body()
}

// loop reads what follows for.
func (p *parser) loop(line int) statement {
	s, lacking := &loop{line: line, target: p.expectKind(name, "a name").text}, ""
	for p.accept(",") {
		lacking = "a loop over pairs"
		p.expectKind(name, "a name")
	}
	p.expect("in")
	s.over = p.either() // a conditional's if would be the filter's
	if p.accept("if") {
		lacking = "a loop with a condition"
		p.expression()
	}
	if lacking != "" {
		s.over = &unsupported{line: line, what: lacking}
	}
	if p.is("recursive") {
		panic(p.fault("a recursive loop is not supported"))
	}
	p.endTag()
	p.loops++
	s.body = p.body()
	p.loops--
	p.endOf("endfor")
	return s
}

// assignment reads what follows set.
func (p *parser) assignment(line int) statement {
	s := &assignment{line: line, name: p.expectKind(name, "a name").text}
	if p.accept(".") {
		s.field = p.expectKind(name, "the name of a field").text
	}
	switch {
	case p.accept("="):
		s.value = p.tuple()
		p.endTag()
		return s
	case p.here().kind == blockEnd && s.field == "":
		p.at++
		s.body, s.block = p.body(), true
		p.endOf("endset")
		return s
	}
	panic(p.fault("%s in {%% set %%} is not supported", p.here()))
}
