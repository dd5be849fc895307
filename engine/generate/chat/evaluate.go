package chat

import (
	"fmt"
	"math"
	"slices"
)

// expression is a part of a template that has a value.
type expression interface {
	eval(e *evaluator) (value, error)
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
	d := newDict()
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
		d.setText(s, v)
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

// logical is and, or. Its value is that of the side that decides.
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
	switch v := v.(type) {
	case int64:
		return -v, nil
	case float64:
		return -v, nil
	}
	return nil, &Error{Line: x.line, Reason: fmt.Sprintf("%s has no sign", kindOf(v))}
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
	case "<", "<=", ">", ">=":
		order, err := compare(a, b)
		is := map[string]bool{"<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0}
		return is[operator], err
	case "~":
		left, err := show(a)
		if err != nil {
			return nil, err
		}
		right, err := show(b)
		return join(left, right), err
	case "+":
		if s, ok := a.(text); ok {
			if t, ok := b.(text); ok {
				return join(s, t), nil
			}
		}
		if s, ok := a.([]value); ok {
			if t, ok := b.([]value); ok {
				return slices.Concat(s, t), nil
			}
		}
	}
	return calculate(operator, a, b)
}

// calculate applies an operator of numbers.
func calculate(operator string, a, b value) (value, error) {
	i, first := a.(int64)
	j, second := b.(int64)
	if first && second && operator != "/" {
		return calculateIntegers(operator, i, j)
	}
	x, first := number(a)
	y, second := number(b)
	if !first || !second {
		return nil, fmt.Errorf("%s %s %s is not supported", kindOf(a), operator, kindOf(b))
	}
	if y == 0 && (operator == "/" || operator == "//" || operator == "%") {
		return nil, fmt.Errorf("division by zero")
	}
	switch operator {
	case "+":
		return x + y, nil
	case "-":
		return x - y, nil
	case "*":
		return x * y, nil
	case "/":
		return x / y, nil
	case "//":
		return math.Floor(x / y), nil
	}
	return x - y*math.Floor(x/y), nil
}

func calculateIntegers(operator string, i, j int64) (value, error) {
	switch operator {
	case "+":
		return i + j, nil
	case "-":
		return i - j, nil
	case "*":
		return i * j, nil
	}
	if j == 0 {
		return nil, fmt.Errorf("division by zero")
	}
	if j == -1 { // the one quotient that may not fit
		if operator == "//" {
			return -i, nil
		}
		return int64(0), nil
	}
	quotient, rest := i/j, i%j
	if rest != 0 && (rest < 0) != (j < 0) { // towards minus infinity
		quotient, rest = quotient-1, rest+j
	}
	if operator == "//" {
		return quotient, nil
	}
	return rest, nil
}
