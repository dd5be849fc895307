package chat

import (
	"errors"
	"fmt"
	"strings"
)

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
var errTooLong = errors.New("a string that is too long")

// receiver returns the string that a method is called on.
func receiver(in []value) (text, error) {
	t, ok := in[0].(text)
	if !ok {
		return nil, fmt.Errorf("%s has no such method", kindOf(in[0]))
	}
	return t, nil
}

// argument returns an argument that must be a string.
func argument(v value) (text, error) {
	t, ok := v.(text)
	if !ok {
		return nil, fmt.Errorf("%s where a string is wanted", kindOf(v))
	}
	return t, nil
}

func strip(left, right bool) func(*evaluator, []value) (value, error) {
	return func(_ *evaluator, in []value) (value, error) {
		t, err := receiver(in)
		if err != nil {
			return nil, err
		}
		if in[1] == (missing{}) || in[1] == nil {
			return t.trim(nil, left, right), nil
		}
		set, err := argument(in[1])
		if err != nil {
			return nil, err
		}
		return t.trim(func(r rune) bool { return strings.ContainsRune(set.String(), r) }, left, right), nil
	}
}

func affix(has func(s, part string) bool) func(*evaluator, []value) (value, error) {
	return func(_ *evaluator, in []value) (value, error) {
		t, err := receiver(in)
		if err != nil {
			return nil, err
		}
		part, err := argument(in[1])
		return has(t.String(), part.String()), err
	}
}

func split(_ *evaluator, in []value) (value, error) {
	t, err := receiver(in)
	if err != nil {
		return nil, err
	}
	separator, err := argument(in[1])
	if err != nil {
		return nil, err
	}
	if len(separator) == 0 {
		return nil, errors.New("splitting at nothing")
	}
	most := int64(-1)
	if in[2] != (missing{}) {
		var ok bool
		if most, ok = in[2].(int64); !ok {
			return nil, fmt.Errorf("%s where a number is wanted", kindOf(in[2]))
		}
	}
	var parts []value
	for _, part := range t.split(separator.String(), int(most)) {
		parts = append(parts, part)
	}
	return parts, nil
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
		return nil, errors.New("replacing nothing is not supported")
	}
	if n := strings.Count(t.String(), old.String()); n*with.size() > maxSteps*bytesOfStep {
		return nil, errTooLong
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

func get(_ *evaluator, in []value) (value, error) {
	d, ok := in[0].(dict)
	key, isText := in[1].(text)
	if !ok || !isText {
		return nil, fmt.Errorf("getting %s of %s", kindOf(in[1]), kindOf(in[0]))
	}
	if v, ok := d[key.String()]; ok {
		return v, nil
	}
	if in[2] == (missing{}) {
		return nil, nil
	}
	return in[2], nil
}
