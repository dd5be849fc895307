package chat

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// value is nil (none), undefined, bool, int64, float64, text, []value, *dict or
// *namespace.
type value any

// undefined is a name or a field that there is not. It is false, prints as
// nothing, and has no fields.
type undefined struct{ name string }

// missing stands for an argument that was not given.
type missing struct{}

// dict keeps its keys in the order in which they came.
type dict struct {
	keys   []string
	values map[string]value
	names  map[string]text // keys as they came
}

func newDict() *dict { return &dict{values: map[string]value{}, names: map[string]text{}} }

func (d *dict) set(key string, v value) { d.setText(written(key), v) }

func (d *dict) setText(key text, v value) {
	k := key.String()
	if _, ok := d.values[k]; !ok {
		d.keys = append(d.keys, k)
		d.names[k] = key
	}
	d.values[k] = v
}

func (d *dict) get(key string) value {
	if v, ok := d.values[key]; ok {
		return v
	}
	return undefined{key}
}

// namespace is a dict whose fields may be set.
type namespace struct{ fields *dict }

// kindOf names the type of a value.
func kindOf(v value) string {
	switch v := v.(type) {
	case nil:
		return "none"
	case undefined:
		return fmt.Sprintf("%q, which is undefined,", v.name)
	case missing:
		return "nothing"
	case bool:
		return "a truth value"
	case int64, float64:
		return "a number"
	case text:
		return "a string"
	case []value:
		return "a list"
	case *dict:
		return "a dictionary"
	}
	return "a namespace"
}

// truth is what an if makes of a value.
func truth(v value) bool {
	switch v := v.(type) {
	case bool:
		return v
	case int64:
		return v != 0
	case float64:
		return v != 0
	case text:
		return len(v) > 0
	case []value:
		return len(v) > 0
	case *dict:
		return len(v.keys) > 0
	case *namespace:
		return true
	}
	return false
}

// show is a value as it is printed. Lists and dictionaries are not.
func show(v value) (text, error) {
	switch v := v.(type) {
	case nil:
		return written("None"), nil
	case undefined:
		return nil, nil
	case bool:
		if v {
			return written("True"), nil
		}
		return written("False"), nil
	case int64:
		return written(strconv.FormatInt(v, 10)), nil
	case float64:
		return written(showFloat(v)), nil
	case text:
		return v, nil
	}
	return nil, fmt.Errorf("printing %s is not supported", kindOf(v))
}

// showFloat writes a number as Python does.
func showFloat(f float64) string {
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// number is a value as a float. Truth values count.
func number(v value) (float64, bool) {
	switch v := v.(type) {
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// equal compares by value. Where that takes too long the next charge says so.
func (e *evaluator) equal(a, b value) bool {
	if e.steps++; e.steps > maxSteps {
		return false
	}
	if x, ok := number(a); ok {
		y, ok := number(b)
		return ok && x == y
	}
	switch a := a.(type) {
	case nil:
		return b == nil
	case undefined:
		_, ok := b.(undefined)
		return ok
	case text:
		s, ok := b.(text)
		return ok && a.String() == s.String()
	case []value:
		l, ok := b.([]value)
		return ok && slices.EqualFunc(a, l, func(x, y value) bool { return e.equal(x, y) })
	case *dict:
		d, ok := b.(*dict)
		if !ok || len(a.keys) != len(d.keys) {
			return false
		}
		for key, v := range a.values {
			if other, ok := d.values[key]; !ok || !e.equal(v, other) {
				return false
			}
		}
		return true
	case *namespace:
		return b == value(a)
	}
	return false
}

// compare is the order of numbers, or of strings.
func compare(a, b value) (int, error) {
	x, first := number(a)
	y, second := number(b)
	if first && second {
		switch {
		case x < y:
			return -1, nil
		case x > y:
			return 1, nil
		}
		return 0, nil
	}
	s, first := a.(text)
	t, second := b.(text)
	if first && second {
		return strings.Compare(s.String(), t.String()), nil
	}
	return 0, fmt.Errorf("%s and %s have no order", kindOf(a), kindOf(b))
}

// contains says whether a value is in another.
func (e *evaluator) contains(in, v value) (bool, error) {
	switch in := in.(type) {
	case text:
		s, ok := v.(text)
		if !ok {
			return false, fmt.Errorf("looking for %s in a string", kindOf(v))
		}
		return strings.Contains(in.String(), s.String()), nil
	case []value:
		return slices.ContainsFunc(in, func(x value) bool { return e.equal(x, v) }), nil
	case *dict:
		s, ok := v.(text)
		_, found := in.values[s.String()]
		return ok && found, nil
	case undefined:
		return false, nil
	}
	return false, fmt.Errorf("looking for %s in %s", kindOf(v), kindOf(in))
}

// elements are what a loop goes over.
func elements(v value) ([]value, error) {
	switch v := v.(type) {
	case []value:
		return v, nil
	case undefined:
		return nil, nil
	case text:
		var all []value
		for _, c := range v.characters() {
			all = append(all, c)
		}
		return all, nil
	case *dict:
		var all []value
		for _, key := range v.keys {
			all = append(all, v.names[key])
		}
		return all, nil
	}
	return nil, fmt.Errorf("%s is nothing to go over", kindOf(v))
}

// length is how many elements there are.
func length(v value) (int, error) {
	if l, ok := v.([]value); ok {
		return len(l), nil
	}
	if d, ok := v.(*dict); ok {
		return len(d.keys), nil
	}
	if t, ok := v.(text); ok {
		n := 0
		for _, s := range t {
			n += len([]rune(s.Text))
		}
		return n, nil
	}
	if _, ok := v.(undefined); ok {
		return 0, nil
	}
	return 0, fmt.Errorf("%s has no length", kindOf(v))
}
