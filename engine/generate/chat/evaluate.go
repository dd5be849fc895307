package chat

import "slices"

// expression is a part of a template that has a value.
type expression interface {
	eval(e *evaluator) value
}

// unsupported is an expression that this package lacks. Templates have many for
// tools and pictures, which no conversation reaches.
type unsupported struct {
	line int
	what string
}

func (x *unsupported) eval(*evaluator) value {
	panic(&Error{Line: x.line, Reason: x.what + " is not supported", unsupported: true})
}

type literal struct{ value value }

func (x *literal) eval(*evaluator) value { return x.value }

type variable struct {
	line int
	name string
}

func (x *variable) eval(e *evaluator) value {
	v := e.scope.get(x.name)
	if _, ok := v.(undefined); ok {
		// A function's name is defined, and that is all that it is good for.
		if _, ok := functions[x.name]; ok {
			return true
		}
	}
	e.charge(x.line, 0)
	return v
}

type listing struct{ items []expression }

func (x *listing) eval(e *evaluator) value {
	list := make([]value, len(x.items))
	for i, item := range x.items {
		list[i] = item.eval(e)
	}
	return list
}

type dictionary struct {
	line         int
	keys, values []expression
}

func (x *dictionary) eval(e *evaluator) value {
	d := dict{}
	for i, key := range x.keys {
		k := key.eval(e)
		s, ok := k.(text)
		if !ok {
			panic(fault(x.line, "%s as the key of a dictionary is not supported", kindOf(k)))
		}
		d[s.String()] = x.values[i].eval(e)
	}
	return d
}

type conditional struct {
	condition, then, otherwise expression // otherwise may be nil
}

func (x *conditional) eval(e *evaluator) value {
	switch {
	case truth(x.condition.eval(e)):
		return x.then.eval(e)
	case x.otherwise == nil:
		return undefined{"the value of an if without else"}
	}
	return x.otherwise.eval(e)
}

// logical is and, or. Its value is the value of the side that decides.
type logical struct {
	or          bool
	left, right expression
}

func (x *logical) eval(e *evaluator) value {
	if v := x.left.eval(e); truth(v) == x.or {
		return v
	}
	return x.right.eval(e)
}

type negation struct{ value expression }

func (x *negation) eval(e *evaluator) value { return !truth(x.value.eval(e)) }

type minus struct {
	line  int
	value expression
}

func (x *minus) eval(e *evaluator) value {
	v := x.value.eval(e)
	n, ok := v.(int64)
	if !ok {
		panic(fault(x.line, "%s has no sign", kindOf(v)))
	}
	return -n
}

// binary is an operator between two values.
type binary struct {
	line        int
	operator    string
	left, right expression
}

func (x *binary) eval(e *evaluator) value {
	left, right := x.left.eval(e), x.right.eval(e)
	e.line = x.line
	v := e.operate(x.operator, left, right)
	e.chargeText(x.line, v)
	return v
}

// operate applies an operator.
func (e *evaluator) operate(operator string, a, b value) value {
	switch operator {
	case "==":
		return e.equal(a, b)
	case "!=":
		return !e.equal(a, b)
	case "in":
		return e.contains(b, a)
	case "not in":
		return !e.contains(b, a)
	case "~":
		return concat(show(a), show(b))
	case "+":
		if s, ok := a.(text); ok {
			if t, ok := b.(text); ok {
				return concat(s, t)
			}
		}
		if s, ok := a.([]value); ok {
			if t, ok := b.([]value); ok {
				return slices.Concat(s, t)
			}
		}
	}
	i, first := number(a)
	j, second := number(b)
	if !first || !second {
		panic(fault(here, "%s %s %s is not supported", kindOf(a), operator, kindOf(b)))
	}
	return calculate(operator, i, j)
}

// calculate applies an operator of numbers. Only integers are supported.
func calculate(operator string, i, j int64) value {
	switch operator {
	case "<":
		return i < j
	case "<=":
		return i <= j
	case ">":
		return i > j
	case ">=":
		return i >= j
	case "+":
		return i + j
	case "-":
		return i - j
	case "*":
		return i * j
	}
	if j == 0 {
		panic(fault(here, "division by zero"))
	}
	rest := i % j
	if rest != 0 && (rest < 0) != (j < 0) { // Python's has the sign of j
		rest += j
	}
	return rest
}

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
