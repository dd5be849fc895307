package local

import (
	"strings"
	"time"

	"dowse/engine"
	"dowse/engine/generate/draft"
	"dowse/models/tokenizer"
)

// watchedDrafter is a generate.Drafter that notes the guessed parts of a text.
type watchedDrafter struct {
	*draft.Drafter
	text    *tokenizer.Decoder
	length  int            // bytes of the text so far
	guessed []engine.Range // ranges of its bytes, ascending, not adjacent
	nodes   int            // of the last tree
	begun   time.Time      // when the first tree was asked for
	counts  engine.Generation
}

// watchDrafter watches one text from its beginning.
func watchDrafter(d *draft.Drafter, t *tokenizer.Tokenizer) *watchedDrafter {
	return &watchedDrafter{Drafter: d, text: t.NewDecoder()}
}

func (w *watchedDrafter) Propose(root int32, nodes int) draft.Tree {
	if w.begun.IsZero() {
		w.begun = time.Now()
	}
	tree := w.Drafter.Propose(root, nodes)
	w.nodes = len(tree.Tokens)
	return tree
}

// Accept implements generate.Drafter: all wanted tokens along the path but the
// last were guessed.
func (w *watchedDrafter) Accept(path, wanted []int32) {
	for i, node := range path {
		text := strings.ToValidUTF8(w.text.Next(wanted[node]), "\uFFFD")
		w.extend(len(text), i+1 < len(path))
	}
	w.counts.Steps++
	w.counts.Tokens += len(path)
	w.counts.Drafted += w.nodes - 1
	w.counts.Accepted += len(path) - 1
	w.Drafter.Accept(path, wanted)
}

func (w *watchedDrafter) extend(n int, guessed bool) {
	start := w.length
	w.length += n
	switch last := len(w.guessed) - 1; {
	case !guessed || n == 0:
	case last >= 0 && w.guessed[last].End == start:
		w.guessed[last].End = w.length
	default:
		w.guessed = append(w.guessed, engine.Range{Start: start, End: w.length})
	}
}

// generation is the figures of the text so far.
func (w *watchedDrafter) generation() *engine.Generation {
	counts := w.counts
	if took := time.Since(w.begun).Seconds(); counts.Tokens > 0 && took > 0 {
		counts.Speed = float64(counts.Tokens) / took
	}
	return &counts
}

// drafted are the guessed parts of an answer that shows part of text; nil where
// it shows something else.
func (w *watchedDrafter) drafted(text, shown string) []engine.Range {
	at := strings.Index(text, shown)
	if at < 0 {
		return nil
	}
	var out []engine.Range
	for _, r := range w.guessed {
		if start, end := max(r.Start-at, 0), min(r.End-at, len(shown)); start < end {
			out = append(out, engine.Range{Start: start, End: end})
		}
	}
	return out
}

// drafted are the guessed parts of an answer that shows part of the text with
// its citations; where these changed its length, of what is before them.
func (o *Model) drafted(written, cited, shown string) []engine.Range {
	if len(written) == len(cited) {
		return o.watched.drafted(cited, shown)
	}
	same := 0
	for written = strings.TrimLeft(written, " \n"); same < min(len(written), len(shown)) && written[same] == shown[same]; same++ {
	}
	return o.watched.drafted(cited, shown[:same])
}
