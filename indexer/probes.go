package indexer

import (
	"context"
	"hash/fnv"
	"strings"
)

// Bounds of probes.
const (
	maxProbes     = 96
	minProbeWords = 4
	maxProbeBytes = 120
)

// probes are short texts of indexed files, in the place of what people
// will ask: searches for them tell how estimates err, and when a search may end.
// They are picked by a hash, so that the same files give the same ones.
type probes struct {
	texts []string
	seen  uint64
}

// gather may take a sentence of each file of a step, from one of its chunks.
func (p *probes) gather(step *meaningStep) {
	for i := range step.files {
		f := &step.files[i]
		h := fnv.New64a()
		_, _ = h.Write(f.Hash[:]) // never fails
		pick := h.Sum64() >> 8
		at, read := f.texts[int(pick%uint64(max(len(f.chunks), 1)))]
		if !read || at >= step.embedded() {
			continue
		}
		text := Probe(step.texts[at])
		if text == "" {
			continue
		}
		p.seen++
		if len(p.texts) < maxProbes {
			p.texts = append(p.texts, text)
		} else if at := pick % p.seen; at < maxProbes { // reservoir sampling
			p.texts[at] = text
		}
	}
}

// Probe returns the first sentence or line of a text that could be a query.
func Probe(text string) string {
	for _, s := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(".!?\n", r) }) {
		s = strings.Trim(s, " \t\r/#*->`|")
		if len(s) <= maxProbeBytes && len(strings.Fields(s)) >= minProbeWords {
			return s
		}
	}
	return ""
}

// embed returns the vectors of the probes, none if they are too few to tell
// anything.
func (p *probes) embed(ctx context.Context, embedder Embedder) ([]float32, error) {
	if len(p.texts) < maxProbes/4 {
		return nil, nil
	}
	return embedder.EmbedQueries(ctx, p.texts)
}
