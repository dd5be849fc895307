package chat

import (
	"strconv"
	"strings"
	"time"
)

// functions are called by their name alone.
var functions = map[string]function{
	"raise_exception": {most: 1, least: 1, names: []string{"message"}, run: raise},
	"namespace":       {any: true, run: func(_ *evaluator, in []value) value { return &namespace{in[0].(dict)} }},
	"strftime_now":    {most: 1, least: 1, names: []string{"format"}, run: now},
	"range":           {most: 3, least: 1, run: count},
}

// raise is how a template refuses messages.
func raise(_ *evaluator, in []value) value { panic(fault(here, "%s", show(in[0]))) }

// now returns the time of rendering, by the directives of strftime.
func now(e *evaluator, in []value) value {
	format, ok := in[0].(text)
	if !ok {
		panic(fault(here, "%s as a format", kindOf(in[0])))
	}
	var out strings.Builder
	all := format.String()
	for i := 0; i < len(all); i++ {
		if all[i] != '%' {
			out.WriteByte(all[i])
			continue
		}
		if i++; i == len(all) {
			panic(fault(here, "a format that ends with %%"))
		}
		layout, ok := directives[all[i]]
		if !ok {
			panic(fault(here, "directive %%%c of a time is not supported", all[i]))
		}
		out.WriteString(e.now.Format(layout))
	}
	return written(out.String())
}

// directives maps those of strftime to layouts of time.Format. The locale is English,
// as models were trained with it.
var directives = map[byte]string{
	'd': "02", 'm': "01", 'b': "Jan", 'B': "January", 'y': "06", 'Y': "2006", 'a': "Mon", 'A': "Monday", 'j': "002",
	'H': "15", 'I': "03", 'M': "04", 'S': "05", 'p': "PM", 'F': time.DateOnly, 'T': time.TimeOnly, '%': "%",
}

// count is Python's range.
func count(_ *evaluator, in []value) value {
	from, to, step := int64(0), int64(0), int64(1)
	bounds := []*int64{&from, &to, &step}
	if in[1] == (missing{}) {
		bounds = []*int64{&to}
	}
	for i, b := range bounds {
		if in[i] == (missing{}) {
			break
		}
		n, ok := in[i].(int64)
		if !ok {
			panic(fault(here, "%s as the bound of a range", kindOf(in[i])))
		}
		*b = n
	}
	if step == 0 {
		panic(fault(here, "a range with steps of 0"))
	}
	list := []value{}
	for i := from; step > 0 && i < to || step < 0 && i > to; {
		if len(list) >= maxSteps/bytesOfStep {
			panic(fault(here, "a range without end"))
		}
		list = append(list, i)
		next := i + step
		if (next > i) != (step > 0) { // beyond what a number holds
			break
		}
		i = next
	}
	return list
}

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
