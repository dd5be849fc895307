package search

import (
	"sync"
	"time"

	"dowse/engine"
)

// recorder collects the counters of one search and emits each stage's as it
// ends. It belongs to one goroutine.
type recorder struct {
	emit  func(engine.Event)
	stats engine.Stats
	tells bool // the ranking tells what is relevant
}

// oneAtATime has an emit that belongs to one goroutine take events of several.
func oneAtATime(emit func(engine.Event)) func(engine.Event) {
	var mu sync.Mutex
	return func(e engine.Event) {
		mu.Lock()
		defer mu.Unlock()
		emit(e)
	}
}

// stage notes that a stage, begun at start, looked at in things and handed on
// out of them, reading bytes.
func (r *recorder) stage(name string, start time.Time, in, out int, bytes int64) {
	r.add(engine.StageStats{Name: name, Millis: millis(start), In: in, Out: out, Bytes: bytes})
}

func (r *recorder) add(s engine.StageStats) {
	r.stats.Stages = append(r.stats.Stages, s)
	if r.emit != nil {
		r.emit(engine.Event{Stage: &s})
	}
}

// layer emits what became of the candidates at a layer of the reranker.
func (r *recorder) layer(l engine.RerankLayer) {
	if r.emit != nil {
		r.emit(engine.Event{Layer: &l})
	}
}

// found emits the passages that an answer is made from.
func (r *recorder) found(passages []engine.Passage) {
	if r.emit != nil && len(passages) > 0 {
		r.emit(engine.Event{Found: passages})
	}
}

// answer emits an answer as far as it has grown.
func (r *recorder) answer(a engine.Answer) {
	if r.emit != nil {
		r.emit(engine.Event{Answer: &a})
	}
}

// problem emits a sentence for the person.
func (r *recorder) problem(what string) {
	if r.emit != nil {
		r.emit(engine.Event{Problem: what})
	}
}

// millis is the time since start in milliseconds.
func millis(start time.Time) float64 {
	return float64(time.Since(start).Microseconds()) / 1000
}
