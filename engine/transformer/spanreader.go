package transformer

import (
	"context"
	"encoding/hex"

	"dowse/models/tokenizer"
)

// SpanReader marks the answer to a question in passages: a BERT cross-encoder
// with an adapter whose heads give each token of a passage a logit that a short
// answer begins with it, that one ends with it (Devlin and others, "BERT:
// Pre-training of Deep Bidirectional Transformers for Language Understanding",
// 2019, section 4.2), and that it is part of the evidence. It may be used from
// several goroutines.
type SpanReader struct {
	*encoder
	network *bert
}

// SpanLogits are a SpanReader's logits of a passage.
type SpanLogits struct {
	// Tokens are the bytes of the passage of each token, as many as fit beside the question.
	Tokens []tokenizer.Span
	// Heads are logits of each token: that a short answer begins with it, that one
	// ends with it, that it is evidence.
	Heads [SpanHeads][]float32
	// None are the logits that the passage has no such token.
	None [SpanHeads]float32
}

// The heads of a SpanReader.
const (
	SpanStart = iota
	SpanEnd
	SpanEvidence
	SpanHeads // how many there are
)

// Fingerprint identifies weights, adapter and tokenizer.
func (r *SpanReader) Fingerprint() string {
	return hex.EncodeToString(r.sum[:]) + hex.EncodeToString(r.network.adapter.sum())
}

// Read reads the question with each of the passages. A passage too long beside the question
// loses its end; so does first a question longer than half of the room. ctx is checked
// between layers.
func (r *SpanReader) Read(ctx context.Context, question string, passages []string) ([]SpanLogits, error) {
	found := make([]SpanLogits, len(passages))
	err := r.each(ctx, len(passages), func(i int) sequences {
		ids, types := r.tokenizer.EncodePair(question, passages[i], r.config.MaxTokens)
		return sequencesOf([]Pair{{IDs: ids, Types: types}}, func(hidden []float32) error {
			r.point(&found[i], hidden, passages[i], types)
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

// point computes the logits of the states [tokens,D] of a question and a passage with these
// types.
func (r *SpanReader) point(into *SpanLogits, hidden []float32, passage string, types []uint8) {
	first := 0 // token of the passage
	for first < len(types) && types[first] == 0 {
		first++
	}
	_, spans := r.tokenizer.EncodeSpans(passage)
	into.Tokens = spans[:max(0, min(len(spans), len(types)-first-1))] // behind them stands a mark
	d, k := r.config.Hidden, r.network.kernel
	for head := range SpanHeads {
		weights := r.network.adapter.spans[head*d : (head+1)*d] // [D]
		logits := make([]float32, len(into.Tokens))
		for i := range logits {
			logits[i] = k.Dot(hidden[(first+i)*d:(first+i+1)*d], weights)
		}
		into.Heads[head], into.None[head] = logits, k.Dot(hidden[:d], weights)
	}
}
