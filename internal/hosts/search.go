package hosts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"dowse/engine"
	"dowse/internal/daemon"
)

// Own searches this machine.
type Own func(ctx context.Context, req engine.Request) (*engine.Result, error)

// answer is what a machine found.
type answer struct {
	host   int
	result *engine.Result
	err    error
}

// Search asks machines at once, and makes one ranking of what they found. tell is told of machines that are slow, and of those
// that failed, whose passages are missing; where all fail, that is the error.
func Search(ctx context.Context, list []Host, own Own, req engine.Request, tell func(string)) (*engine.Result, error) {
	start := time.Now()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	answers := make(chan answer, len(list))
	for i := range list {
		go func() {
			result, err := list[i].search(ctx, own, req)
			answers <- answer{i, result, err}
		}()
	}
	slow := time.NewTimer(patience)
	defer slow.Stop()
	results := make([]*engine.Result, len(list))
	waiting := make([]bool, len(list))
	for i := range waiting {
		waiting[i] = true
	}
	var failed []error
	for left := len(list); left > 0; {
		select {
		case <-slow.C:
			for i, h := range list {
				if waiting[i] {
					tell(fmt.Sprintf(slowText, h.Name))
				}
			}
		case a := <-answers:
			left--
			waiting[a.host] = false
			if results[a.host] = a.result; a.err != nil {
				failed = append(failed, a.err)
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(failed) == len(list) {
		return nil, errors.Join(failed...)
	}
	merged := merge(list, results, wanted(req.K))
	merged.Stats.Millis = float64(time.Since(start).Microseconds()) / 1000
	for _, err := range failed {
		text := err.Error() + "; its passages are missing"
		merged.Stats.Away = append(merged.Stats.Away, text)
		tell(text)
	}
	return merged, nil
}

// wanted is how many passages a request asks for.
func wanted(k int) int {
	if k <= 0 {
		return engine.DefaultK
	}
	return k
}

// search asks one machine.
func (h *Host) search(ctx context.Context, own Own, req engine.Request) (result *engine.Result, err error) {
	if h.command == nil {
		if result, err = own(ctx, req); err != nil {
			return nil, h.failed(ctx, err)
		}
		return result, nil
	}
	err = h.talk(ctx, func(ctx context.Context, p *daemon.Pipe) (err error) {
		result, err = p.Search(ctx, req)
		return err
	})
	if err != nil {
		return nil, h.failed(ctx, err)
	}
	if err := h.check(result, &req); err != nil {
		return nil, h.failed(ctx, err)
	}
	return result, nil
}

// MergedText says how the rankings of several machines became one.
const MergedText = "the rankings of %s are merged by rank: each machine scores by its own files"

// merge makes one ranking of k passages: of each machine the first, then of each the second, those on the topic before the
// others. The result of one machine stays as it is.
func merge(list []Host, results []*engine.Result, k int) *engine.Result {
	type placed struct {
		engine.Passage
		host int
	}
	var all []placed
	var from []string
	var whole *engine.Result
	for i, r := range results {
		if r == nil {
			continue
		}
		from, whole = append(from, list[i].Name), r
		for _, p := range r.Passages {
			all = append(all, placed{p, i})
		}
	}
	if len(from) == 1 {
		return whole
	}
	slices.SortStableFunc(all, func(a, b placed) int {
		if a.Relevant != b.Relevant {
			if a.Relevant {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.host, b.host))
	})
	all = all[:min(k, len(all))]
	merged := &engine.Result{Query: whole.Query, Passages: []engine.Passage{}, Stats: engine.Stats{Stages: []engine.StageStats{}}}
	ranks := map[[2]int]int{} // of machine and its rank
	for n, p := range all {
		ranks[[2]int{p.host, p.Rank}] = n + 1
	}
	for n, p := range all {
		p.Score, p.SimilarTo = 1/float64(rankOffset+p.Rank), ranks[[2]int{p.host, p.SimilarTo}]
		if p.SimilarTo > n {
			p.SimilarTo = 0
		}
		p.Rank = n + 1
		merged.Passages = append(merged.Passages, p.Passage)
	}
	for _, r := range results {
		if r != nil {
			merged.Stats.Files, merged.Stats.Chunks = merged.Stats.Files+r.Stats.Files, merged.Stats.Chunks+r.Stats.Chunks
			merged.Stats.Away = append(merged.Stats.Away, r.Stats.Away...)
			merged.Stats.Coming = cmp.Or(merged.Stats.Coming, r.Stats.Coming)
			merged.Respelled = append(merged.Respelled, r.Respelled...)
		}
	}
	merged.Stats.Merged = fmt.Sprintf(MergedText, strings.Join(from, ", "))
	return merged
}

// rankOffset is that of reciprocal rank fusion (Cormack et al. 2009).
const rankOffset = 60
