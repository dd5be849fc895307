package search

import (
	"context"
	"slices"
	"time"

	"dowse/engine"
	"dowse/engine/search/passage"
)

// read is the last step: it turns the first candidates whose text can be
// read into passages. The next ones stand in for those whose files are gone.
func read(ctx context.Context, c *passage.Commit, q *engine.Query, ranked []candidate, want passage.Page, rec *recorder) ([]engine.Passage, error) {
	clock := time.Now()
	passages := make([]engine.Passage, 0, min(want.K, len(ranked)))
	lit := c.Highlighter(q)
	reader := c.NewReader()
	fold := passage.NewFolding(want)
	looked := 0
	for !fold.Done && looked < len(ranked) {
		next := ranked[looked:min(looked+fold.Missing(), len(ranked))]
		looked += len(next)
		read, err := readInOrder(ctx, reader, lit, next)
		if err != nil {
			return nil, err
		}
		for _, p := range read {
			passages = fold.Add(passages, p)
		}
	}
	if err := c.Describe(passages); err != nil {
		return nil, err
	}
	drawLine(passages)
	rec.stage("read", clock, looked, len(passages), passageBytes(passages))
	return passages, nil
}

// readInOrder reads candidates by file, so that each file is read once, and
// returns their passages in the order given.
func readInOrder(ctx context.Context, reader *passage.Reader, lit passage.Highlighter, ranked []candidate) ([]engine.Passage, error) {
	if err := reader.Gather(ctx, chunksOfCandidates(ranked)); err != nil {
		return nil, err
	}
	read := make([]*engine.Passage, len(ranked))
	for _, i := range byFile(reader.Commit, ranked) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		text, file, err := reader.Chunk(ranked[i].chunk)
		if err != nil {
			return nil, err
		}
		if text == nil || text.Stale {
			reader.Outdated(file)
		}
		if text != nil {
			read[i] = text.Passage(&file, lit.Find(text.Body))
			ranked[i].place(read[i])
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
func byFile(c *passage.Commit, ranked []candidate) []int {
	order := make([]int, len(ranked))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return c.CompareChunks(ranked[a].chunk, ranked[b].chunk) })
	return order
}

// place gives a passage the place of its chunk in the ranking.
func (c *candidate) place(p *engine.Passage) {
	p.Score, p.Relevant, p.ChunkID = c.score, !c.offTopic, c.chunk
	p.LexicalRank, p.LexicalScore = c.lexicalRank, c.lexicalScore
	p.VectorRank, p.VectorScore = c.vectorRank, c.vectorScore
	p.RerankScore = c.rerankScore
}

// passageBytes is the text that passages hold.
func passageBytes(passages []engine.Passage) int64 {
	n := 0
	for _, p := range passages {
		n += len(p.Text)
	}
	return int64(n)
}
