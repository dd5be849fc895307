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
	"iterable":  {run: is(hasLength)},
	"sequence":  {run: is(hasLength)},
}

func is(test func(value) bool) func(*evaluator, []value) value {
	return func(_ *evaluator, in []value) value { return test(in[0]) }
}

func isDict(v value) bool { _, ok := v.(dict); return ok }

// hasLength reports whether a value is a list, a dictionary, a string or undefined.
func hasLength(v value) bool {
	switch v.(type) {
	case []value, dict, text, undefined:
		return true
	}
	return false
}
