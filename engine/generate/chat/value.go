package chat

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// value is nil (none), undefined, bool, int64, text, []value, dict or *namespace.
type value any

// undefined is a name or a field that does not exist. It is false, prints as
// nothing, and has no fields.
type undefined struct{ name string }

// missing stands for an argument that was not given.
type missing struct{}

// dict is a dictionary. Nothing here depends on the order of its keys.
type dict map[string]value

func (d dict) get(key string) value {
	if v, ok := d[key]; ok {
		return v
	}
	return undefined{key}
}

// namespace is a dict whose fields a template may set.
type namespace struct{ fields dict }

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
	case int64:
		return "a number"
	case text:
		return "a string"
	case []value:
		return "a list"
	case dict:
		return "a dictionary"
	}
	return "a namespace"
}

// truth reports whether an if takes a value for true.
func truth(v value) bool {
	switch v := v.(type) {
	case bool:
		return v
	case int64:
		return v != 0
	case text:
		return len(v) > 0
	case []value:
		return len(v) > 0
	case dict:
		return len(v) > 0
	case *namespace:
		return true
	}
	return false
}

// show returns a value as it is printed. Lists and dictionaries are not printed.
func show(v value) text {
	switch v := v.(type) {
	case nil:
		return written("None")
	case undefined:
		return nil
	case bool:
		if v {
			return written("True")
		}
		return written("False")
	case int64:
		return written(strconv.FormatInt(v, 10))
	case text:
		return v
	}
	panic(fault(here, "printing %s is not supported", kindOf(v)))
}

// number returns a value as a number. Truth values are 1 and 0.
func number(v value) (int64, bool) {
	switch v := v.(type) {
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	case int64:
		return v, true
	}
	return 0, false
}

// equal compares by value. Where that takes too long, the next charge fails.
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
		return ok && slices.EqualFunc(a, l, e.equal)
	case dict:
		d, ok := b.(dict)
		return ok && maps.EqualFunc(a, d, e.equal)
	case *namespace:
		return b == value(a)
	}
	return false
}

// contains reports whether a value is in another.
func (e *evaluator) contains(in, v value) bool {
	s, isText := v.(text)
	switch in := in.(type) {
	case text:
		if !isText {
			panic(fault(here, "looking for %s in a string", kindOf(v)))
		}
		return strings.Contains(in.String(), s.String())
	case []value:
		return slices.ContainsFunc(in, func(x value) bool { return e.equal(x, v) })
	case dict:
		_, found := in[s.String()]
		return isText && found
	case undefined:
		return false
	}
	panic(fault(here, "looking for %s in %s", kindOf(v), kindOf(in)))
}

// elements returns what a loop goes over.
func elements(v value) []value {
	switch v := v.(type) {
	case []value:
		return v
	case undefined:
		return nil
	case text:
		return v.characters()
	case dict:
		panic(fault(here, "going over a dictionary is not supported"))
	}
	panic(fault(here, "%s is nothing to go over", kindOf(v)))
}

// length returns the number of elements of a value, or of characters.
func length(v value) int {
	switch v := v.(type) {
	case []value:
		return len(v)
	case dict:
		return len(v)
	case text:
		return len(v.characters())
	case undefined:
		return 0
	}
	panic(fault(here, "%s has no length", kindOf(v)))
}
