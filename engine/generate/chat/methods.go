package chat

import (
	"fmt"
	"strings"
)

// methods of strings and dictionaries.
var methods = map[string]function{
	"strip":      {most: 1, run: strip(true, true)},
	"lstrip":     {most: 1, run: strip(true, false)},
	"rstrip":     {most: 1, run: strip(false, true)},
	"startswith": {most: 1, least: 1, run: affix(strings.HasPrefix)},
	"endswith":   {most: 1, least: 1, run: affix(strings.HasSuffix)},
	"split":      {most: 2, names: []string{"sep", "maxsplit"}, run: split},
	"splitlines": {run: splitLines},
	"replace":    {most: 2, least: 2, run: replace},
	"join":       {most: 1, least: 1, run: func(e *evaluator, in []value) (value, error) { return joined(in[1], in[0]) }},
	"items":      {run: items},
	"keys":       {run: func(_ *evaluator, in []value) (value, error) { return ofDict(in[0], elements) }},
	"values":     {run: values},
	"get":        {most: 2, least: 1, run: get},
}

// receiver is the string that a method is called on.
func receiver(in []value) (text, error) {
	t, ok := in[0].(text)
	if !ok {
		return nil, fmt.Errorf("%s has no such method", kindOf(in[0]))
	}
	return t, nil
}

func strip(left, right bool) func(*evaluator, []value) (value, error) {
	return func(_ *evaluator, in []value) (value, error) {
		t, err := receiver(in)
		if err != nil {
			return nil, err
		}
		set, given, err := string1(in, 1)
		if !given {
			return t.trim(nil, left, right), err
		}
		return t.trim(&set, left, right), err
	}
}

func affix(has func(s, part string) bool) func(*evaluator, []value) (value, error) {
	return func(_ *evaluator, in []value) (value, error) {
		t, err := receiver(in)
		if err != nil {
			return nil, err
		}
		part, given, err := string1(in, 1)
		if err == nil && !given {
			err = fmt.Errorf("%s where a string is wanted", kindOf(in[1]))
		}
		return has(t.String(), part), err
	}
}

func split(e *evaluator, in []value) (value, error) {
	t, err := receiver(in)
	if err != nil {
		return nil, err
	}
	separator, given, err := string1(in, 1)
	if err != nil {
		return nil, err
	}
	most, limited := in[2].(int64)
	if in[2] != (missing{}) && !limited {
		return nil, fmt.Errorf("%s where a number is wanted", kindOf(in[2]))
	}
	if !limited {
		most = -1
	}
	var parts []text
	switch {
	case given && separator == "":
		return nil, fmt.Errorf("splitting at nothing")
	case given:
		parts = t.split(separator, int(most))
	case limited:
		return nil, fmt.Errorf("splitting at white space a number of times is not supported")
	default:
		parts = t.fields()
	}
	return e.texts(parts)
}

// texts is a list of strings.
func (e *evaluator) texts(parts []text) (value, error) {
	list := make([]value, len(parts))
	for i, part := range parts {
		list[i] = part
	}
	return list, nil
}

func splitLines(e *evaluator, in []value) (value, error) {
	t, err := receiver(in)
	if err != nil {
		return nil, err
	}
	all, at := t.String(), 0
	var parts []text
	for at < len(all) {
		end := strings.IndexAny(all[at:], "\r\n")
		if end < 0 {
			parts = append(parts, t.cut(at, len(all)))
			break
		}
		parts = append(parts, t.cut(at, at+end))
		at += end + 1
		if all[at-1] == '\r' && at < len(all) && all[at] == '\n' {
			at++
		}
	}
	return e.texts(parts)
}

func replace(_ *evaluator, in []value) (value, error) {
	t, err := receiver(in)
	if err != nil {
		return nil, err
	}
	old, first := in[1].(text)
	with, second := in[2].(text)
	if !first || !second {
		return nil, fmt.Errorf("replacing %s by %s", kindOf(in[1]), kindOf(in[2]))
	}
	if len(old) == 0 {
		return nil, fmt.Errorf("replacing nothing is not supported")
	}
	if n := strings.Count(t.String(), old.String()); n*with.size() > maxSteps*bytesOfStep {
		return nil, fmt.Errorf("a string that is too long")
	}
	var b builder
	for i, part := range t.split(old.String(), -1) {
		if i > 0 {
			b.add(with)
		}
		b.add(part)
	}
	return b.text(), nil
}

// joined is the elements of a list with a string between them.
func joined(list, between value) (value, error) {
	all, err := elements(list)
	if err != nil {
		return nil, err
	}
	separator, err := show(between)
	if err != nil {
		return nil, err
	}
	if len(all)*separator.size() > maxSteps*bytesOfStep {
		return nil, fmt.Errorf("a string that is too long")
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
			return nil, fmt.Errorf("a string that is too long")
		}
	}
	return b.text(), nil
}

// ofDict applies fn to a dictionary.
func ofDict(v value, fn func(value) ([]value, error)) (value, error) {
	d, ok := v.(*dict)
	if !ok {
		return nil, fmt.Errorf("%s has no such method", kindOf(v))
	}
	return fn(d)
}

func items(_ *evaluator, in []value) (value, error) {
	return ofDict(in[0], func(v value) ([]value, error) {
		d := v.(*dict)
		var all []value
		for _, key := range d.keys {
			all = append(all, []value{d.names[key], d.values[key]})
		}
		return all, nil
	})
}

func values(_ *evaluator, in []value) (value, error) {
	return ofDict(in[0], func(v value) ([]value, error) {
		d := v.(*dict)
		var all []value
		for _, key := range d.keys {
			all = append(all, d.values[key])
		}
		return all, nil
	})
}

func get(_ *evaluator, in []value) (value, error) {
	d, ok := in[0].(*dict)
	key, isText := in[1].(text)
	if !ok || !isText {
		return nil, fmt.Errorf("getting %s of %s", kindOf(in[1]), kindOf(in[0]))
	}
	if v, ok := d.values[key.String()]; ok {
		return v, nil
	}
	if in[2] == (missing{}) {
		return nil, nil
	}
	return in[2], nil
}
