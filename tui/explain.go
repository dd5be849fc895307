package tui

import (
	"fmt"
	"strings"

	"dowse/engine"
)

// poolMeanings says what the pools of the ledger hold.
var poolMeanings = map[string]string{
	"weights":           "weights of models that stay while a model is open",
	"weights.window":    "layers and rows of a model on their way from the disk",
	"weights.cache":     "layers, rows or experts of a model that are kept between tokens",
	"embed.lru":         "embedding rows that a streamed model used last",
	"acts":              "what a model computes a pass in",
	"acts.hidden":       "hidden states that a pass hands from layer to layer",
	"kv.ram":            "keys and values of what a model has read and written",
	"answers.past":      "past answers, which tokens are guessed from",
	"search.snapshot":   "what searches keep of the files of the index",
	"search.entries":    "entries of files, which filters ask",
	"search.completion": "values that filters can be completed to",
	"vectors.graph":     "codes and links of the vectors",
	"vectors.memo":      "vectors that were recomputed for searches before",
	"index.graph":       "codes and links that indexing works on",
	"indexer.prepared":  "files that were read and are not yet in the index",
}

// explained is a number of the machine panel, and what it means in a sentence.
type explained struct{ number, means string }

// toggleExplained shows over the body what the numbers of the machine panel
// mean, as they are now, or closes that.
func (m *model) toggleExplained() {
	if m.help.open && m.help.other != nil {
		m.help.toggle()
		return
	}
	m.help.show(m.machine.explanation)
}

// explanation draws the meaning of each number that the panel has.
func (m *machinePanel) explanation(w int) []string {
	s := m.styles
	var lines []string
	for _, group := range []struct {
		title   string
		numbers []explained
	}{
		{"Memory", m.explainMemory()},
		{"Last search", m.explainSearch()},
		{"Last rerank", m.rerank.explain()},
		{"Model that writes", m.explainWriting()},
		{"On the disk", m.explainDisk()},
	} {
		if len(group.numbers) == 0 {
			continue
		}
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, " "+s.title.Render(group.title))
		for _, e := range group.numbers {
			means := wrapPlain(e.means, max(w-helpKeyCells-3, 1), 6)
			for i, line := range means {
				number := ""
				if i == 0 {
					number = fit(e.number, helpKeyCells-1)
				}
				lines = append(lines, fit("  "+s.accent.Render(pad(number, helpKeyCells))+s.text.Render(line), w))
			}
		}
	}
	if len(lines) == 0 {
		return []string{" " + s.soft.Render("Nothing has been measured yet.")}
	}
	return lines
}

func (m *machinePanel) explainMemory() (out []explained) {
	if len(m.totals) > 0 {
		means := "All that models, searches and indexing hold now; the pools below add up to it."
		if b := m.budget(); b != nil {
			means = fmt.Sprintf("What models, searches and indexing hold now of their budget of %s; a model that does not fit closes idle ones, or is streamed.", size(b.Bytes))
		}
		out = append(out, explained{size(m.totals[len(m.totals)-1]), means},
			explained{"chart", "The pools on top of each other, a column a second, the newest at the right; its top is " + m.scaleText() + "."})
	}
	for i, p := range m.pools {
		means, known := poolMeanings[p.Pool]
		if !known {
			means = "bytes of this kind"
		}
		out = append(out, explained{shade(i) + " " + sanitize(p.Pool),
			fmt.Sprintf("%s now, at most %s so far: %s.", size(p.Bytes), size(p.Peak), means)})
	}
	if m.status != nil && m.status.RSS > 0 {
		out = append(out, explained{"process " + size(m.status.RSS), "Memory of the process that owns the index, as the system counts it, pages of files included."})
	}
	return out
}

func (m *machinePanel) explainSearch() (out []explained) {
	if m.stats == nil {
		return nil
	}
	out = append(out, explained{millis(m.stats.Millis), "The whole search, from the query to the passages; each bar is the time of a step beside the longest."},
		explained{"in → out", "What a step looked at, and what it handed on."},
		explained{counted(m.stats.Chunks, "passage"), "Those that the filters of the query left to be searched."})
	if n := m.stats.Recomputed + m.stats.Memoized; n > 0 {
		out = append(out, explained{m.recomputed(), "The index keeps codes in the place of vectors: so many vectors were computed again from the text, the others were known from searches before."})
	}
	if m.stats.LexicalWeight > 0 || m.stats.VectorWeight > 0 {
		out = append(out, explained{"words × meaning", "How much BM25 and the cosine of vectors weigh in the ranking of this query."})
	}
	if m.stats.Embedded > 0 {
		out = append(out, explained{counted(m.stats.Embedded, "token"), "Those of the query, which the embedder read."})
	}
	return out
}

// explain says what the map of a reranking shows.
func (r *rerankMap) explain() (out []explained) {
	if !r.known() || r.stats != nil && r.stats.Problem != "" {
		return nil
	}
	if len(r.layers) > 0 {
		out = append(out, explained{"map", fmt.Sprintf(
			"A column is one of %s in its order before, a row is a layer of the model; layers that share a row are numbered from to.", counted(r.candidates(), "candidate"))},
			explained{"█ + x ·", "Computed in that layer; left there as certainly among the best; left there as certainly not; not computed, since it left before."})
	}
	if r.stats != nil {
		figure, _ := r.figure(helpKeyCells - 1)
		done, _, _ := strings.Cut(figure, " layers")
		out = append(out, explained{done, "Layers computed, summed over candidates, of what all candidates in all layers would be."})
		if r.stats.BytesRead > 0 {
			out = append(out, explained{size(r.stats.BytesRead) + " read", "Weights of layers that were read from the disk for this reranking."})
		}
	}
	return out
}

func (m *machinePanel) explainWriting() (out []explained) {
	if g := m.writing; g != nil {
		out = append(out, explained{speed(g), "How fast the last answer was written, once its prompt was read."})
		if g.Drafted > 0 {
			out = append(out, explained{count(g.Accepted) + "/" + count(g.Drafted), "Tokens that were guessed from the passages and past answers: those that the model agreed with, of all."})
		}
		if g.Steps > 0 {
			out = append(out, explained{fmt.Sprintf("%.1f a pass", float64(g.Tokens)/float64(g.Steps)), "Tokens that came of one pass of the model, which writes one and verifies the guessed ones."})
		}
		if wasRestored(g) {
			out = append(out, explained{millis(g.RestoreMillis), "What it took to bring the conversation's keys and values back: read from the disk, or computed again."})
		}
	}
	return append(out, m.explainWriter()...)
}

// explainWriter says how the writing model has its weights.
func (m *machinePanel) explainWriter() (out []explained) {
	if m.status == nil || m.status.Writer == nil {
		return nil
	}
	u := m.status.Writer
	ways := map[engine.Way]string{
		engine.Resident: "All weights of the model are in memory.",
		engine.Streamed: fmt.Sprintf("Layers are read from the disk for each pass, but for %s of %d that the budget keeps.", count(u.Kept), u.Layers),
		engine.Swapped:  "Only the rows of weights that a token needs are read from the disk.",
		engine.Mixture:  "Only the experts that the model's routers choose are read from the disk.",
	}
	if means, known := ways[u.Way]; known {
		out = append(out, explained{string(u.Way), means})
	}
	if u.TokenBytes > 0 {
		out = append(out, explained{size(u.TokenBytes) + " a token", "Read from the disk for each token of the last text."})
	}
	if rate, ok := u.HitRate(); ok {
		out = append(out, explained{fmt.Sprintf("%.0f%% hits", 100*rate), "Rows or experts that were still in memory when a token needed them."})
	}
	if u.Sparsity > 0 {
		out = append(out, explained{fmt.Sprintf("%.0f%% left out", 100*u.Sparsity), "Inputs so small that their rows are not read; what is written may differ for it."})
	}
	return out
}

// fileMeanings says what the parts of the index are.
var fileMeanings = map[string]string{
	"graph": "links between passages that resemble each other", "pq": "codes of vectors", "kept": "vectors that are not computed again", "vectors": "vectors that have no codes yet",
	"postings": "which passage has which word", "dictionary": "the words", "chunks": "where each passage stands in its file",
	"text": "packed text of files that are slow to read", "free": "room that the next changes use", "other": "names of files and what is known of them",
}

func (m *machinePanel) explainDisk() (out []explained) {
	if m.status == nil {
		return nil
	}
	out = append(out, explained{size(m.status.Bytes["total"]) + " index", "The file of the index, which can always be made again from your files."})
	for _, name := range m.indexParts() {
		means, known := fileMeanings[name]
		if !known {
			means = "a part of it"
		}
		out = append(out, explained{size(m.status.Bytes[name]) + " " + sanitize(name), "Of these: " + means + "."})
	}
	if c := m.status.Conversations; c != nil && c.Count > 0 {
		out = append(out, explained{counted(c.Count, "conversation"), fmt.Sprintf(
			"%s of text and %s of keys and values on the disk, which spare the model to read the conversations again.", size(c.Text), size(c.Keys.Disk))})
		for _, l := range c.Keys.Levels {
			if l.Chunks > 0 {
				out = append(out, explained{fmt.Sprintf("%s at %d bits", count(l.Chunks), l.Bits), fmt.Sprintf(
					"Chunks of keys and values whose numbers have %d bits, %s in all: the less a chunk matters, the fewer.", l.Bits, size(l.Bytes))})
			}
		}
	}
	return out
}
