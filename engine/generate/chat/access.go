package chat

import "fmt"

// fieldOf is a field: a.b.
type fieldOf struct {
	line int
	of   expression
	name string
}

func (x *fieldOf) eval(e *evaluator) value { return fieldValue(x.line, x.of.eval(e), x.name) }

// fieldValue returns the field of a value. A value without fields has an undefined
// one; an undefined value has none, as in the reference.
func fieldValue(line int, of value, name string) value {
	switch of := of.(type) {
	case dict:
		return of.get(name)
	case *namespace:
		return of.fields.get(name)
	case undefined:
		panic(fault(line, "%s has no field %q", kindOf(of), name))
	}
	return undefined{name}
}

// item is an element: a[b].
type item struct {
	line    int
	of, key expression
}

func (x *item) eval(e *evaluator) value {
	of, key := x.of.eval(e), x.key.eval(e)
	switch k := key.(type) {
	case text:
		return fieldValue(x.line, of, k.String())
	case int64:
		return element(x.line, of, k)
	}
	panic(fault(x.line, "%s as a place in %s", kindOf(key), kindOf(of)))
}

// element returns the element of a list at a place, which counts from the end if it
// is negative.
func element(line int, of value, k int64) value {
	name := fmt.Sprintf("element %d", k)
	switch of := of.(type) {
	case undefined:
		panic(fault(line, "%s has no %s", kindOf(of), name))
	case text:
		panic(fault(line, "%s of a string is not supported", name))
	case []value:
		if k < 0 {
			k += int64(len(of))
		}
		if k >= 0 && k < int64(len(of)) {
			return of[k]
		}
	}
	return undefined{name}
}

// slicing is a part of a list: a[from:to:step].
type slicing struct {
	line   int
	of     expression
	bounds [3]expression // nil where there is none
}

func (x *slicing) eval(e *evaluator) value {
	of := x.of.eval(e)
	var bounds [3]*int64
	for i, b := range x.bounds {
		if b == nil {
			continue
		}
		v := b.eval(e)
		if n, ok := v.(int64); ok {
			bounds[i] = &n
		} else if v != nil {
			panic(fault(x.line, "%s as the bound of a slice", kindOf(v)))
		}
	}
	items, ok := of.([]value)
	if !ok {
		panic(fault(x.line, "a slice of %s is not supported", kindOf(of)))
	}
	e.line = x.line
	picked := pick(items, bounds)
	e.charge(x.line, bytesOfStep*len(items))
	return picked
}

// pick returns elements of a list as Python's slices do.
func pick(items []value, bounds [3]*int64) []value {
	n, step := int64(len(items)), int64(1)
	if bounds[2] != nil {
		step = *bounds[2]
	}
	if step == 0 {
		panic(fault(here, "a slice with steps of 0"))
	}
	step = max(min(step, n+1), -n-1) // no step goes further than that
	low, high := int64(0), n         // what bounds are cut to
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
	return picked
}
