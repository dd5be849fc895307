package chat

import "strconv"

// filters are applied with a bar.
var filters = map[string]function{
	"trim":    {run: func(_ *evaluator, in []value) value { return show(in[0]).trim(nil, true, true) }},
	"default": {most: 2, names: []string{"default_value", "boolean"}, run: otherwise},
	"length":  {run: func(_ *evaluator, in []value) value { return int64(length(in[0])) }},
	"string":  {run: func(_ *evaluator, in []value) value { return show(in[0]) }},
	"join":    {most: 1, names: []string{"d"}, run: join},
	"int":     {run: toInteger},
}

// otherwise is default: another value for what is undefined, or, if the second
// argument is true, for what is false.
func otherwise(_ *evaluator, in []value) value {
	_, unknown := in[0].(undefined)
	if !unknown && !(truth(in[2]) && !truth(in[0])) {
		return in[0]
	}
	if in[1] == (missing{}) {
		return text(nil)
	}
	return in[1]
}

// join returns the elements of a list with a string between them.
func join(_ *evaluator, in []value) value {
	all := elements(in[0])
	separator := text(nil)
	if in[1] != (missing{}) {
		separator = show(in[1])
	}
	if len(all)*separator.size() > maxSteps*bytesOfStep {
		panic(errTooLong())
	}
	var b builder
	for i, v := range all {
		t := show(v)
		if i > 0 {
			b.add(separator)
		}
		if b.add(t); b.size > maxSteps*bytesOfStep {
			panic(errTooLong())
		}
	}
	return b.text()
}

// toInteger returns 0 for a string that is no number.
func toInteger(_ *evaluator, in []value) value {
	if n, ok := number(in[0]); ok {
		return n
	}
	t, ok := in[0].(text)
	if !ok {
		panic(fault(here, "%s as an integer is not supported", kindOf(in[0])))
	}
	n, err := strconv.ParseInt(t.trim(nil, true, true).String(), 10, 64)
	if err != nil {
		return int64(0)
	}
	return n
}
