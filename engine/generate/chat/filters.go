package chat

import (
	"fmt"
	"slices"
	"strconv"
)

// filters, applied with a bar.
var filters = map[string]function{
	"trim":    {most: 1, names: []string{"chars"}, run: trim},
	"default": {most: 2, names: []string{"default_value", "boolean"}, run: otherwise},
	"d":       {most: 2, names: []string{"default_value", "boolean"}, run: otherwise},
	"length":  {run: size},
	"count":   {run: size},
	"string":  {run: func(_ *evaluator, in []value) (value, error) { return show(in[0]) }},
	"safe":    {run: func(_ *evaluator, in []value) (value, error) { return show(in[0]) }},
	"list":    {run: func(_ *evaluator, in []value) (value, error) { return elements(in[0]) }},
	"first":   {run: func(_ *evaluator, in []value) (value, error) { return outermost(in[0], true) }},
	"last":    {run: func(_ *evaluator, in []value) (value, error) { return outermost(in[0], false) }},
	"reverse": {run: reversed},
	"items":   {run: items},
	"join":    {most: 1, names: []string{"d"}, run: joinFilter},
	"replace": {most: 2, least: 2, names: []string{"old", "new"}, run: replaceFilter},
	"int":     {run: toInteger},
	"tojson":  {most: 1, names: []string{"indent"}, run: toJSON},
}

func trim(_ *evaluator, in []value) (value, error) {
	t, err := show(in[0])
	if err != nil {
		return nil, err
	}
	set, given, err := string1(in, 1)
	if !given {
		return t.trim(nil, true, true), err
	}
	return t.trim(&set, true, true), err
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

func outermost(v value, first bool) (value, error) {
	all, err := elements(v)
	if err != nil {
		return nil, err
	}
	switch {
	case len(all) == 0:
		return undefined{"an element of nothing"}, nil
	case first:
		return all[0], nil
	}
	return all[len(all)-1], nil
}

func reversed(_ *evaluator, in []value) (value, error) {
	all, err := elements(in[0])
	if err != nil {
		return nil, err
	}
	all = slices.Clone(all)
	slices.Reverse(all)
	if _, ok := in[0].(text); ok {
		return joined(all, text(nil))
	}
	return all, nil
}

func joinFilter(_ *evaluator, in []value) (value, error) {
	if in[1] == (missing{}) {
		return joined(in[0], text(nil))
	}
	return joined(in[0], in[1])
}

// replaceFilter is the method for everything that can be printed.
func replaceFilter(e *evaluator, in []value) (value, error) {
	t, err := show(in[0])
	if err != nil {
		return nil, err
	}
	return replace(e, []value{t, in[1], in[2]})
}

// toInteger gives 0 for what is no number.
func toInteger(_ *evaluator, in []value) (value, error) {
	switch v := in[0].(type) {
	case bool, int64:
		n, _ := number(v)
		return int64(n), nil
	case float64:
		if v < -1<<53 || v > 1<<53 || v != v {
			return nil, fmt.Errorf("number %g as an integer", v)
		}
		return int64(v), nil
	case text:
		trimmed := v.trim(nil, true, true)
		if n, err := strconv.ParseInt(trimmed.String(), 10, 64); err == nil {
			return n, nil
		}
	}
	return int64(0), nil
}
