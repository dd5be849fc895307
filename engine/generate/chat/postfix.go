package chat

// postfix reads fields, elements, slices and calls behind a value.
func (p *parser) postfix(e expression) expression {
	for {
		t := p.here()
		switch {
		case p.accept("."):
			if p.here().kind == integer {
				panic(p.fault("a number as a field is not supported"))
			}
			field := p.expectKind(name, "the name of a field")
			if p.is("(") {
				e = known(&call{line: field.line, name: field.text, of: e, arguments: p.arguments()}, "method", methods)
			} else {
				e = &fieldOf{line: t.line, of: e, name: field.text}
			}
		case p.accept("["):
			e = p.place(e, t.line)
		case p.is("("):
			v, ok := e.(*variable)
			if !ok {
				panic(p.fault("calling a value is not supported"))
			}
			e = known(&call{line: v.line, name: v.name, arguments: p.arguments()}, "function", functions)
		default:
			return e
		}
	}
}

// place reads what stands between brackets behind a value.
func (p *parser) place(of expression, line int) expression {
	var bounds [3]expression
	n, slice := 0, false
	for !p.accept("]") {
		if p.accept(":") {
			slice = true
			if n++; n > 2 {
				panic(p.fault("a slice of too many parts"))
			}
			continue
		}
		if bounds[n] != nil {
			panic(p.fault("%s, want ]", p.here()))
		}
		bounds[n] = p.expression()
	}
	if slice {
		return &slicing{line: line, of: of, bounds: bounds}
	}
	if bounds[0] == nil {
		panic(p.fault("nothing between brackets"))
	}
	return &item{line: line, of: of, key: bounds[0]}
}

// known looks a call up in a table. What the table lacks becomes an expression that
// fails when it is evaluated.
func known(c *call, what string, table map[string]function) expression {
	f, ok := table[c.name]
	if !ok {
		return &unsupported{line: c.line, what: what + " " + c.name}
	}
	c.function = f
	return c
}

// filtered reads filters and tests behind a value.
func (p *parser) filtered(e expression) expression {
	for {
		switch {
		case p.accept("|"):
			e = p.filter(e)
		case p.accept("is"):
			e = p.test(e)
		default:
			return e
		}
	}
}

func (p *parser) filter(of expression) expression {
	n := p.expectKind(name, "the name of a filter")
	c := &call{line: n.line, name: n.text, of: of}
	if p.is("(") {
		c.arguments = p.arguments()
	}
	return known(c, "filter", filters)
}

// test reads what follows is.
func (p *parser) test(of expression) expression {
	negated := p.accept("not")
	n := p.expectKind(name, "the name of a test")
	c := &call{line: n.line, name: n.text, of: of}
	if p.is("(") {
		c.arguments = p.arguments()
	} else if p.beginsArgument() {
		c.arguments.values = []expression{p.primary()}
	}
	e := known(c, "test", tests)
	if negated {
		e = &negation{e}
	}
	return e
}

// beginsArgument reports whether the next token begins an argument without brackets.
func (p *parser) beginsArgument() bool {
	switch t := p.here(); t.kind {
	case quoted, integer:
		return true
	case name:
		return !reserved[t.text]
	}
	return p.is("[") || p.is("{")
}

// reserved words do not begin an argument without brackets.
var reserved = map[string]bool{"and": true, "or": true, "not": true, "else": true, "if": true, "is": true, "in": true}

// arguments of a call.
type arguments struct {
	values []expression
	names  []string // of those that have one, the last of them
	named  []expression
}

func (p *parser) arguments() (a arguments) {
	p.expect("(")
	p.listed(")", func() {
		n := ""
		if p.here().kind == name && p.tokens[p.at+1].kind == operator && p.tokens[p.at+1].text == "=" {
			n = p.take().text
			p.at++
		}
		e := p.expression()
		switch {
		case n != "":
			a.names, a.named = append(a.names, n), append(a.named, e)
		case len(a.names) > 0:
			panic(p.fault("an argument without a name behind one with a name"))
		default:
			a.values = append(a.values, e)
		}
	})
	return a
}
