package transformer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"
)

// batchTokens is how many tokens a worker takes at a time: enough rows for the
// integer products to run at full speed, few enough for their inputs and
// outputs to stay in the processor's cache.
const batchTokens = 512

// Embedder turns texts into vectors of unit length. It may be used from
// several goroutines.
type Embedder struct {
	*encoder
	queryMu sync.Mutex // guards query: a query never waits for documents of a resident model
	query   *workspace

	shortened int // EmbedderOptions.Dimensions, 0 for what the pack says
}

// Peak is the most memory that the embedder takes, in bytes.
func (e *Embedder) Peak() int64 { return e.plan.Peak.Total() }

// Dim is the length of a vector.
func (e *Embedder) Dim() int { return e.config.Dim() }

// Count is the number of tokens of a text, special ones not counted.
func (e *Embedder) Count(text string) int { return e.tokenizer.Count(text) }

// Spelled is the share of a text's letters, 0 to 1, that the tokenizer spells out for want of
// words or parts of words.
func (e *Embedder) Spelled(text string) float64 { return e.tokenizer.Spelled(text) }

// Room is how many tokens of a passage the model reads, prompt and special tokens not
// counted.
func (e *Embedder) Room() int {
	return e.config.MaxTokens - len(e.encode(e.config.PassagePrompt))
}

// Fingerprint identifies weights, tokenizer and configuration, and EmbedderOptions.Dimensions
// where it shortens vectors.
func (e *Embedder) Fingerprint() string {
	sum := e.sum
	if e.shortened > 0 {
		sum = sha256.Sum256(fmt.Appendf(sum[:], "dimensions %d", e.shortened))
	}
	return hex.EncodeToString(sum[:])
}

// EmbedQuery embeds one text behind the model's prompt for queries, and returns the number
// of input tokens.
func (e *Embedder) EmbedQuery(ctx context.Context, text string) (vector []float32, tokens int, err error) {
	ids := e.encode(e.config.QueryPrompt + text)
	e.queryMu.Lock()
	defer e.queryMu.Unlock()
	if err := ctx.Err(); err != nil { // overtaken while waiting
		return nil, 0, err
	}
	if err := e.begin(ctx); err != nil {
		return nil, 0, err
	}
	defer e.end()
	vector = make([]float32, e.Dim())
	if len(ids) == 0 { // a model without special tokens
		return vector, 0, nil
	}
	if err := e.compute(ctx, []sequences{e.pooled(vector, [][]int32{ids})}, []*workspace{e.query}); err != nil {
		return nil, 0, err
	}
	return vector, len(ids), nil
}

// EmbedDocuments embeds texts, each behind the model's prompt for passages and cut at its
// sequence length, and returns their vectors one after the other: [len(texts),Dim].
func (e *Embedder) EmbedDocuments(ctx context.Context, texts []string) ([]float32, error) {
	vectors, _, err := e.embed(ctx, e.config.PassagePrompt, texts)
	return vectors, err
}

// EmbedQueries is EmbedDocuments for queries: vectors with the bits of EmbedQuery.
func (e *Embedder) EmbedQueries(ctx context.Context, texts []string) ([]float32, error) {
	vectors, _, err := e.embed(ctx, e.config.QueryPrompt, texts)
	return vectors, err
}

// EmbedCounted is EmbedDocuments that also returns the number of input tokens.
func (e *Embedder) EmbedCounted(ctx context.Context, texts []string) (vectors []float32, tokens int, err error) {
	return e.embed(ctx, e.config.PassagePrompt, texts)
}

// embed embeds texts behind a prompt: [len(texts),V].
func (e *Embedder) embed(ctx context.Context, prompt string, texts []string) (vectors []float32, tokens int, err error) {
	d := e.Dim()
	var ids [][]int32
	var places []int // of the texts that have tokens; the others have zeros
	for i, text := range texts {
		if own := e.encode(prompt + text); len(own) > 0 {
			ids, places = append(ids, own), append(places, i)
			tokens += len(own)
		}
	}
	vectors = make([]float32, len(texts)*d)
	if err := e.embedIDs(ctx, vectors[:len(ids)*d], ids); err != nil {
		return nil, 0, err
	}
	if len(ids) < len(texts) {
		scatter(vectors, places, d)
		at := 0
		for i := range texts {
			if at < len(places) && places[at] == i {
				at++
				continue
			}
			clear(vectors[i*d : (i+1)*d])
		}
	}
	return vectors, tokens, nil
}

// encode returns the tokens of a text with its prompt.
func (e *Embedder) encode(text string) []int32 {
	if e.config.Static() {
		return bag(e.tokenizer, text, e.config.MaxTokens, e.config.SkipUnknown)
	}
	return e.tokenizer.EncodeDocument(text, e.config.MaxTokens)
}

// embedIDs writes the vectors of texts that have tokens to dst [len(ids),V].
func (e *Embedder) embedIDs(ctx context.Context, dst []float32, ids [][]int32) error {
	d, ends := e.Dim(), []int{0}
	for from := 0; from < len(ids); from = ends[len(ends)-1] {
		ends = append(ends, batchEnd(ids, from, min(batchTokens, e.plan.ChunkRows)))
	}
	return e.each(ctx, len(ends)-1, func(i int) sequences {
		from, to := ends[i], ends[i+1]
		return e.pooled(dst[from*d:to*d], ids[from:to])
	})
}

// batchEnd is the end of the batch that begins at from: as many sequences as
// come to most tokens, and at least one.
func batchEnd(ids [][]int32, from, most int) int {
	tokens := 0
	for i := from; i < len(ids); i++ {
		tokens += len(ids[i])
		if tokens > most && i > from {
			return i
		}
	}
	return len(ids)
}

// pooled is a batch whose vectors go to dst [len(ids),D]. A text alone is all type 0.
func (e *Embedder) pooled(dst []float32, ids [][]int32) sequences {
	pairs := make([]Pair, len(ids))
	for i := range ids {
		pairs[i].IDs = ids[i]
	}
	return sequencesOf(pairs, func(hidden []float32) error {
		e.pool(dst, hidden, ids)
		return nil
	})
}
