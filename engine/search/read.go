package search

import (
	"context"
	"slices"
	"time"

	"dowse/engine"
	"dowse/store"
)

// read is the read stage: it turns the first candidates whose text can be
// read into passages. The next ones stand in for those whose files are gone.
func read(ctx context.Context, v *view, q *engine.Query, ranked []candidate, want page, rec *recorder) ([]engine.Passage, error) {
	clock := time.Now()
	passages := make([]engine.Passage, 0, min(want.k, len(ranked)))
	lit := v.newHighlighter(q)
	reader := v.newReader()
	fold := folding{page: want, repeats: newRepeats()}
	looked := 0
	for !fold.done && looked < len(ranked) {
		next := ranked[looked:min(looked+fold.missing(), len(ranked))]
		looked += len(next)
		read, err := readInOrder(ctx, reader, lit, next)
		if err != nil {
			return nil, err
		}
		for _, p := range read {
			passages = fold.add(passages, p)
		}
	}
	if err := v.describe(passages); err != nil {
		return nil, err
	}
	drawLine(passages)
	rec.stage("read", clock, looked, len(passages), passageBytes(passages))
	return passages, nil
}

// readInOrder reads candidates by file, so that each file is read once, and
// returns their passages in the order given.
func readInOrder(ctx context.Context, reader *reader, lit highlighter, ranked []candidate) ([]engine.Passage, error) {
	read := make([]*engine.Passage, len(ranked))
	for _, i := range byFile(reader.view, ranked) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		text, file, err := reader.chunk(ranked[i].chunk)
		if err != nil {
			return nil, err
		}
		if text == nil || text.stale {
			reader.outdated(file)
		}
		if text != nil {
			read[i] = newPassage(ranked[i], text, file, lit.find(text.body))
		}
	}
	var passages []engine.Passage
	for _, p := range read {
		if p != nil {
			passages = append(passages, *p)
		}
	}
	return passages, nil
}

// byFile gives the places of candidates in the order in which each file is read
// once.
func byFile(v *view, ranked []candidate) []int {
	order := make([]int, len(ranked))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return v.compareChunks(ranked[a].chunk, ranked[b].chunk) })
	return order
}

func newPassage(c candidate, text *chunkText, file store.File, highlights []engine.Range) *engine.Passage {
	return &engine.Passage{
		Path:         file.Path,
		LineStart:    text.line,
		LineEnd:      text.last,
		Where:        text.where,
		Places:       text.places,
		Heading:      text.heading,
		Columns:      text.columns,
		Text:         text.body,
		Score:        c.score,
		Highlights:   highlights,
		LexicalRank:  c.lexicalRank,
		LexicalScore: c.lexicalScore,
		VectorRank:   c.vectorRank,
		VectorScore:  c.vectorScore,
		RerankScore:  c.rerankScore,
		Relevant:     !c.offTopic,
		Stale:        text.stale,
		Secret:       text.secret,
		FileID:       file.ID,
		ChunkID:      c.chunk,
	}
}

// passageBytes is the text that passages hold.
func passageBytes(passages []engine.Passage) int64 {
	n := 0
	for _, p := range passages {
		n += len(p.Text)
	}
	return int64(n)
}
