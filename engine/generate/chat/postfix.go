package chat

// postfix reads fields, elements, slices and calls behind a value.
func (p *parser) postfix(e expression) (expression, error) {
	for {
		t := p.here()
		var err error
		switch {
		case p.accept("."):
			var field token
			if p.here().kind == integer {
				return nil, p.errorf("a number as a field is not supported")
			}
			if field, err = p.expectKind(name, "the name of a field"); err != nil {
				return nil, err
			}
			if p.is("(") {
				e, err = p.method(e, field)
			} else {
				e = &fieldOf{line: t.line, of: e, name: field.text}
			}
		case p.accept("["):
			e, err = p.place(e, t.line)
		case p.is("("):
			e, err = p.call(e)
		default:
			return e, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// place reads what stands between brackets behind a value.
func (p *parser) place(of expression, line int) (expression, error) {
	var bounds [3]expression
	n, slice := 0, false
	for !p.accept("]") {
		if p.accept(":") {
			slice = true
			if n++; n > 2 {
				return nil, p.errorf("a slice of too many parts")
			}
			continue
		}
		if bounds[n] != nil {
			return nil, p.errorf("%s, want ]", p.here())
		}
		var err error
		if bounds[n], err = p.expression(); err != nil {
			return nil, err
		}
	}
	if slice {
		return &slicing{line: line, of: of, bounds: bounds}, nil
	}
	if bounds[0] == nil {
		return nil, p.errorf("nothing between brackets")
	}
	return &item{line: line, of: of, key: bounds[0]}, nil
}

// call reads the arguments of a function.
func (p *parser) call(of expression) (expression, error) {
	v, ok := of.(*variable)
	if !ok {
		return nil, p.errorf("calling a value is not supported")
	}
	a, err := p.arguments()
	return known(&call{line: v.line, name: v.name, arguments: a}, "function", functions), err
}

// method reads the arguments of a method.
func (p *parser) method(of expression, n token) (expression, error) {
	a, err := p.arguments()
	return known(&call{line: n.line, name: n.text, of: of, arguments: a}, "method", methods), err
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
func (p *parser) filtered(e expression) (expression, error) {
	for {
		var err error
		switch {
		case p.accept("|"):
			e, err = p.filter(e)
		case p.accept("is"):
			e, err = p.test(e)
		default:
			return e, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

func (p *parser) filter(of expression) (expression, error) {
	n, err := p.expectKind(name, "the name of a filter")
	if err != nil {
		return nil, err
	}
	c := &call{line: n.line, name: n.text, of: of}
	if p.is("(") {
		c.arguments, err = p.arguments()
	}
	return known(c, "filter", filters), err
}

// test reads what follows is.
func (p *parser) test(of expression) (expression, error) {
	negated := p.accept("not")
	n, err := p.expectKind(name, "the name of a test")
	if err != nil {
		return nil, err
	}
	c := &call{line: n.line, name: n.text, of: of}
	if p.is("(") {
		if c.arguments, err = p.arguments(); err != nil {
			return nil, err
		}
	} else if p.beginsArgument() {
		argument, err := p.primary()
		if err != nil {
			return nil, err
		}
		c.arguments.values = []expression{argument}
	}
	e := known(c, "test", tests)
	if negated {
		e = &negation{e}
	}
	return e, nil
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

func (p *parser) arguments() (arguments, error) {
	var a arguments
	if err := p.expect("("); err != nil {
		return a, err
	}
	for first := true; !p.accept(")"); first = false {
		if !first {
			if err := p.expect(","); err != nil {
				return a, err
			}
			if p.accept(")") {
				break
			}
		}
		n := ""
		if p.here().kind == name && p.tokens[p.at+1].kind == operator && p.tokens[p.at+1].text == "=" {
			n = p.take().text
			p.at++
		}
		e, err := p.expression()
		if err != nil {
			return a, err
		}
		if n != "" {
			a.names, a.named = append(a.names, n), append(a.named, e)
		} else if len(a.names) > 0 {
			return a, p.errorf("an argument without a name behind one with a name")
		} else {
			a.values = append(a.values, e)
		}
	}
	return a, nil
}
