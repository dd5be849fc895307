package chat

import "strconv"

// expression reads an expression with its condition: a if b else c.
func (p *parser) expression() expression {
	p.enter()
	defer p.leave()
	e := p.either()
	for p.accept("if") {
		c := &conditional{then: e, condition: p.either()}
		if p.accept("else") {
			c.otherwise = p.expression()
		}
		e = c
	}
	return e
}

// tuple reads expressions with commas between them: a list, if there are any.
func (p *parser) tuple() expression {
	e := p.expression()
	if !p.is(",") {
		return e
	}
	list := &listing{items: []expression{e}}
	for p.accept(",") {
		if k := p.here().kind; k == printEnd || k == blockEnd || p.is(")") {
			break
		}
		list.items = append(list.items, p.expression())
	}
	return list
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
func (p *parser) either() expression { return p.logical("or", p.both) }

// both reads a and b.
func (p *parser) both() expression { return p.logical("and", p.negation) }

func (p *parser) logical(word string, part func() expression) expression {
	left := part()
	for p.accept(word) {
		left = &logical{or: word == "or", left: left, right: part()}
	}
	return left
}

// negation reads not a.
func (p *parser) negation() expression {
	if !p.is("not") {
		return p.binary(0)
	}
	p.enter()
	defer p.leave()
	p.at++
	return &negation{p.negation()}
}

// binary reads the operators of a level and of those that bind more.
func (p *parser) binary(level int) expression {
	if level == len(levels) {
		return p.unary(true)
	}
	left := p.binary(level + 1)
	for chained := false; ; chained = true {
		o := p.operatorOf(level)
		if o == "" {
			return left
		}
		line := p.take().line
		if o == "not" {
			o = "not in"
			p.at++
		}
		right := p.binary(level + 1)
		if level == 0 && chained {
			panic(p.fault("a chain of comparisons is not supported"))
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
func (p *parser) unary(filters bool) expression {
	p.enter()
	defer p.leave()
	var e expression
	if t := p.here(); p.accept("-") {
		e = &minus{line: t.line, value: p.unary(false)}
	} else if p.accept("+") {
		e = p.unary(false)
	} else {
		e = p.postfix(p.primary())
	}
	if p.is("**") {
		panic(p.fault("** is not supported"))
	}
	if !filters {
		return e
	}
	return p.filtered(e)
}

// primary reads a value.
func (p *parser) primary() expression {
	t := p.take()
	switch {
	case t.kind == name:
		if v, ok := constants[t.text]; ok {
			return &literal{v}
		}
		return &variable{line: t.line, name: t.text}
	case t.kind == quoted:
		s := t.text
		for p.here().kind == quoted { // neighbours are one string
			s += p.take().text
		}
		return &literal{written(s)}
	case t.kind == integer:
		n, err := strconv.ParseInt(t.text, 10, 64)
		if err != nil {
			panic(p.fault("number %s is too large", t.text))
		}
		return &literal{n}
	case t.kind == operator && t.text == "(":
		if p.accept(")") {
			return &listing{}
		}
		e := p.tuple()
		p.expect(")")
		return e
	case t.kind == operator && t.text == "[":
		list := &listing{}
		p.listed("]", func() { list.items = append(list.items, p.expression()) })
		return list
	case t.kind == operator && t.text == "{":
		return p.dictionary()
	}
	if t.kind != endOfTemplate {
		p.at--
	}
	panic(p.fault("%s, want an expression", t))
}

var constants = map[string]value{
	"true": true, "True": true, "false": false, "False": false, "none": nil, "None": nil,
}

// listed reads items with commas between them, and perhaps one behind the last, up to a
// bracket.
func (p *parser) listed(end string, item func()) {
	for first := true; !p.accept(end); first = false {
		if !first {
			p.expect(",")
			if p.accept(end) {
				return
			}
		}
		item()
	}
}

// dictionary reads one behind its bracket.
func (p *parser) dictionary() expression {
	d := &dictionary{line: p.here().line}
	p.listed("}", func() {
		d.keys = append(d.keys, p.expression())
		p.expect(":")
		d.values = append(d.values, p.expression())
	})
	return d
}
