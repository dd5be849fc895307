package local

import (
	"time"

	"dowse/engine"
)

// tellReading shows how far the model has come with a prompt, beginning now,
// and returns who is told after each part. The first seconds are as measured
// when the model was opened; the others follow from this prompt, so that other
// programs count.
func (w *writing) tellReading(model *Model, a *request, by string) (progress func(done, total int)) {
	if w.observe == nil {
		return nil
	}
	total := len(a.ids) - 1 // the last one begins the answer
	known, begun := shared(a.sequence.Tokens(), a.ids[:total]), time.Now()
	tell := func(done, total int) {
		grown, each := engine.Answer{How: by}, model.reading
		if done > known {
			each = time.Since(begun).Seconds() / float64(done-known)
		}
		if done < total {
			grown.Reading = &engine.Reading{Passages: len(a.given), Done: done, Tokens: total, Seconds: each * float64(total-done)}
		}
		w.show(grown)
	}
	tell(known, total)
	return tell
}

// opening is shown until the model is open; nil where it is.
func (w *Writer) opening() *engine.Reading {
	if w.using.Load() != nil {
		return nil
	}
	return &engine.Reading{}
}

// shared is the length of the common beginning.
func shared(a, b []int32) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
