package search

import (
	"context"
	"slices"
	"sync"

	"dowse/engine"
	"dowse/engine/memory"
)

// keptQuestions is how many questions keep their vectors: those of the conversations that
// a person goes back and forth between.
const keptQuestions = 64

// questions keeps the vectors of questions that were asked, which every search after
// them in the same conversation wants, at each key that is typed. They are of the one
// embedder that an Engine has; another embedder is another Engine's. It may be used from
// several goroutines, and nobody writes to a vector.
type questions struct {
	ledger *memory.Ledger

	mu   sync.Mutex
	kept []keptQuestion // that used last at the end
}

// keptQuestion is a question with its vector.
type keptQuestion struct {
	text   string
	vector []float32
}

// keep keeps the vector of a question that was asked.
func (k *questions) keep(text string, vector []float32) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.find(text) != nil {
		return
	}
	if len(k.kept) == keptQuestions {
		k.ledger.Shrink(memoPool, k.kept[0].bytes())
		k.kept = slices.Delete(k.kept, 0, 1)
	}
	q := keptQuestion{text, vector}
	k.ledger.Grow(memoPool, q.bytes())
	k.kept = append(k.kept, q)
}

// bytes is what is held of a question.
func (q *keptQuestion) bytes() int64 { return int64(len(q.text) + 4*len(q.vector)) }

// find returns the vector of a question, which is the one used last from then on; nil
// where it is not kept. The caller holds mu.
func (k *questions) find(text string) []float32 {
	at := slices.IndexFunc(k.kept, func(q keptQuestion) bool { return q.text == text })
	if at < 0 {
		return nil
	}
	found := k.kept[at]
	k.kept = append(slices.Delete(k.kept, at, at+1), found)
	return found.vector
}

// drop forgets all and returns the bytes that they took.
func (k *questions) drop() (bytes int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, q := range k.kept {
		bytes += q.bytes()
	}
	k.kept = nil
	return bytes
}

// vector returns the vector of a question, and how many tokens went into the embedder
// for it: none where it was kept.
func (k *questions) vector(ctx context.Context, embedder engine.Embedder, text string) (vector []float32, tokens int, err error) {
	k.mu.Lock()
	vector = k.find(text)
	k.mu.Unlock()
	if vector != nil {
		return vector, 0, nil
	}
	if vector, tokens, err = embedder.EmbedQuery(ctx, text); err == nil {
		k.keep(text, vector)
	}
	return vector, tokens, err
}
