package rerankbench

import (
	"context"
	"fmt"

	"dowse/engine/rerank"
)

// traced is the trace of a query.
type traced struct {
	collection int
	trace      rerank.Trace
}

// record traces every query with all its candidates.
func (b *bench) record(ctx context.Context, r *runner) ([]traced, error) {
	list := make([]traced, len(b.queries))
	for i, q := range b.queries {
		b.report("recording full passes", i, len(b.queries))
		var recorder *rerank.Recorder
		_, err := r.pass(ctx, q, full(), &sample{}, func(f rerank.Forward) rerank.Forward {
			recorder = rerank.NewRecorder(f, len(q.pairs))
			return recorder
		})
		if err == nil {
			list[i].trace, err = recorder.Trace()
		}
		if err != nil {
			return nil, fmt.Errorf("record query %d: %w", i+1, err)
		}
		list[i].collection = q.collection
	}
	return list, nil
}

// firstOf is the trace of the first n candidates: they do not act on each
// other, so that it is a part of the trace of more.
func firstOf(t rerank.Trace, n int) rerank.Trace {
	n = min(n, t.Candidates)
	cut := rerank.Trace{Candidates: n, Layers: t.Layers}
	for l := range t.Layers {
		cut.Margins = append(cut.Margins, t.Margins[l*t.Candidates:l*t.Candidates+n]...)
	}
	return cut
}

// halves parts the traces, cut to n candidates: those at even places of the
// list calibrate, those at odd places are measured. The list goes through one
// collection after the other, so that both halves have something of each.
// Traces of which all k candidates are wanted say nothing and are left out.
func halves(list []traced, n, k int) (even, odd []traced) {
	for i, t := range list {
		t.trace = firstOf(t.trace, n)
		switch {
		case t.trace.Candidates <= k:
		case i%2 == 0:
			even = append(even, t)
		default:
			odd = append(odd, t)
		}
	}
	return even, odd
}

func tracesOf(list []traced) []rerank.Trace {
	traces := make([]rerank.Trace, len(list))
	for i, t := range list {
		traces[i] = t.trace
	}
	return traces
}
