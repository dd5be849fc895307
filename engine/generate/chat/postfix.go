package chat

// postfix reads fields, places, slices and calls behind a value.
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

// call reads the arguments of a function, which must be a known one.
func (p *parser) call(of expression) (expression, error) {
	v, ok := of.(*variable)
	if !ok {
		return nil, p.errorf("calling a value is not supported")
	}
	f, ok := functions[v.name]
	if !ok {
		return nil, p.errorf("function %s is not supported", v.name)
	}
	a, err := p.arguments()
	return &call{line: v.line, name: v.name, function: f, arguments: a}, err
}

// method reads the arguments of a method, which must be a known one.
func (p *parser) method(of expression, n token) (expression, error) {
	f, ok := methods[n.text]
	if !ok {
		return nil, p.errorf("method %s is not supported", n.text)
	}
	a, err := p.arguments()
	return &call{line: n.line, name: n.text, function: f, of: of, arguments: a}, err
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
	f, ok := filters[n.text]
	if !ok {
		return nil, p.errorf("filter %s is not supported", n.text)
	}
	c := &call{line: n.line, name: n.text, function: f, of: of}
	if p.is("(") {
		c.arguments, err = p.arguments()
	}
	return c, err
}

// test reads what follows is.
func (p *parser) test(of expression) (expression, error) {
	negated := p.accept("not")
	n, err := p.expectKind(name, "the name of a test")
	if err != nil {
		return nil, err
	}
	f, ok := tests[n.text]
	if !ok {
		return nil, p.errorf("test %s is not supported", n.text)
	}
	c := &call{line: n.line, name: n.text, function: f, of: of}
	if p.is("(") {
		if c.arguments, err = p.arguments(); err != nil {
			return nil, err
		}
	} else if f.most > 0 && p.beginsArgument() {
		argument, err := p.primary()
		if err != nil {
			return nil, err
		}
		c.arguments.values = []expression{argument}
	}
	if negated {
		return &negation{c}, nil
	}
	return c, nil
}

// beginsArgument says whether a value comes next that may stand behind a test
// without brackets.
func (p *parser) beginsArgument() bool {
	switch t := p.here(); t.kind {
	case quoted, integer, float:
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
