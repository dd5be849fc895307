package chat

import "slices"

// function is something that a template may call. The first argument of a filter, a
// test or a method is the value that it is applied to.
type function struct {
	most  int      // arguments, beside that one
	least int      // of them that must be given
	names []string // of the arguments, as far as they may be named
	any   bool     // takes arguments of any name, as one dict
	run   func(e *evaluator, in []value) value
}

// call applies a function. of is nil for a function that is applied to nothing.
type call struct {
	line      int
	name      string
	function  function
	of        expression
	arguments arguments
}

func (x *call) eval(e *evaluator) value {
	in := make([]value, 0, 1+x.function.most)
	if x.of != nil {
		in = append(in, x.of.eval(e))
	}
	in = x.fill(e, in)
	e.line = x.line
	v := x.function.run(e, in)
	e.chargeText(x.line, v)
	return v
}

// fill evaluates the arguments. One that is not given is missing.
func (x *call) fill(e *evaluator, in []value) []value {
	f, a, own := &x.function, &x.arguments, len(in)
	if len(a.values) > f.most {
		panic(fault(x.line, "%s takes %d arguments, not %d", x.name, f.most, len(a.values)))
	}
	for _, argument := range a.values {
		in = append(in, argument.eval(e))
	}
	for len(in) < own+f.most {
		in = append(in, missing{})
	}
	named := dict{}
	for i, name := range a.names {
		v := a.named[i].eval(e)
		if f.any {
			named[name] = v
			continue
		}
		place := slices.Index(f.names, name)
		if place < 0 {
			panic(fault(x.line, "argument %s of %s is not supported", name, x.name))
		}
		in[own+place] = v
	}
	if f.any {
		in = append(in, named)
	}
	for i := range f.least {
		if in[own+i] == (missing{}) {
			panic(fault(x.line, "%s needs %d arguments", x.name, f.least))
		}
	}
	return in
}
