package chat

import (
	"fmt"
	"strconv"
)

// filters are applied with a bar.
var filters = map[string]function{
	"trim":    {run: trim},
	"default": {most: 2, names: []string{"default_value", "boolean"}, run: otherwise},
	"length":  {run: size},
	"string":  {run: func(_ *evaluator, in []value) (value, error) { return show(in[0]) }},
	"join":    {most: 1, names: []string{"d"}, run: join},
	"int":     {run: toInteger},
}

func trim(_ *evaluator, in []value) (value, error) {
	t, err := show(in[0])
	return t.trim(nil, true, true), err
}

// otherwise is default: another value for what is undefined, or, if the second
// argument is true, for what is false.
func otherwise(_ *evaluator, in []value) (value, error) {
	_, unknown := in[0].(undefined)
	if !unknown && !(truth(in[2]) && !truth(in[0])) {
		return in[0], nil
	}
	if in[1] == (missing{}) {
		return text(nil), nil
	}
	return in[1], nil
}

func size(_ *evaluator, in []value) (value, error) {
	n, err := length(in[0])
	return int64(n), err
}

// join returns the elements of a list with a string between them.
func join(_ *evaluator, in []value) (value, error) {
	all, err := elements(in[0])
	if err != nil {
		return nil, err
	}
	separator := text(nil)
	if in[1] != (missing{}) {
		if separator, err = show(in[1]); err != nil {
			return nil, err
		}
	}
	if len(all)*separator.size() > maxSteps*bytesOfStep {
		return nil, errTooLong
	}
	var b builder
	for i, v := range all {
		t, err := show(v)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b.add(separator)
		}
		if b.add(t); b.size > maxSteps*bytesOfStep {
			return nil, errTooLong
		}
	}
	return b.text(), nil
}

// toInteger returns 0 for a string that is no number.
func toInteger(_ *evaluator, in []value) (value, error) {
	if n, ok := number(in[0]); ok {
		return n, nil
	}
	t, ok := in[0].(text)
	if !ok {
		return nil, fmt.Errorf("%s as an integer is not supported", kindOf(in[0]))
	}
	n, err := strconv.ParseInt(t.trim(nil, true, true).String(), 10, 64)
	if err != nil {
		return int64(0), nil
	}
	return n, nil
}
