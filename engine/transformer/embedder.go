package transformer

import (
	"context"
	"encoding/hex"
	"errors"
	"sync"

	"golang.org/x/sync/errgroup"

	"dowse/engine/kernel"
	"dowse/engine/memory"
	"dowse/models/pack"
	"dowse/models/tokenizer"
)

// batchTokens is how many tokens a worker takes at a time: enough rows for the
// integer products to run at full speed, few enough for their inputs and
// outputs to stay in the processor's cache.
const batchTokens = 512

// Embedder turns texts into vectors of unit length. It may be used from
// several goroutines.
type Embedder struct {
	encoder   *Encoder
	tokenizer *tokenizer.Tokenizer
	pack      *pack.Pack
	weights   *memory.Buffer
	ledger    *memory.Ledger
	workers   chan *Workspace // idle workers for documents

	queryMu sync.Mutex // guards query: a query never waits for documents
	query   *Workspace
}

// OpenEmbedder opens the pack at path for a number of workers. The kernel and
// the ledger, which may be nil, stay the caller's.
func OpenEmbedder(path string, k *kernel.Kernel, threads int, ledger *memory.Ledger) (*Embedder, error) {
	p, weights, err := loadPack(context.Background(), path, ledger)
	if err != nil {
		return nil, err
	}
	tok, err := p.Tokenizer()
	if err != nil {
		return nil, errors.Join(err, weights.Free())
	}
	encoder, err := NewEncoder(k, p)
	if err != nil {
		return nil, errors.Join(err, weights.Free())
	}
	e := &Embedder{
		encoder:   encoder,
		tokenizer: tok,
		pack:      p,
		weights:   weights,
		ledger:    ledger,
		workers:   make(chan *Workspace, max(threads, 1)),
		query:     NewWorkspace(ledger),
	}
	for range cap(e.workers) {
		e.workers <- NewWorkspace(ledger)
	}
	return e, nil
}

// Close gives back workspaces and weights. No call may be under way.
func (e *Embedder) Close() error {
	err := e.query.Free()
	for range cap(e.workers) {
		err = errors.Join(err, (<-e.workers).Free())
	}
	return errors.Join(err, e.pack.Close(), e.weights.Free())
}

// Dim is the length of a vector.
func (e *Embedder) Dim() int { return e.encoder.Dim() }

// Count is the number of tokens of a text, special ones not counted.
func (e *Embedder) Count(text string) int { return e.tokenizer.Count(text) }

// Fingerprint identifies weights, tokenizer and configuration.
func (e *Embedder) Fingerprint() string {
	sum := e.pack.Fingerprint()
	return hex.EncodeToString(sum[:])
}

// EmbedQuery embeds one text and returns the number of tokens that went in.
func (e *Embedder) EmbedQuery(ctx context.Context, text string) (vector []float32, tokens int, err error) {
	ids := e.tokenizer.EncodeDocument(text, e.encoder.maxTokens)
	e.queryMu.Lock()
	defer e.queryMu.Unlock()
	if err := ctx.Err(); err != nil { // overtaken while waiting
		return nil, 0, err
	}
	vector = make([]float32, e.Dim())
	if err := e.encoder.Encode(vector, [][]int32{ids}, e.query); err != nil {
		return nil, 0, err
	}
	return vector, len(ids), nil
}

// EmbedDocuments embeds texts, each cut at the model's sequence length, and
// returns their vectors one after the other: [len(texts),Dim].
func (e *Embedder) EmbedDocuments(ctx context.Context, texts []string) ([]float32, error) {
	vectors, _, err := e.EmbedCounted(ctx, texts)
	return vectors, err
}

// EmbedCounted is EmbedDocuments that also returns how many tokens went in.
func (e *Embedder) EmbedCounted(ctx context.Context, texts []string) (vectors []float32, tokens int, err error) {
	d := e.Dim()
	sequences := make([][]int32, len(texts))
	for i, text := range texts {
		sequences[i] = e.tokenizer.EncodeDocument(text, e.encoder.maxTokens)
		tokens += len(sequences[i])
	}
	vectors = make([]float32, len(texts)*d)
	group, ctx := errgroup.WithContext(ctx)
	for from := 0; from < len(texts); {
		to := batchEnd(sequences, from)
		var w *Workspace
		select {
		case w = <-e.workers:
		case <-ctx.Done():
			return nil, 0, errors.Join(ctx.Err(), group.Wait())
		}
		dst, batch := vectors[from*d:to*d], sequences[from:to]
		group.Go(func() error {
			defer func() { e.workers <- w }()
			return e.encoder.Encode(dst, batch, w)
		})
		from = to
	}
	return vectors, tokens, group.Wait()
}

// batchEnd is the end of the batch that begins at from: as many sequences as
// come to batchTokens, and at least one.
func batchEnd(sequences [][]int32, from int) int {
	tokens := 0
	for i := from; i < len(sequences); i++ {
		tokens += len(sequences[i])
		if tokens > batchTokens && i > from {
			return i
		}
	}
	return len(sequences)
}
