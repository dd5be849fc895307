package chat

import "fmt"

// tests, applied with is.
var tests = map[string]function{
	"defined":   {run: is(func(v value) bool { _, ok := v.(undefined); return !ok })},
	"undefined": {run: is(func(v value) bool { _, ok := v.(undefined); return ok })},
	"none":      {run: is(func(v value) bool { return v == nil })},
	"string":    {run: is(func(v value) bool { _, ok := v.(text); return ok })},
	"mapping":   {run: is(func(v value) bool { _, ok := v.(*dict); return ok })},
	"boolean":   {run: is(func(v value) bool { _, ok := v.(bool); return ok })},
	"integer":   {run: is(func(v value) bool { _, ok := v.(int64); return ok })},
	"float":     {run: is(func(v value) bool { _, ok := v.(float64); return ok })},
	"number":    {run: is(func(v value) bool { _, ok := number(v); return ok })},
	"true":      {run: is(func(v value) bool { return v == true })},
	"false":     {run: is(func(v value) bool { return v == false })},
	"iterable":  {run: is(func(v value) bool { _, err := elements(v); return err == nil })},
	"sequence":  {run: is(func(v value) bool { _, err := length(v); return err == nil })},
	"odd":       {run: remainder(2, 1)},
	"even":      {run: remainder(2, 0)},
	"equalto":   {most: 1, least: 1, run: same},
	"eq":        {most: 1, least: 1, run: same},
	"in":        {most: 1, least: 1, run: func(e *evaluator, in []value) (value, error) { return e.contains(in[1], in[0]) }},
}

func is(test func(value) bool) func(*evaluator, []value) (value, error) {
	return func(_ *evaluator, in []value) (value, error) { return test(in[0]), nil }
}

func same(e *evaluator, in []value) (value, error) { return e.equal(in[0], in[1]), nil }

func remainder(of, want int64) func(*evaluator, []value) (value, error) {
	return func(_ *evaluator, in []value) (value, error) {
		n, ok := in[0].(int64)
		if !ok {
			return nil, fmt.Errorf("%s is neither odd nor even", kindOf(in[0]))
		}
		return ((n%of)+of)%of == want, nil
	}
}
