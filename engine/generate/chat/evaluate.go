package chat

import (
	"errors"
	"fmt"
	"slices"
)

// expression is a part of a template that has a value.
type expression interface {
	eval(e *evaluator) (value, error)
}

// unsupported is an expression that this package lacks. Templates have many for
// tools and pictures, which no conversation reaches.
type unsupported struct {
	line int
	what string
}

func (x *unsupported) eval(*evaluator) (value, error) {
	return nil, &Error{Line: x.line, Reason: x.what + " is not supported", unsupported: true}
}

type literal struct{ value value }

func (x *literal) eval(*evaluator) (value, error) { return x.value, nil }

type variable struct {
	line int
	name string
}

func (x *variable) eval(e *evaluator) (value, error) {
	v := e.scope.get(x.name)
	if _, ok := v.(undefined); ok {
		// A function's name is defined, and that is all that it is good for.
		if _, ok := functions[x.name]; ok {
			return true, nil
		}
	}
	return v, e.charge(x.line, 0)
}

type listing struct{ items []expression }

func (x *listing) eval(e *evaluator) (value, error) {
	list := make([]value, len(x.items))
	for i, item := range x.items {
		v, err := item.eval(e)
		if err != nil {
			return nil, err
		}
		list[i] = v
	}
	return list, nil
}

type dictionary struct {
	line         int
	keys, values []expression
}

func (x *dictionary) eval(e *evaluator) (value, error) {
	d := dict{}
	for i, key := range x.keys {
		k, err := key.eval(e)
		if err != nil {
			return nil, err
		}
		s, ok := k.(text)
		if !ok {
			return nil, &Error{Line: x.line, Reason: fmt.Sprintf("%s as the key of a dictionary is not supported", kindOf(k))}
		}
		v, err := x.values[i].eval(e)
		if err != nil {
			return nil, err
		}
		d[s.String()] = v
	}
	return d, nil
}

type conditional struct {
	line                       int
	condition, then, otherwise expression // otherwise may be nil
}

func (x *conditional) eval(e *evaluator) (value, error) {
	c, err := x.condition.eval(e)
	if err != nil {
		return nil, err
	}
	if truth(c) {
		return x.then.eval(e)
	}
	if x.otherwise == nil {
		return undefined{"the value of an if without else"}, nil
	}
	return x.otherwise.eval(e)
}

// logical is and, or. Its value is the value of the side that decides.
type logical struct {
	or          bool
	left, right expression
}

func (x *logical) eval(e *evaluator) (value, error) {
	v, err := x.left.eval(e)
	if err != nil || truth(v) == x.or {
		return v, err
	}
	return x.right.eval(e)
}

type negation struct{ value expression }

func (x *negation) eval(e *evaluator) (value, error) {
	v, err := x.value.eval(e)
	return !truth(v), err
}

type minus struct {
	line  int
	value expression
}

func (x *minus) eval(e *evaluator) (value, error) {
	v, err := x.value.eval(e)
	if err != nil {
		return nil, err
	}
	n, ok := v.(int64)
	if !ok {
		return nil, &Error{Line: x.line, Reason: fmt.Sprintf("%s has no sign", kindOf(v))}
	}
	return -n, nil
}

// binary is an operator between two values.
type binary struct {
	line        int
	operator    string
	left, right expression
}

func (x *binary) eval(e *evaluator) (value, error) {
	left, err := x.left.eval(e)
	if err != nil {
		return nil, err
	}
	right, err := x.right.eval(e)
	if err != nil {
		return nil, err
	}
	v, err := e.operate(x.operator, left, right)
	if err != nil {
		return nil, at(x.line, err)
	}
	return v, e.chargeText(x.line, v)
}

// operate applies an operator.
func (e *evaluator) operate(operator string, a, b value) (value, error) {
	switch operator {
	case "==":
		return e.equal(a, b), nil
	case "!=":
		return !e.equal(a, b), nil
	case "in":
		return e.contains(b, a)
	case "not in":
		found, err := e.contains(b, a)
		return !found, err
	case "~":
		left, err := show(a)
		if err != nil {
			return nil, err
		}
		right, err := show(b)
		return concat(left, right), err
	case "+":
		if s, ok := a.(text); ok {
			if t, ok := b.(text); ok {
				return concat(s, t), nil
			}
		}
		if s, ok := a.([]value); ok {
			if t, ok := b.([]value); ok {
				return slices.Concat(s, t), nil
			}
		}
	}
	i, first := number(a)
	j, second := number(b)
	if !first || !second {
		return nil, fmt.Errorf("%s %s %s is not supported", kindOf(a), operator, kindOf(b))
	}
	return calculate(operator, i, j)
}

// calculate applies an operator of numbers. Only integers are supported.
func calculate(operator string, i, j int64) (value, error) {
	switch operator {
	case "<":
		return i < j, nil
	case "<=":
		return i <= j, nil
	case ">":
		return i > j, nil
	case ">=":
		return i >= j, nil
	case "+":
		return i + j, nil
	case "-":
		return i - j, nil
	case "*":
		return i * j, nil
	}
	if j == 0 {
		return nil, errors.New("division by zero")
	}
	rest := i % j
	if rest != 0 && (rest < 0) != (j < 0) { // Python's has the sign of j
		rest += j
	}
	return rest, nil
}
