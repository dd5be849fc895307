package chat

import (
	"fmt"
	"slices"
)

// function is something that a template may call. The first argument of a filter, a
// test or a method is the value that it is applied to.
type function struct {
	most  int      // arguments, beside that one
	least int      // of them that must be given
	names []string // of the arguments, as far as they may be named
	any   bool     // takes arguments of any name, as one dict
	run   func(e *evaluator, in []value) (value, error)
}

// call applies a function. of is nil for a function that is applied to nothing.
type call struct {
	line      int
	name      string
	function  function
	of        expression
	arguments arguments
}

func (x *call) eval(e *evaluator) (value, error) {
	in := make([]value, 0, 1+x.function.most)
	if x.of != nil {
		v, err := x.of.eval(e)
		if err != nil {
			return nil, err
		}
		in = append(in, v)
	}
	in, err := x.fill(e, in)
	if err != nil {
		return nil, err
	}
	v, err := x.function.run(e, in)
	if err != nil {
		return nil, at(x.line, err)
	}
	return v, e.chargeText(x.line, v)
}

// fill evaluates the arguments. One that is not given is missing.
func (x *call) fill(e *evaluator, in []value) ([]value, error) {
	f, a, own := &x.function, &x.arguments, len(in)
	if len(a.values) > f.most {
		return nil, &Error{Line: x.line, Reason: fmt.Sprintf("%s takes %d arguments, not %d", x.name, f.most, len(a.values))}
	}
	for _, argument := range a.values {
		v, err := argument.eval(e)
		if err != nil {
			return nil, err
		}
		in = append(in, v)
	}
	for len(in) < own+f.most {
		in = append(in, missing{})
	}
	named := dict{}
	for i, name := range a.names {
		v, err := a.named[i].eval(e)
		if err != nil {
			return nil, err
		}
		if f.any {
			named[name] = v
			continue
		}
		place := slices.Index(f.names, name)
		if place < 0 {
			return nil, &Error{Line: x.line, Reason: fmt.Sprintf("argument %s of %s is not supported", name, x.name)}
		}
		in[own+place] = v
	}
	if f.any {
		in = append(in, named)
	}
	for i := range f.least {
		if in[own+i] == (missing{}) {
			return nil, &Error{Line: x.line, Reason: fmt.Sprintf("%s needs %d arguments", x.name, f.least)}
		}
	}
	return in, nil
}
