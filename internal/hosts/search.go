package hosts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"dowse/engine"
	"dowse/internal/config"
	"dowse/internal/daemon"
)

// Here is this machine, as it is searched with others.
type Here struct {
	Fingerprint string // of its index; those of machines that rank with it as one are equal
	// Search searches machines as one, with this one where own is set; failed is told of machines that fail.
	Search func(ctx context.Context, own bool, fit []Fit, failed func(name string, err error)) (*engine.Result, error)
}

// Fit is a machine that ranks with others as one.
type Fit struct {
	Name      string
	Languages uint32 // of its index
	engine.Ranker
}

// answer is what machines found that rank as one, or one by itself.
type answer struct {
	names  []string
	result *engine.Result
	err    error
}

// search is one search of several machines.
type search struct {
	req  engine.Request
	tell func(string)

	mu     sync.Mutex
	slow   map[string]bool // told of
	failed []error
	left   map[string]bool // out, and told of
	over   bool            // nothing is told any more
}

// Search searches the machines of a request. Those whose indexes are built with the same parts as here.Fingerprint says rank as one
// with here; each of the others ranks by itself, and the rankings are merged. tell is told of machines that are slow, and of those
// that failed, whose passages are missing; where all fail, that is the error.
func (p *Pool) Search(ctx context.Context, req engine.Request, here Here, tell func(string)) (*engine.Result, error) {
	start := time.Now()
	list, own, err := p.named(req.Hosts)
	if err != nil {
		return nil, err
	}
	s := &search{req: req, tell: tell, slow: map[string]bool{}, left: map[string]bool{}}
	defer s.end()
	fit, apart := s.sort(ctx, list, here)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(fit)+len(apart) == 0 && !own {
		return nil, errors.Join(s.failed...)
	}
	if req.Answer || req.Context != "" || req.Keep {
		for _, h := range apart {
			s.leaveOut(h.name, errRanksAlone)
		}
		if apart = nil; len(fit) == 0 && !own {
			return nil, errors.Join(s.failed...)
		}
	}
	results, err := s.results(ctx, here, own, fit, apart)
	if err != nil {
		return nil, err
	}
	if len(results) == 0 {
		return nil, errors.Join(s.failed...)
	}
	merged := merge(results, wanted(req.K))
	merged.Stats.Millis = float64(time.Since(start).Microseconds()) / 1000
	for _, err := range s.failed {
		merged.Stats.Away = append(merged.Stats.Away, missing(err))
	}
	return merged, nil
}

// errRanksAlone leaves a machine out where one ranking is needed.
var errRanksAlone = errors.New("answers and conversations over several machines need an index on this one, and the same model and version of dowse on all")

// missing says that the passages of a machine are.
func missing(err error) string { return err.Error() + "; its passages are missing" }

// sort asks the machines who they are, and tells those that rank as one with here from those that rank by themselves.
func (s *search) sort(ctx context.Context, list []*host, here Here) (fit []Fit, apart []*host) {
	peers := make([]*engine.Peer, len(list))
	var waits sync.WaitGroup
	for i, h := range list {
		waits.Go(func() {
			var err error
			if peers[i], err = s.peer(ctx, h); err != nil {
				s.leaveOut(h.name, err)
			}
		})
	}
	waits.Wait()
	for i, h := range list {
		switch peer := peers[i]; {
		case peer == nil:
		case here.Search != nil && here.Fingerprint != "" && peer.Fingerprint == here.Fingerprint && slices.Contains(peer.Can, engine.CanRank):
			fit = append(fit, Fit{h.name, peer.Languages, &ranker{h, s}})
		default:
			apart = append(apart, h)
		}
	}
	return fit, apart
}

// leaveOut notes that a machine failed, and tells it.
func (s *search) leaveOut(name string, err error) {
	if errors.Is(err, context.Canceled) {
		return
	}
	err = fmt.Errorf("%s: %w", name, cleanError(err))
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.left[name] || s.over {
		return
	}
	s.left[name], s.failed = true, append(s.failed, err)
	s.tell(missing(err))
}

// end has nothing told any more.
func (s *search) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
}

// called makes a call on a machine, and tells when it is slow.
func called[T any](ctx context.Context, s *search, h *host, do func(ctx context.Context, p *daemon.Pipe) (*T, error)) (*T, error) {
	told := time.AfterFunc(patience, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if !s.slow[h.name] && !s.over && ctx.Err() == nil {
			s.slow[h.name] = true
			s.tell(fmt.Sprintf(slowText, h.name))
		}
	})
	defer told.Stop()
	return value(ctx, h.with, do)
}

// peer is who answers on a machine.
func (s *search) peer(ctx context.Context, h *host) (*engine.Peer, error) {
	return called(ctx, s, h, func(ctx context.Context, p *daemon.Pipe) (*engine.Peer, error) { return p.Peer(ctx) })
}

// results are what was found: by this machine and those that fit, and by each of the others.
func (s *search) results(ctx context.Context, here Here, own bool, fit []Fit, apart []*host) (found []answer, err error) {
	answers := make([]answer, 1+len(apart))
	var waits sync.WaitGroup
	if own || len(fit) > 0 {
		waits.Go(func() {
			a := &answers[0]
			if own {
				a.names = []string{config.ThisMachine}
			}
			for _, f := range fit {
				a.names = append(a.names, f.Name)
			}
			if here.Search == nil {
				s.leaveOut(config.ThisMachine, errors.New("nothing is indexed"))
				return
			}
			a.result, a.err = here.Search(ctx, own, fit, s.leaveOut)
		})
	}
	for i, h := range apart {
		waits.Go(func() {
			a := &answers[1+i]
			a.names = []string{h.name}
			if a.result, a.err = s.alone(ctx, h); a.err != nil {
				s.leaveOut(h.name, a.err)
			}
		})
	}
	waits.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := answers[0].err; err != nil && !s.isLeftOut(err) {
		if len(apart) == 0 || errors.Is(err, engine.ErrQuery) {
			return nil, err
		}
		s.leaveOut(strings.Join(answers[0].names, ", "), err)
	}
	for _, a := range answers {
		if a.result != nil {
			found = append(found, a)
		}
	}
	return found, nil
}

// isLeftOut reports whether an error says only that machines failed, which was told.
func (s *search) isLeftOut(err error) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return errors.Is(err, engine.ErrNobody) && len(s.failed) > 0
}

// alone has a machine search by itself.
func (s *search) alone(ctx context.Context, h *host) (result *engine.Result, err error) {
	req := s.req
	req.Hosts = nil
	result, err = called(ctx, s, h, func(ctx context.Context, p *daemon.Pipe) (*engine.Result, error) { return p.Search(ctx, req) })
	if err != nil {
		return nil, err
	}
	if err := h.check(result, &req); err != nil {
		return nil, err
	}
	return result, nil
}

// wanted is how many passages a request asks for.
func wanted(k int) int {
	if k <= 0 {
		return engine.DefaultK
	}
	return k
}

// MergedText says how the rankings of several machines became one.
const MergedText = "the rankings of %s are merged by rank: their indexes are built with different models or versions of dowse"

// merge makes one ranking of k passages: of each result the first, then of each the second, those on the topic before the
// others. One result stays as it is.
func merge(results []answer, k int) *engine.Result {
	type placed struct {
		engine.Passage
		host int
	}
	var all []placed
	var from []string
	var whole *engine.Result
	for i, a := range results {
		from, whole = append(from, strings.Join(a.names, " with ")), a.result
		for _, p := range a.result.Passages {
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
	for _, a := range results {
		if r := a.result; r != nil {
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
