package tui

import (
	"sync"

	"dowse/engine"
)

// answerFeed brings an answer that grows from the goroutine that searches to
// the event loop. Of what the screen has not looked at yet only the newest
// counts, so that neither waits for the other.
type answerFeed struct {
	generation int
	news       chan struct{} // holds one where there is something to take

	mu     sync.Mutex
	found  []engine.Passage // that the answer cites; nil once taken
	answer *engine.Answer   // nil once taken
}

func newAnswerFeed(generation int) *answerFeed {
	return &answerFeed{generation: generation, news: make(chan struct{}, 1)}
}

// emit takes the events of the search.
func (f *answerFeed) emit(e engine.Event) {
	if e.Found == nil && e.Answer == nil {
		return
	}
	f.mu.Lock()
	if e.Found != nil {
		f.found = e.Found
	}
	if e.Answer != nil {
		f.answer = e.Answer
	}
	f.mu.Unlock()
	select {
	case f.news <- struct{}{}:
	default: // told already
	}
}

// close says that the search is done.
func (f *answerFeed) close() { close(f.news) }

// take takes the news.
func (f *answerFeed) take() answerArrived {
	f.mu.Lock()
	defer f.mu.Unlock()
	arrived := answerArrived{f, f.found, f.answer}
	f.found, f.answer = nil, nil
	return arrived
}
