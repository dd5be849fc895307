package store

import (
	"bytes"
	"encoding/binary"
)

// treeBounds limits a page: its depth, and keys in [low, high), where nil is
// unbounded.
type treeBounds struct {
	low, high []byte
	level     int
	buckets   bool // values of the leaves are buckets: the file's root
}

func (w *pageWalk) tree(id uint64, bounds treeBounds) {
	if w.done() {
		return
	}
	if bounds.level > maxTreeDepth {
		w.problem(id, "lies deeper than any tree can be")
		return
	}
	p, ok := w.open(id, bounds.buckets || w.depth == pageKeys)
	if !ok {
		return
	}
	switch {
	case p.flags == flagBranch:
		w.branch(p, bounds)
	case p.flags == flagLeaf && bounds.buckets:
		w.roots(p)
	case p.flags == flagLeaf:
		w.leaf(p, bounds)
	default:
		w.problem(id, "is neither branch nor leaf (flags %#x)", p.flags)
	}
}

// element is one key of a page and its value or child.
type element struct {
	flags    uint32
	child    uint64 // of a branch
	key      []byte // nil when the page was not read whole
	start    int64  // of the key, in the page
	keySize  int64
	dataSize int64 // of the value, in a leaf
}

// element reads entry i and checks that its parts lie inside the page.
func (w *pageWalk) element(p page, i int) (element, bool) {
	at := int64(pageHeaderBytes + i*elementBytes)
	b, order := p.data[at:], binary.NativeEndian
	var e element
	if p.flags == flagBranch {
		e = element{start: at + int64(order.Uint32(b)), keySize: int64(order.Uint32(b[4:])), child: order.Uint64(b[8:])}
	} else {
		e = element{flags: order.Uint32(b), start: at + int64(order.Uint32(b[4:])),
			keySize: int64(order.Uint32(b[8:])), dataSize: int64(order.Uint32(b[12:]))}
	}
	if e.start < pageHeaderBytes+int64(p.count)*elementBytes || e.start+e.keySize+e.dataSize > p.size {
		w.problem(p.id, "element %d lies outside of it", i)
		return e, false
	}
	if e.start+e.keySize <= int64(len(p.data)) {
		e.key = p.data[e.start : e.start+e.keySize]
	}
	return e, true
}

func (w *pageWalk) branch(p page, bounds treeBounds) {
	if p.count == 0 {
		w.problem(p.id, "is a branch without children")
		return
	}
	elements := make([]element, 0, p.count)
	for i := range p.count {
		e, ok := w.element(p, i)
		if !ok {
			return
		}
		elements = append(elements, e)
	}
	w.order(p, elements, bounds)
	for i, e := range elements {
		child := treeBounds{level: bounds.level + 1, buckets: bounds.buckets, low: e.key, high: bounds.high}
		if i+1 < len(elements) {
			child.high = elements[i+1].key
		}
		w.tree(e.child, child)
	}
}

func (w *pageWalk) leaf(p page, bounds treeBounds) {
	elements := make([]element, 0, p.count)
	for i := range p.count {
		e, ok := w.element(p, i)
		if !ok {
			return
		}
		if e.flags != 0 {
			w.problem(p.id, "element %d is no plain record (flags %#x)", i, e.flags)
			return
		}
		elements = append(elements, e)
	}
	w.order(p, elements, bounds)
}

// order checks that keys ascend within the parent's bounds, and that keys and
// values follow each other without a gap, as bbolt writes them: a gap betrays a
// missing record.
func (w *pageWalk) order(p page, elements []element, bounds treeBounds) {
	if w.depth < pageKeys {
		return
	}
	next := pageHeaderBytes + int64(p.count)*elementBytes
	for i, e := range elements {
		if e.start != next {
			w.problem(p.id, "element %d does not follow the one before it", i)
			return
		}
		next += e.keySize + e.dataSize
		switch {
		case i == 0 && bounds.low != nil && bytes.Compare(e.key, bounds.low) < 0:
			w.problem(p.id, "its first key belongs to the page before")
		case i > 0 && bytes.Compare(e.key, elements[i-1].key) <= 0:
			w.problem(p.id, "keys %d and %d are out of order", i-1, i)
		case i == len(elements)-1 && bounds.high != nil && bytes.Compare(e.key, bounds.high) >= 0:
			w.problem(p.id, "its last key belongs to the page after")
		}
	}
}

// roots walks the buckets that a leaf of the root lists. Each value is a root
// page's number and a sequence; 0 means that the bucket's only page follows
// inline.
func (w *pageWalk) roots(p page) {
	for i := range p.count {
		e, ok := w.element(p, i)
		if !ok {
			return
		}
		value := p.data[e.start+e.keySize : e.start+e.keySize+e.dataSize]
		if e.flags != flagBucket || len(value) < 16 {
			w.problem(p.id, "element %d is not a bucket", i)
			continue
		}
		root := binary.NativeEndian.Uint64(value)
		if root != 0 {
			w.tree(root, treeBounds{level: 1})
			continue
		}
		w.inline(p.id, value[16:])
	}
}

// inline checks a small bucket's page inside its parent's value.
func (w *pageWalk) inline(parent uint64, data []byte) {
	if len(data) < pageHeaderBytes {
		w.problem(parent, "holds a bucket that is cut short")
		return
	}
	p := page{id: parent, size: int64(len(data)), data: data,
		flags: int(binary.NativeEndian.Uint16(data[8:])), count: int(binary.NativeEndian.Uint16(data[10:]))}
	if p.flags != flagLeaf || pageHeaderBytes+int64(p.count)*elementBytes > p.size {
		w.problem(parent, "holds a bucket whose page is damaged")
		return
	}
	w.leaf(p, treeBounds{})
}
