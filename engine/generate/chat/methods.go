package chat

import "strings"

// methods are those of strings, and get of dictionaries.
var methods = map[string]function{
	"strip":      {most: 1, run: strip(true, true)},
	"lstrip":     {most: 1, run: strip(true, false)},
	"rstrip":     {most: 1, run: strip(false, true)},
	"startswith": {most: 1, least: 1, run: affix(strings.HasPrefix)},
	"endswith":   {most: 1, least: 1, run: affix(strings.HasSuffix)},
	"split":      {most: 2, least: 1, names: []string{"sep", "maxsplit"}, run: split},
	"replace":    {most: 2, least: 2, run: replace},
	"get":        {most: 2, least: 1, run: get},
}

// errTooLong ends a rendering that makes too much.
func errTooLong() *Error { return fault(here, "a string that is too long") }

// receiver returns the string that a method is called on.
func receiver(in []value) text {
	t, ok := in[0].(text)
	if !ok {
		panic(fault(here, "%s has no such method", kindOf(in[0])))
	}
	return t
}

// argument returns an argument that must be a string.
func argument(v value) text {
	t, ok := v.(text)
	if !ok {
		panic(fault(here, "%s where a string is wanted", kindOf(v)))
	}
	return t
}

func strip(left, right bool) func(*evaluator, []value) value {
	return func(_ *evaluator, in []value) value {
		t := receiver(in)
		if in[1] == (missing{}) || in[1] == nil {
			return t.trim(nil, left, right)
		}
		set := argument(in[1]).String()
		return t.trim(func(r rune) bool { return strings.ContainsRune(set, r) }, left, right)
	}
}

func affix(has func(s, part string) bool) func(*evaluator, []value) value {
	return func(_ *evaluator, in []value) value { return has(receiver(in).String(), argument(in[1]).String()) }
}

func split(_ *evaluator, in []value) value {
	t, separator := receiver(in), argument(in[1])
	if len(separator) == 0 {
		panic(fault(here, "splitting at nothing"))
	}
	most := int64(-1)
	if in[2] != (missing{}) {
		var ok bool
		if most, ok = in[2].(int64); !ok {
			panic(fault(here, "%s where a number is wanted", kindOf(in[2])))
		}
	}
	var parts []value
	for _, part := range t.split(separator.String(), int(most)) {
		parts = append(parts, part)
	}
	return parts
}

func replace(_ *evaluator, in []value) value {
	t := receiver(in)
	old, first := in[1].(text)
	with, second := in[2].(text)
	if !first || !second {
		panic(fault(here, "replacing %s by %s", kindOf(in[1]), kindOf(in[2])))
	}
	if len(old) == 0 {
		panic(fault(here, "replacing nothing is not supported"))
	}
	if n := strings.Count(t.String(), old.String()); n*with.size() > maxSteps*bytesOfStep {
		panic(errTooLong())
	}
	var b builder
	for i, part := range t.split(old.String(), -1) {
		if i > 0 {
			b.add(with)
		}
		b.add(part)
	}
	return b.text()
}

func get(_ *evaluator, in []value) value {
	d, ok := in[0].(dict)
	key, isText := in[1].(text)
	if !ok || !isText {
		panic(fault(here, "getting %s of %s", kindOf(in[1]), kindOf(in[0])))
	}
	if v, ok := d[key.String()]; ok {
		return v
	}
	if in[2] == (missing{}) {
		return nil
	}
	return in[2]
}
