package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"dowse/engine"
	"dowse/engine/search/passage"
)

// rerank puts the first candidates in order. Those whose text cannot be
// read, or is another one than was indexed, stay behind the others. Which of them are read
// to the end is a matter of how many there are, and not of how many results are wanted.
func (e *Engine) rerank(ctx context.Context, commit *passage.Commit, q *formulation, req engine.Request, ranked []candidate, rec *recorder) ([]candidate, error) {
	clock := time.Now()
	n, settled := e.toRerank(req, ranked)
	tells := e.tellsRelevant(q, engine.Reranked)
	if n < 2 || q.Text() == "" || settled && (ranked[0].wordy || !tells) {
		return ranked, nil
	}
	head, texts, err := e.rerankTexts(ctx, commit, commit.Highlighter(engine.Literal(q.reranked())), ranked[:n])
	if err != nil {
		return nil, err
	}
	if len(texts) == 0 {
		return ranked, nil
	}
	ranking := provisional{head: head[:len(texts)]}
	job := engine.RerankJob{Query: q.reranked(), Passages: texts, K: RerankWanted(n), Trace: req.Trace, Observe: func(l engine.RerankLayer) {
		l.Candidates, l.Chunks = len(texts), ranking.after(l)
		rec.layer(l)
	}}
	if req.RerankMillis > 0 {
		job.Deadline = clock.Add(time.Duration(req.RerankMillis) * time.Millisecond)
	}
	for _, c := range head[:len(texts)] {
		job.Prior, job.Closeness = append(job.Prior, c.score), append(job.Closeness, c.closeness)
	}
	done, err := e.opts.Reranker.Rerank(ctx, job)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		rec.stats.Rerank = &engine.RerankStats{Candidates: len(texts), Problem: fmt.Sprintf("the reranker failed, so this is the ranking without it: %v", err)}
		rec.problem(rec.stats.Rerank.Problem)
		return ranked, nil
	}
	rec.stats.Rerank = &done.Stats
	if done.Stats.Instead != "" {
		rec.problem(done.Stats.Instead)
	}
	rec.stage("rerank", clock, done.Stats.FullLayers, done.Stats.ActiveLayers, done.Stats.BytesRead)
	order := slices.Concat(reorder(head, done), lowered(ranked[n:], ranked[n-1].score, done))
	if tells {
		judgeReranked(order, done, relevanceOf(head, done))
	}
	return order, nil
}

// readyReranker has the reranker opened while candidates are found. ended waits for that, or gives it up.
func (e *Engine) readyReranker(ctx context.Context) (ended func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		e.opts.Reranker.Ready(ctx)
	}()
	return func() {
		cancel()
		<-done
	}
}

// rerankWindow is how many bytes of a passage a reranker reads, some 110 tokens: the window that holds most of
// the query's words.
const rerankWindow = 400

// rerankFrom is the number of candidates from which on a better ranking comes of reading them, where the others are far
// behind the first. Fewer are read only to tell whether the first is on the topic.
const rerankFrom = 7

// RerankWanted is the number of the best of n candidates whose order is to be right. It
// does not follow from how many results a search wants, so that one that wants fewer gets
// the first ones of the same ranking.
func RerankWanted(n int) int { return max(n/2, 1) }

// toRerank is how many candidates are reranked: those near the first, as far as there is time for. An answer
// takes longer than to read some more of them, near or not, and is as good on a slow machine as on a fast one.
// The order is settled where so few are near that reading them brings no better one.
func (e *Engine) toRerank(req engine.Request, ranked []candidate) (n int, settled bool) {
	n = e.opts.RerankDepth
	switch {
	case n > 0:
	case req.Answer:
		n = max(e.opts.Reranker.Depth(), engine.RerankDepth)
	default:
		n = e.opts.Reranker.Depth()
	}
	n = min(n, len(ranked))
	if req.Answer {
		return n, false
	}
	scores := make([]float64, n)
	for i := range scores {
		scores[i] = ranked[i].score
	}
	near := e.opts.Reranker.Near(scores)
	return near, near < min(n, rerankFrom) && !req.Trace
}

// provisional is the ranking of candidates while layers are computed.
type provisional struct {
	head     []candidate
	selected []int // earliest first
	dropped  []int // latest first
}

// after returns the chunks in the ranking known after a layer.
func (p *provisional) after(l engine.RerankLayer) []uint32 {
	place := make([]int, len(l.Active))
	for i := range place {
		place[i] = i
	}
	slices.SortStableFunc(place, func(a, b int) int { return cmp.Compare(l.Scores[b], l.Scores[a]) })
	var active, dropped []int
	for _, i := range place {
		switch c := l.Active[i]; {
		case slices.Contains(l.Selected, c):
			p.selected = append(p.selected, c)
		case slices.Contains(l.Dropped, c):
			dropped = append(dropped, c)
		default:
			active = append(active, c)
		}
	}
	p.dropped = append(dropped, p.dropped...)
	chunks := make([]uint32, 0, len(p.head))
	for _, c := range slices.Concat(p.selected, active, p.dropped) {
		chunks = append(chunks, p.head[c].chunk)
	}
	return chunks
}

// rerankTexts reads a window of each candidate's text, and returns candidates with a text before the others.
// The text of a stale passage is what stands there now, which will be shown. A server gets neither
// stale texts nor secrets.
func (e *Engine) rerankTexts(ctx context.Context, commit *passage.Commit, asked passage.Highlighter, ranked []candidate) ([]candidate, []string, error) {
	if err := commit.Gather(ctx, chunksOfCandidates(ranked)); err != nil {
		return nil, nil, err
	}
	read, reader := make([]string, len(ranked)), commit.NewReader()
	for _, i := range byFile(commit, ranked) {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		text, _, err := reader.Chunk(ranked[i].chunk)
		if err != nil {
			return nil, nil, err
		}
		if text == nil {
			continue
		}
		commit.Keep(ranked[i].chunk, text)
		if (text.Stale || text.Secret) && e.opts.RerankSends {
			continue
		}
		read[i] = text.Ranked
		if text.Stale {
			read[i] = text.Body
		}
		read[i] = asked.Window(read[i], rerankWindow)
	}
	var with, without []candidate
	var texts []string
	for i, c := range ranked {
		if strings.TrimSpace(read[i]) == "" {
			without = append(without, c)
			continue
		}
		with, texts = append(with, c), append(texts, read[i])
	}
	return append(with, without...), texts, nil
}

// reorder applies a reranking to the candidates that it looked at. Others
// follow in their order.
func reorder(head []candidate, done *engine.Reranking) []candidate {
	out := make([]candidate, 0, len(head))
	for _, n := range done.Order {
		c := head[n]
		c.score = done.Scores[n]
		if done.Partial == nil || !done.Partial[n] {
			c.rerankScore = c.score
		}
		out = append(out, c)
	}
	others := head[len(done.Order):]
	return append(out, lowered(others, highest(others), done)...)
}

func highest(list []candidate) float64 {
	if len(list) == 0 {
		return 0
	}
	return list[0].score
}

// lowered gives candidates that were not reranked scores below the last reranked one, by as much
// as they were below the score top.
func lowered(list []candidate, top float64, done *engine.Reranking) []candidate {
	if len(done.Order) == 0 {
		return list
	}
	last := done.Scores[done.Order[len(done.Order)-1]]
	out := slices.Clone(list)
	for i := range out {
		out[i].score = last - max(0, top-out[i].score)
	}
	return out
}
