package tokenizer

import "math"

// noLimit is the limit of an output that takes all ids.
const noLimit = math.MaxInt

// output collects the ids of a text, or only counts them.
type output struct {
	ids      []int32
	spans    []Span // parallel to ids when tracking
	tracking bool
	count    int // instead of ids when counting
	counting bool
	limit    int  // no more ids than these are wanted
	literal  bool // special tokens that stand in the text are text
}

// size returns the number of ids so far.
func (o *output) size() int {
	if o.counting {
		return o.count
	}
	return len(o.ids)
}

// full reports whether there are as many ids as are wanted.
func (o *output) full() bool { return o.size() >= o.limit }

// emit appends one id.
func (o *output) emit(id int32, source Span) {
	if o.counting {
		o.count++
		return
	}
	o.ids = append(o.ids, id)
	if o.tracking {
		o.spans = append(o.spans, source)
	}
}

// truncate takes back all ids but the first size.
func (o *output) truncate(size int) {
	if o.counting {
		o.count = size
		return
	}
	o.ids = o.ids[:size]
	if o.tracking {
		o.spans = o.spans[:size]
	}
}
