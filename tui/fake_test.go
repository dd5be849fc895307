package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"dowse/engine"
)

// fakeSearcher finds the words of a query in a few files held in memory. A
// query that starts with "slow" waits until hold is closed, deaf to its
// context, as a search would that looks at it too rarely.
type fakeSearcher struct {
	mu        sync.Mutex
	files     map[string]string // path -> text
	found     []engine.Passage  // by every search, in the place of what it finds
	first     int               // line that is prepended to every file, to move passages
	requests  []engine.Request
	related   []engine.RelatedRequest
	contexts  []context.Context
	previews  []int // reach of each Preview
	err       error // of Search
	estimates bool  // rank estimates backwards, and say that they are
	subErr    error // of Subscribe
	copies    []int // of final rankings and estimates: SimilarTo, by place
	alone     bool  // nothing is like anything
	respelled []engine.Respelling
	relevant  int           // of final rankings so many first passages are on the topic; 0 means all
	stats     *engine.Stats // of every search, in the place of fakeStats
	reranker  *fakeReranker
	answerer  *fakeAnswerer
	status    engine.Status
	kept      fakeConversations
	budgets   []engine.BudgetChange // that were asked for

	tags        []engine.Suggestion // for tag:, by their beginning; the filter adds the text
	completions []engine.CompletionRequest

	about map[string]engine.About   // of files, by path
	where map[string]engine.Locator // in which their passages begin

	fakeFolders

	hold   chan struct{}
	let    sync.Once // closes hold
	events chan engine.Event
}

func newFake() *fakeSearcher {
	return &fakeSearcher{
		files:  notes(),
		hold:   make(chan struct{}),
		events: make(chan engine.Event, 16),
		status: engine.Status{
			Files: 5, Chunks: 5, TextBytes: 2_345, RSS: 84_000_000, Roots: []string{"/home/ada/notes"},
			Bytes:   map[string]int64{"total": 12_300_000, "graph": 6_100_000, "postings": 4_000_000, "pq": 2_200_000},
			Memory:  map[string]engine.PoolSize{"weights": {Bytes: 23_000_000, Peak: 23_000_000}},
			Skipped: map[string]int{"binary": 3, "too large": 1},
		},
	}
}

// FollowModel has nothing to follow.
func (f *fakeSearcher) FollowModel(context.Context) (*engine.ModelChange, error) {
	return &engine.ModelChange{To: "all-MiniLM-L6-v2", Over: true}, nil
}

// Complete suggests the tags that begin as what is typed does. A tag that is "slow" waits as
// a search does.
func (f *fakeSearcher) Complete(ctx context.Context, req engine.CompletionRequest) (*engine.Completion, error) {
	t, ok := engine.TypingAt(req.Line, req.Cursor, req.Asked)
	f.mu.Lock()
	f.completions = append(f.completions, req)
	f.mu.Unlock()
	if !ok || t.Key == "" {
		return nil, errors.New("the screen asked for keys")
	}
	if strings.HasPrefix(t.Text, "slow") {
		<-f.hold
	} else if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	out := &engine.Completion{Start: t.Start, End: t.End, Key: t.Key}
	for _, s := range f.tags {
		if text, ok := t.Complete(s.Label); ok && t.Key == "tag" && strings.HasPrefix(s.Label, t.Text) {
			s.Text = text
			out.Suggestions = append(out.Suggestions, s)
		}
	}
	return out, nil
}

// LeftOut is a note that nobody can read, and a folder.
func (f *fakeSearcher) Files(context.Context, engine.FilesRequest) (*engine.Files, error) {
	return nil, nil
}

func (f *fakeSearcher) Read(context.Context, engine.ReadRequest) (*engine.FileText, error) {
	return nil, nil
}

func (f *fakeSearcher) LeftOut(context.Context) ([]engine.LeftOut, error) {
	return []engine.LeftOut{
		{Path: "/home/ann/notes/old/scan.pdf", Reason: "no text"},
		{Path: "/home/ann/notes/a.bin", Reason: "binary", Detail: "control characters or zero bytes"},
	}, nil
}

// ChangeBudget halves and doubles the budget of the status, up to all of it and down to
// an eighth.
func (f *fakeSearcher) ChangeBudget(_ context.Context, change engine.BudgetChange) (*engine.BudgetStep, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.budgets = append(f.budgets, change)
	if f.status.Budget == nil {
		return nil, errors.New("no budget of memory is known on this machine")
	}
	before := *f.status.Budget
	after := before
	if change == engine.LowerBudget {
		after.Bytes = max(before.Bytes/2, before.Full/8)
	} else {
		after.Bytes = min(before.Bytes*2, before.Full)
	}
	f.status.Budget = &after
	return &engine.BudgetStep{Budget: after, Before: before.Bytes}, nil
}

// notes returns the files of the fake: ordinary ones, and some that try things.
func notes() map[string]string {
	return map[string]string{
		"/home/ada/notes/network/dns.md": "# Fixing DNS\n\nThe resolver kept a stale answer in its cache, and every\n" +
			"lookup of the printer failed. Flushing the cache with\n\n    resolvectl flush-caches\n\nfixed the DNS for good.\n" +
			"Write it down before the next one asks.\n",
		"/home/ada/notes/recipes/bread.md": "# Bread\n\n## Sourdough\n\n" +
			"Keep the starter in a cool place. The cache of flour is in the cellar.\n",
		"/home/ada/notes/日本語/キャッシュ.md":                     "# キャッシュ\n\nDNS の cache を消す方法。リゾルバは古い答えを保存していた 👩‍💻 ❤️。\n",
		"/home/ada/notes/evil\x1b]0;pwned\x07\u202egpj.md": "cache\tof \x1b[31mred\x1b[0m ink\x9b2J and \u202eoverride\u202c \xff\xfe end\n",
		"/srv/a very long way/down/through/many/folders/that nobody/tidied/logs/minified-cache.js": "var cache=" +
			strings.Repeat("cache[0x1f]||dns;", 700) + "\n",
	}
}

func (f *fakeSearcher) Search(ctx context.Context, req engine.Request, emit func(engine.Event)) (*engine.Result, error) {
	f.mu.Lock()
	f.requests = append(f.requests, req)
	f.contexts = append(f.contexts, ctx)
	err := f.err
	f.mu.Unlock()
	if strings.HasPrefix(req.Query, "slow") {
		<-f.hold
	} else if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	passages := f.find(strings.Fields(strings.ToLower(req.Query)))
	if f.found != nil {
		passages = slices.Clone(f.found)
	}
	f.mu.Unlock()
	stats := fakeStats()
	if f.stats != nil {
		stats = *f.stats
	}
	if f.reranker != nil && req.Mode == "" && !req.Estimate {
		var err error
		if passages, err = f.reranker.rerank(ctx, passages, &stats, emit); err != nil {
			return nil, err
		}
	}
	for i := range passages {
		passages[i].Relevant = req.Estimate || f.relevant == 0 || i < f.relevant
	}
	if f.estimates && req.Estimate {
		slices.Reverse(passages)
	}
	for i := range min(len(passages), len(f.copies)) {
		passages[i].SimilarTo = f.copies[i]
	}
	stats.Estimated = req.Estimate && req.Mode == "" && (f.estimates || f.reranker != nil || f.relevant != 0)
	result := &engine.Result{Query: req.Query, Passages: passages, Stats: stats, Respelled: f.respelled}
	if req.Context != "" {
		defer func() { result.Context = f.kept.add(req, result) }()
	}
	if req.Answer && f.answerer != nil {
		if result.Answer, err = f.answerer.answer(ctx, passages, emit); err != nil {
			return nil, err
		}
	}
	return result, nil
}

func fakeStats() engine.Stats {
	return engine.Stats{
		Files: 5, Chunks: 5, Millis: 8.24, Warm: true, Embedded: 4, LexicalWeight: 0.55, VectorWeight: 0.45,
		Stages: []engine.StageStats{
			{Name: "parse", Millis: 0.01, In: 1, Out: 2}, {Name: "filter", Millis: 0.1, In: 5, Out: 5},
			{Name: "lexical", Millis: 0.8, In: 1823, Out: 5}, {Name: "embed", Millis: 5.9, In: 4, Out: 1},
			{Name: "vector", Millis: 0.9, In: 5, Out: 5}, {Name: "fuse", Millis: 0.05, In: 10, Out: 5},
			{Name: "read", Millis: 0.4, In: 5, Out: 5},
		},
	}
}

// find ranks files by how many of the words they have, then by path.
func (f *fakeSearcher) find(words []string) []engine.Passage {
	var out []engine.Passage
	for i, path := range f.paths() {
		text := f.text(path)
		hits := hitsOf(text, words)
		if len(hits) == 0 {
			continue
		}
		out = append(out, f.passage(i, path, hits))
	}
	slices.SortStableFunc(out, func(a, b engine.Passage) int { return int(b.Score - a.Score) })
	for i := range out {
		out[i].Rank = i + 1
	}
	return out
}

// passage returns the whole of file i as a passage.
func (f *fakeSearcher) passage(i int, path string, hits []engine.Range) engine.Passage {
	heading, text := "", f.text(path)
	if title, ok := strings.CutPrefix(f.files[path], "# "); ok {
		heading, _, _ = strings.Cut(title, "\n")
	}
	where := engine.Where{}
	if at, ok := f.where[path]; ok {
		where = engine.Where{Locator: &at, Extracted: true}
	}
	return engine.Passage{
		About: f.about[path], Where: where,
		Path: path, LineStart: 1 + f.first, LineEnd: strings.Count(text, "\n"), Heading: heading, Text: text,
		Score: min(float64(len(hits)), 9), Highlights: hits, LexicalRank: i + 1, VectorRank: 5 - i,
		Modified: changedDays[i%len(changedDays)],
		FileID:   uint32(i + 1), ChunkID: uint32(i + 1), Stale: strings.HasSuffix(path, "bread.md"), Relevant: true,
	}
}

// changedDays are when files were changed: the clock of tests begins with the year 2000.
var changedDays = []time.Time{
	time.Date(1999, 12, 31, 22, 0, 0, 0, time.UTC), time.Date(1999, 12, 28, 0, 0, 0, 0, time.UTC), time.Date(1999, 5, 1, 0, 0, 0, 0, time.UTC),
	time.Date(1996, 5, 1, 0, 0, 0, 0, time.UTC), {},
}

func (f *fakeSearcher) paths() []string {
	paths := make([]string, 0, len(f.files))
	for path := range f.files {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths
}

func (f *fakeSearcher) text(path string) string { return strings.Repeat("\n", f.first) + f.files[path] }

// hitsOf finds words in ASCII letters of any case.
func hitsOf(text string, words []string) []engine.Range {
	lower := strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, text)
	if len(lower) != len(text) {
		lower = text // invalid UTF-8 was replaced: match as it stands
	}
	var hits []engine.Range
	for _, word := range words {
		for at := 0; ; {
			i := strings.Index(lower[at:], word)
			if i < 0 {
				break
			}
			hits = append(hits, engine.Range{Start: at + i, End: at + i + len(word)})
			at += i + len(word)
		}
	}
	slices.SortFunc(hits, func(a, b engine.Range) int { return a.Start - b.Start })
	return hits
}

// Related finds all other files: estimates in the order of their paths, the final
// ranking backwards.
func (f *fakeSearcher) Related(ctx context.Context, req engine.RelatedRequest, _ func(engine.Event)) (*engine.Related, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.related = append(f.related, req)
	f.contexts = append(f.contexts, ctx)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case f.err != nil:
		return nil, f.err
	}
	var passages []engine.Passage
	for i, path := range f.paths() {
		if path != req.Path && !f.alone {
			passages = append(passages, f.passage(i, path, nil))
		}
	}
	if !req.Estimate {
		slices.Reverse(passages)
	}
	for i := range passages {
		p := &passages[i]
		p.Rank, p.Score, p.LexicalRank, p.VectorRank = i+1, 0.9-0.2*float64(i), 0, i+1
	}
	stats := fakeStats()
	stats.Estimated = req.Estimate
	return &engine.Related{Like: engine.Place{Path: req.Path, LineStart: req.Line}, Passages: passages, Stats: stats}, nil
}

func (f *fakeSearcher) Preview(_ context.Context, p engine.Passage, before, after int) (*engine.Preview, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.previews = append(f.previews, before)
	text, ok := f.files[p.Path]
	if !ok {
		return nil, fmt.Errorf("read %s: the file is gone; it leaves the index within seconds", p.Path)
	}
	lines := strings.Split(strings.TrimSuffix(strings.Repeat("\n", f.first)+text, "\n"), "\n")
	start, end := max(p.LineStart-1-before, 0), min(p.LineEnd+after, len(lines))
	return &engine.Preview{
		Path: p.Path, FirstLine: start + 1, Lines: lines[start:end],
		LineStart: p.LineStart, LineEnd: p.LineEnd, LineTotal: len(lines),
	}, nil
}

func (f *fakeSearcher) Status(context.Context) (*engine.Status, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	status := f.status
	return &status, nil
}

func (f *fakeSearcher) Subscribe(ctx context.Context) (<-chan engine.Event, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.subErr != nil {
		return nil, f.subErr
	}
	out, in := make(chan engine.Event), f.events
	go func() {
		defer close(out)
		for {
			select {
			case <-ctx.Done():
				return
			case event, ok := <-in:
				if !ok {
					return
				}
				select {
				case out <- event:
				case <-ctx.Done():
					return
				}
			}
		}
	}()
	return out, nil
}

func (f *fakeSearcher) Close() error { return nil }

// release lets the slow searches go on.
func (f *fakeSearcher) release() { f.let.Do(func() { close(f.hold) }) }

// queries returns the queries asked so far.
func (f *fakeSearcher) queries() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []string
	for _, r := range f.requests {
		out = append(out, r.Query)
	}
	return out
}

// indexing returns the progress of a run that began 20 s before at.
func indexing(at time.Time) *engine.Progress {
	return &engine.Progress{
		Phase: engine.Indexing, FilesDone: 1204, FilesTotal: 3120, Chunks: 1720, BytesDone: 4_000_000,
		BytesTotal: 10_000_000, Skipped: map[string]int{"binary": 9, "too large": 3},
		Current: "/home/ada/notes/ne\x1bw/todo.md", Started: at.Add(-20 * time.Second),
	}
}
