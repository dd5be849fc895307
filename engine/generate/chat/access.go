package chat

import (
	"fmt"
)

// fieldOf is a field: a.b.
type fieldOf struct {
	line int
	of   expression
	name string
}

func (x *fieldOf) eval(e *evaluator) (value, error) {
	v, err := x.of.eval(e)
	if err != nil {
		return nil, err
	}
	return fieldValue(x.line, v, x.name)
}

// fieldValue is the field of a value; what has none has an undefined one, but
// what is undefined itself is an error, as in the reference.
func fieldValue(line int, of value, name string) (value, error) {
	switch of := of.(type) {
	case *dict:
		return of.get(name), nil
	case *namespace:
		return of.fields.get(name), nil
	case undefined:
		return nil, &Error{Line: line, Reason: fmt.Sprintf("%s has no field %q", kindOf(of), name)}
	}
	return undefined{name}, nil
}

// item is a place: a[b].
type item struct {
	line    int
	of, key expression
}

func (x *item) eval(e *evaluator) (value, error) {
	of, err := x.of.eval(e)
	if err != nil {
		return nil, err
	}
	key, err := x.key.eval(e)
	if err != nil {
		return nil, err
	}
	switch k := key.(type) {
	case text:
		return fieldValue(x.line, of, k.String())
	case int64:
		return place(x.line, of, k)
	}
	return nil, &Error{Line: x.line, Reason: fmt.Sprintf("%s as a place in %s", kindOf(key), kindOf(of))}
}

// place is the element at a place, from the end if that is negative.
func place(line int, of value, k int64) (value, error) {
	name := fmt.Sprintf("element %d", k)
	if u, ok := of.(undefined); ok {
		return nil, &Error{Line: line, Reason: fmt.Sprintf("%s has no %s", kindOf(u), name)}
	}
	items, ok := of.([]value)
	if t, isText := of.(text); isText {
		var err error
		if items, err = elements(t); err != nil {
			return nil, err
		}
		ok = true
	}
	if k < 0 {
		k += int64(len(items))
	}
	if !ok || k < 0 || k >= int64(len(items)) {
		return undefined{name}, nil
	}
	return items[k], nil
}

// slicing is a part of a list or a string: a[from:to:step].
type slicing struct {
	line   int
	of     expression
	bounds [3]expression // nil where there is none
}

func (x *slicing) eval(e *evaluator) (value, error) {
	of, err := x.of.eval(e)
	if err != nil {
		return nil, err
	}
	var bounds [3]*int64
	for i, b := range x.bounds {
		if b == nil {
			continue
		}
		v, err := b.eval(e)
		if err != nil {
			return nil, err
		}
		if n, ok := v.(int64); ok {
			bounds[i] = &n
		} else if v != nil {
			return nil, &Error{Line: x.line, Reason: fmt.Sprintf("%s as the bound of a slice", kindOf(v))}
		}
	}
	whole, isText := of.(text)
	items, isList := of.([]value)
	if isText {
		if items, err = elements(whole); err != nil {
			return nil, err
		}
	} else if !isList {
		return nil, &Error{Line: x.line, Reason: fmt.Sprintf("a slice of %s", kindOf(of))}
	}
	picked, err := pick(items, bounds)
	if err != nil {
		return nil, at(x.line, err)
	}
	if err := e.charge(x.line, bytesOfStep*len(items)); err != nil {
		return nil, err
	}
	if !isText {
		return picked, nil
	}
	var b builder
	for _, c := range picked {
		b.add(c.(text))
	}
	return b.text(), nil
}

// pick takes elements as Python's slices do.
func pick(items []value, bounds [3]*int64) ([]value, error) {
	n, step := int64(len(items)), int64(1)
	if bounds[2] != nil {
		step = *bounds[2]
	}
	if step == 0 || step > n+1 || step < -n-1 {
		if step == 0 {
			return nil, fmt.Errorf("a slice with steps of 0")
		}
		step = max(min(step, n+1), -n-1) // no step goes further than that
	}
	low, high := int64(0), n // what bounds are cut to
	from, to := int64(0), n
	if step < 0 {
		low, high = -1, n-1
		from, to = n-1, -1
	}
	cut := func(b *int64, otherwise int64) int64 {
		if b == nil {
			return otherwise
		}
		v := *b
		if v < 0 {
			v = max(v, -n-1) + n
		}
		return max(low, min(v, high))
	}
	from, to = cut(bounds[0], from), cut(bounds[1], to)
	picked := []value{}
	for i := from; step > 0 && i < to || step < 0 && i > to; i += step {
		picked = append(picked, items[i])
	}
	return picked, nil
}
