package search

import (
	"cmp"
	"context"
	"slices"

	"dowse/engine/lexical"
	"dowse/engine/search/snapshot"
)

// Lines of logs have no vectors; words alone find them. Where the filters leave logs alone
// (type:log), all places are theirs.

// maxLogHits bounds the chunks of logs that words and meaning rank together, to half of what is
// reranked: thousands of lines say the same, and would be all that words rank.
const maxLogHits = 10

// searchApart is searchJointly that ranks chunks of logs and others each by themselves, where there are both.
func (l *retrieval) searchApart(ctx context.Context, c *lexical.Joint, words lexical.Query, depth int) (lexical.Result, error) {
	logs, others := l.apart()
	if logs == nil {
		return l.searchJointly(ctx, c, words, depth, l.allowed())
	}
	found, err := l.searchJointly(ctx, c, words, depth, others)
	if err != nil {
		return found, err
	}
	more, err := l.searchJointly(ctx, c, words, maxLogHits, logs)
	found.Hits = append(found.Hits, more.Hits...)
	slices.SortStableFunc(found.Hits, func(a, b lexical.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Chunk, b.Chunk))
	})
	return found, err
}

// apart divides what the filters leave of each part into chunks of logs and others; nil where words alone rank, or where one
// of the two is nothing.
func (l *retrieval) apart() (logs, others []*lexical.Set) {
	if !fuses(l.mode) || !slices.ContainsFunc(l.indexes, func(p *indexSearch) bool { return p.commit.Snap.Logs > 0 }) {
		return nil, nil
	}
	ofLogs, all := 0, 0
	for _, p := range l.indexes {
		own, rest := lexical.NewSet(p.commit.Snap.Size), p.left.Allow.Clone()
		for _, f := range p.commit.Snap.Files {
			if snapshot.HasVectors(f) {
				continue
			}
			for _, run := range f.IDs {
				own.AddRange(run.First, run.N)
			}
		}
		rest.AndNot(own)
		own.And(p.left.Allow)
		ofLogs, all = ofLogs+own.Len(), all+p.left.Allow.Len()
		logs, others = append(logs, own), append(others, rest)
	}
	if ofLogs == 0 || ofLogs == all {
		return nil, nil
	}
	return logs, others
}

// ownLogs counts the chunks of logs that the filters leave of the indexes of this machine, and all that they leave.
func (l *retrieval) ownLogs() (logs, all int) {
	for _, p := range l.indexes {
		all += p.left.Chunks
		if p.commit.Snap.Logs == 0 {
			continue
		}
		for _, f := range p.commit.Snap.Files {
			if snapshot.HasVectors(f) {
				continue
			}
			for _, id := range f.IDs.All() {
				if p.left.Allow.Has(id) {
					logs++
				}
			}
		}
	}
	return logs, all
}
