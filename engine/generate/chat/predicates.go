package chat

// tests are applied with is.
var tests = map[string]function{
	"defined":   {run: is(func(v value) bool { _, ok := v.(undefined); return !ok })},
	"undefined": {run: is(func(v value) bool { _, ok := v.(undefined); return ok })},
	"none":      {run: is(func(v value) bool { return v == nil })},
	"string":    {run: is(func(v value) bool { _, ok := v.(text); return ok })},
	"mapping":   {run: is(isDict)},
	"boolean":   {run: is(func(v value) bool { _, ok := v.(bool); return ok })},
	"number":    {run: is(func(v value) bool { _, ok := number(v); return ok })},
	"true":      {run: is(func(v value) bool { return v == true })},
	"false":     {run: is(func(v value) bool { return v == false })},
	"iterable":  {run: is(func(v value) bool { _, err := elements(v); return err == nil || isDict(v) })},
	"sequence":  {run: is(func(v value) bool { _, err := length(v); return err == nil })},
}

func is(test func(value) bool) func(*evaluator, []value) (value, error) {
	return func(_ *evaluator, in []value) (value, error) { return test(in[0]), nil }
}

func isDict(v value) bool { _, ok := v.(dict); return ok }
