package chat

import "fmt"

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

func (p *parser) errorf(format string, arguments ...any) error {
	return &Error{Line: p.here().line, Reason: fmt.Sprintf(format, arguments...)}
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

func (p *parser) expect(text string) error {
	if !p.accept(text) {
		return p.errorf("%s, want %s", p.here(), text)
	}
	return nil
}

func (p *parser) expectKind(k kind, what string) (token, error) {
	if p.here().kind != k {
		return token{}, p.errorf("%s, want %s", p.here(), what)
	}
	return p.take(), nil
}

// enter counts a level of nesting; leave goes back.
func (p *parser) enter() error {
	if p.depth++; p.depth > maxDepth {
		return p.errorf("nested deeper than %d", maxDepth)
	}
	return nil
}

func (p *parser) leave() { p.depth-- }

// body reads statements up to a tag that ends them or the end of the template,
// which it leaves there.
func (p *parser) body() ([]statement, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	var all []statement
	for {
		switch t := p.here(); t.kind {
		case endOfTemplate:
			return all, nil
		case data:
			p.at++
			all = append(all, &output{line: t.line, value: &literal{written(t.text)}})
		case printBegin:
			p.at++
			e, err := p.tuple()
			if err != nil {
				return nil, err
			}
			if _, err := p.expectKind(printEnd, "}}"); err != nil {
				return nil, err
			}
			all = append(all, &output{line: t.line, value: e})
		default: // blockBegin
			if ends[p.tokens[p.at+1].text] {
				return all, nil
			}
			s, err := p.statement()
			if err != nil {
				return nil, err
			}
			if s != nil {
				all = append(all, s)
			}
		}
	}
}

// ends are the words that end a body.
var ends = map[string]bool{
	"elif": true, "else": true, "endif": true, "endfor": true, "endset": true, "endgeneration": true,
}

// statement reads one.
func (p *parser) statement() (statement, error) {
	p.at++ // {%
	word, err := p.expectKind(name, "a statement")
	if err != nil {
		return nil, err
	}
	switch word.text {
	case "if":
		return p.branch(word.line)
	case "for":
		return p.loop(word.line)
	case "set":
		return p.assignment(word.line)
	case "break":
		if p.loops == 0 {
			return nil, p.errorf("break outside of a loop")
		}
		return jump{}, p.endTag()
	case "generation": // marks what the model said, for training; it changes nothing
		if err := p.endTag(); err != nil {
			return nil, err
		}
		body, err := p.body()
		if err != nil {
			return nil, err
		}
		return &group{body}, p.endOf("endgeneration")
	case "macro": // calling it is not supported
		return nil, p.skipTo("endmacro")
	}
	p.at--
	return nil, p.errorf("{%% %s %%} is not supported", word.text)
}

// skipTo moves behind the tag that ends a statement.
func (p *parser) skipTo(word string) error {
	for p.here().kind != endOfTemplate {
		if p.take().kind == blockBegin && p.is(word) {
			p.at++
			return p.endTag()
		}
	}
	return p.errorf("%s, want {%% %s %%}", p.here(), word)
}

func (p *parser) endTag() error {
	_, err := p.expectKind(blockEnd, "%}")
	return err
}

// endOf reads a tag that ends a statement.
func (p *parser) endOf(word string) error {
	if p.here().kind != blockBegin {
		return p.errorf("%s, want {%% %s %%}", p.here(), word)
	}
	p.at++
	if err := p.expect(word); err != nil {
		return err
	}
	return p.endTag()
}

// branch reads what follows if or elif.
func (p *parser) branch(line int) (statement, error) {
	condition, err := p.tuple()
	if err != nil {
		return nil, err
	}
	if err := p.endTag(); err != nil {
		return nil, err
	}
	s := &branch{line: line, condition: condition}
	if s.then, err = p.body(); err != nil {
		return nil, err
	}
	if p.here().kind == blockBegin && p.tokens[p.at+1].text == "elif" {
		if err := p.enter(); err != nil {
			return nil, err
		}
		defer p.leave()
		p.at += 2
		other, err := p.branch(p.here().line)
		if err != nil {
			return nil, err
		}
		s.otherwise = []statement{other}
		return s, nil
	}
	if s.otherwise, err = p.otherwise(); err != nil {
		return nil, err
	}
	return s, p.endOf("endif")
}

// otherwise reads the part after else, if there is one.
func (p *parser) otherwise() ([]statement, error) {
	if p.here().kind != blockBegin || p.tokens[p.at+1].text != "else" {
		return nil, nil
	}
	p.at += 2
	if err := p.endTag(); err != nil {
		return nil, err
	}
	return p.body()
}

// loop reads what follows for.
func (p *parser) loop(line int) (statement, error) {
	target, err := p.expectKind(name, "a name")
	if err != nil {
		return nil, err
	}
	s, lacking := &loop{line: line, target: target.text}, ""
	for p.accept(",") {
		lacking = "a loop over pairs"
		if _, err := p.expectKind(name, "a name"); err != nil {
			return nil, err
		}
	}
	if err := p.expect("in"); err != nil {
		return nil, err
	}
	if s.over, err = p.either(); err != nil { // a conditional's if would be the filter's
		return nil, err
	}
	if p.accept("if") {
		lacking = "a loop with a condition"
		if _, err = p.expression(); err != nil {
			return nil, err
		}
	}
	if lacking != "" {
		s.over = &unsupported{line: line, what: lacking}
	}
	if p.is("recursive") {
		return nil, p.errorf("a recursive loop is not supported")
	}
	if err := p.endTag(); err != nil {
		return nil, err
	}
	p.loops++
	s.body, err = p.body()
	p.loops--
	if err != nil {
		return nil, err
	}
	return s, p.endOf("endfor")
}

// assignment reads what follows set.
func (p *parser) assignment(line int) (statement, error) {
	target, err := p.expectKind(name, "a name")
	if err != nil {
		return nil, err
	}
	s := &assignment{line: line, name: target.text}
	if p.accept(".") {
		field, err := p.expectKind(name, "the name of a field")
		if err != nil {
			return nil, err
		}
		s.field = field.text
	}
	switch {
	case p.accept("="):
		if s.value, err = p.tuple(); err != nil {
			return nil, err
		}
		return s, p.endTag()
	case p.here().kind == blockEnd && s.field == "":
		p.at++
		if s.body, err = p.body(); err != nil {
			return nil, err
		}
		s.block = true
		return s, p.endOf("endset")
	}
	return nil, p.errorf("%s in {%% set %%} is not supported", p.here())
}
