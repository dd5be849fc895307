package topk

import "slices"

// Top is a heap of the k best items that it was offered, with the worst of them at
// its root. Make it with New.
type Top[T any] struct {
	k       int
	compare func(a, b T) int
	items   []T
}

// New returns a Top that keeps k items, none if k is negative. Compare is below 0
// where a is better than b; if no two items are equal to it, what is kept does not
// depend on the order in which they come.
func New[T any](k int, compare func(a, b T) int) *Top[T] {
	return &Top[T]{k: max(k, 0), compare: compare}
}

// Full reports whether k items are kept, so that only one better than Worst
// changes anything.
func (t *Top[T]) Full() bool { return len(t.items) == t.k }

// Worst returns the worst of the items kept, of which there must be one.
func (t *Top[T]) Worst() T { return t.items[0] }

// Offer keeps the item if it is better than one of the k best so far.
func (t *Top[T]) Offer(item T) {
	switch {
	case !t.Full():
		t.items = append(t.items, item)
		t.rise(item)
	case t.k > 0 && t.compare(item, t.items[0]) < 0:
		t.sink(item)
	}
}

// rise moves an item up from the last place to where it belongs.
func (t *Top[T]) rise(item T) {
	at := len(t.items) - 1
	for at > 0 {
		parent := (at - 1) / 2
		if t.compare(item, t.items[parent]) <= 0 {
			break
		}
		t.items[at] = t.items[parent]
		at = parent
	}
	t.items[at] = item
}

// sink puts an item in the place of the root and moves it down to where it
// belongs.
func (t *Top[T]) sink(item T) {
	at := 0
	for {
		child := 2*at + 1
		if child >= len(t.items) {
			break
		}
		if child+1 < len(t.items) && t.compare(t.items[child+1], t.items[child]) > 0 {
			child++
		}
		if t.compare(t.items[child], item) <= 0 {
			break
		}
		t.items[at] = t.items[child]
		at = child
	}
	t.items[at] = item
}

// Sorted returns the items kept, best first. The Top is done with then.
func (t *Top[T]) Sorted() []T {
	slices.SortFunc(t.items, t.compare)
	return t.items
}
