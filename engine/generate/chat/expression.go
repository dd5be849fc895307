package chat

import "strconv"

// expression reads an expression with its condition: a if b else c.
func (p *parser) expression() (expression, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	e, err := p.either()
	if err != nil {
		return nil, err
	}
	for p.is("if") {
		c := &conditional{line: p.take().line, then: e}
		if c.condition, err = p.either(); err != nil {
			return nil, err
		}
		if p.accept("else") {
			if c.otherwise, err = p.expression(); err != nil {
				return nil, err
			}
		}
		e = c
	}
	return e, nil
}

// tuple reads expressions with commas between them: a list, if there are any.
func (p *parser) tuple() (expression, error) {
	e, err := p.expression()
	if err != nil || !p.is(",") {
		return e, err
	}
	list := &listing{items: []expression{e}}
	for p.accept(",") {
		if k := p.here().kind; k == printEnd || k == blockEnd || p.is(")") {
			break
		}
		if e, err = p.expression(); err != nil {
			return nil, err
		}
		list.items = append(list.items, e)
	}
	return list, nil
}

// levels are the binary operators, those that bind least first. "or", "and"
// and "not" come before them.
var levels = [][]string{
	{"==", "!=", "<", "<=", ">", ">=", "in", "not"},
	{"+", "-"},
	{"~"},
	{"*", "%"},
}

// either reads a or b.
func (p *parser) either() (expression, error) { return p.logical("or", p.both) }

// both reads a and b.
func (p *parser) both() (expression, error) { return p.logical("and", p.negation) }

func (p *parser) logical(word string, part func() (expression, error)) (expression, error) {
	left, err := part()
	for err == nil && p.accept(word) {
		var right expression
		if right, err = part(); err == nil {
			left = &logical{or: word == "or", left: left, right: right}
		}
	}
	return left, err
}

// negation reads not a.
func (p *parser) negation() (expression, error) {
	if !p.is("not") {
		return p.binary(0)
	}
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	p.at++
	e, err := p.negation()
	return &negation{e}, err
}

// binary reads the operators of a level and of those that bind more.
func (p *parser) binary(level int) (expression, error) {
	if level == len(levels) {
		return p.unary(true)
	}
	left, err := p.binary(level + 1)
	if err != nil {
		return nil, err
	}
	for chained := false; ; chained = true {
		o := p.operatorOf(level)
		if o == "" {
			return left, nil
		}
		line := p.take().line
		if o == "not" {
			o = "not in"
			p.at++
		}
		right, err := p.binary(level + 1)
		if err != nil {
			return nil, err
		}
		if level == 0 && chained {
			return nil, p.errorf("a chain of comparisons is not supported")
		}
		left = &binary{line: line, operator: o, left: left, right: right}
	}
}

// operatorOf returns the next token if it is an operator of a level, else "".
func (p *parser) operatorOf(level int) string {
	for _, o := range levels[level] {
		if p.is(o) && (o != "not" || p.tokens[p.at+1].text == "in") {
			return o
		}
	}
	return ""
}

// unary reads signs, and an operand with the fields and calls behind it. Filters and
// tests behind it apply to the operand with its sign.
func (p *parser) unary(filters bool) (expression, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	var e expression
	var err error
	if t := p.here(); p.accept("-") || p.accept("+") {
		if e, err = p.unary(false); err == nil && t.text == "-" {
			e = &minus{line: t.line, value: e}
		}
	} else if e, err = p.primary(); err == nil {
		e, err = p.postfix(e)
	}
	if err == nil && p.is("**") {
		err = p.errorf("** is not supported")
	}
	if err != nil || !filters {
		return e, err
	}
	return p.filtered(e)
}

// primary reads a value.
func (p *parser) primary() (expression, error) {
	t := p.take()
	switch {
	case t.kind == name:
		if v, ok := constants[t.text]; ok {
			return &literal{v}, nil
		}
		return &variable{line: t.line, name: t.text}, nil
	case t.kind == quoted:
		s := t.text
		for p.here().kind == quoted { // neighbours are one string
			s += p.take().text
		}
		return &literal{written(s)}, nil
	case t.kind == integer:
		n, err := strconv.ParseInt(t.text, 10, 64)
		if err != nil {
			return nil, p.errorf("number %s is too large", t.text)
		}
		return &literal{n}, nil
	case t.kind == operator && t.text == "(":
		if p.accept(")") {
			return &listing{}, nil
		}
		e, err := p.tuple()
		if err != nil {
			return nil, err
		}
		return e, p.expect(")")
	case t.kind == operator && t.text == "[":
		items, err := p.listed("]")
		return &listing{items: items}, err
	case t.kind == operator && t.text == "{":
		return p.dictionary()
	}
	if t.kind != endOfTemplate {
		p.at--
	}
	return nil, p.errorf("%s, want an expression", t)
}

var constants = map[string]value{
	"true": true, "True": true, "false": false, "False": false, "none": nil, "None": nil,
}

// listed reads expressions up to a bracket.
func (p *parser) listed(end string) ([]expression, error) {
	var items []expression
	for !p.accept(end) {
		if len(items) > 0 {
			if err := p.expect(","); err != nil {
				return nil, err
			}
			if p.accept(end) {
				break
			}
		}
		e, err := p.expression()
		if err != nil {
			return nil, err
		}
		items = append(items, e)
	}
	return items, nil
}

// dictionary reads one behind its bracket.
func (p *parser) dictionary() (expression, error) {
	d := &dictionary{line: p.here().line}
	for !p.accept("}") {
		if len(d.keys) > 0 {
			if err := p.expect(","); err != nil {
				return nil, err
			}
			if p.accept("}") {
				break
			}
		}
		key, err := p.expression()
		if err != nil {
			return nil, err
		}
		if err := p.expect(":"); err != nil {
			return nil, err
		}
		v, err := p.expression()
		if err != nil {
			return nil, err
		}
		d.keys, d.values = append(d.keys, key), append(d.values, v)
	}
	return d, nil
}
