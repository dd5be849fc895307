package search

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dowse/engine"
)

// wire is a machine whose calls and replies cross as JSON, and that fails at one of them.
type wire struct {
	engine.Ranker
	fails string
	calls map[string]int
}

var errGoneAway = errors.New("it is away")

// crossed makes a call whose two sides share nothing.
func crossed[A, B any](w *wire, name string, ask A, do func(A) (*B, error)) (*B, error) {
	w.calls[name]++
	if w.fails == name {
		return nil, errGoneAway
	}
	var sent A
	if err := cross(ask, &sent); err != nil {
		return nil, err
	}
	got, err := do(sent)
	if err != nil {
		return nil, err
	}
	var back B
	return &back, cross(got, &back)
}

func cross(from, to any) error {
	data, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, to)
}

func (w *wire) Count(ctx context.Context, req engine.CountRequest) (*engine.Counts, error) {
	return crossed(w, "count", req, func(r engine.CountRequest) (*engine.Counts, error) { return w.Ranker.Count(ctx, r) })
}

func (w *wire) Rank(ctx context.Context, req engine.RankRequest) (*engine.Ranked, error) {
	return crossed(w, "rank", req, func(r engine.RankRequest) (*engine.Ranked, error) { return w.Ranker.Rank(ctx, r) })
}

func (w *wire) Texts(ctx context.Context, req engine.TextsRequest) (*engine.RankedTexts, error) {
	return crossed(w, "texts", req, func(r engine.TextsRequest) (*engine.RankedTexts, error) { return w.Ranker.Texts(ctx, r) })
}

// homes is files in one world, and the same in several.
type homes struct {
	whole, own *world
	elsewhere  []*world
	wires      []*wire
}

// shelved puts files at random into several worlds; paths say in which each is.
func shelved(t *testing.T, rng *rand.Rand, files int, texts func(i int) string) *homes {
	t.Helper()
	s := &homes{whole: newWorld(t), own: newWorld(t), elsewhere: []*world{newWorld(t), newWorld(t)}}
	all := append([]*world{s.own}, s.elsewhere...)
	for i := range files {
		n := rng.IntN(len(all))
		f := file{
			path: fmt.Sprintf("%s/%d/f%03d.%s", root, n, i, []string{"md", "go"}[rng.IntN(2)]), text: texts(i), modified: on(1, 1).AddDate(0, 0, i),
		}
		s.whole.index(f)
		all[n].index(f)
	}
	for _, w := range s.elsewhere {
		s.wires = append(s.wires, &wire{Ranker: w.Engine, calls: map[string]int{}})
	}
	for _, w := range append(all, s.whole) {
		w.opts.RelevantFrom = 0.4
	}
	return s
}

// search searches all of them from the first one, which knows nothing of the others' languages.
func (s *homes) search(t *testing.T, req engine.Request) (*engine.Result, []string) {
	t.Helper()
	list := []Elsewhere{{Name: "one", Ranker: s.wires[0]}, {Name: "two", Ranker: s.wires[1]}}
	var failed []string
	r, err := s.own.SearchWith(t.Context(), req, true, list, func(name string, err error) { failed = append(failed, name+": "+err.Error()) }, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r, failed
}

// unnamed is what is told of a result without names of machines.
func unnamed(r *engine.Result) []string {
	out := told(r)
	for i := range out {
		out[i] = strings.NewReplacer("one:", "", "two:", "").Replace(out[i])
	}
	slices.Sort(out)
	return out
}

// TestMachinesRankAsOne: files that lie on three machines rank as they do on one, to the bit, with all scores,
// filters, phrases and misspelt words, and the text of what is shown alone is asked for.
func TestMachinesRankAsOne(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	for seed := range uint64(4) {
		rng := rand.New(rand.NewPCG(seed, 9))
		s := shelved(t, rng, 30, func(int) string { return randomText(rng, 1+rng.IntN(3)) })
		for _, query := range []string{"router dns", "lentils stew ext:go", "the heron", `"the of"`, "run -lentils", "ext:md", "kingfischer river", "東京", "東", "path:f0 heron", "zzzz", "how does the dns router work"} {
			for _, mode := range []engine.Mode{engine.Hybrid, engine.Lexical, engine.Vector, ""} {
				req := engine.Request{Query: query, K: 200, Mode: mode}
				want := s.whole.search(req)
				got, failed := s.search(t, req)
				if !slices.Equal(unnamed(got), unnamed(want)) || len(failed) > 0 {
					t.Fatalf("seed %d, %q, %s: %v\n got %s\nwant %s", seed, query, mode, failed, strings.Join(unnamed(got), "\n     "), strings.Join(unnamed(want), "\n     "))
				}
				if got.Stats.Files != want.Stats.Files || got.Stats.Chunks != want.Stats.Chunks || got.Stats.LexicalWeight != want.Stats.LexicalWeight ||
					fmt.Sprint(got.Respelled) != fmt.Sprint(want.Respelled) || got.Stats.Unmatched != want.Stats.Unmatched {
					t.Errorf("%q: %+v, want %+v", query, got.Stats, want.Stats)
				}
				for i, p := range got.Passages {
					if w := want.Passages[slices.IndexFunc(want.Passages, func(w engine.Passage) bool {
						return strings.HasSuffix(p.Path, w.Path) && p.LineStart == w.LineStart
					})]; fmt.Sprint(p.Highlights, p.Text, p.Heading, p.Modified, p.About) != fmt.Sprint(w.Highlights, w.Text, w.Heading, w.Modified, w.About) {
						t.Errorf("%q, %d: %+v, want %+v", query, i, p, w)
					}
				}
			}
		}
	}
}

// TestLanguagesOfMachinesCount: the words of a query are looked for in the languages of all machines.
func TestLanguagesOfMachinesCount(t *testing.T) {
	german := strings.Repeat("Die Häuser am Fluss wurden im Winter von den Nachbarn neu gestrichen, und wir haben lange darüber gesprochen. ", 4)
	english := strings.Repeat("The houses by the river were painted in winter, and we have talked about that for long. ", 4)
	s := shelved(t, rand.New(rand.NewPCG(8, 8)), 0, nil)
	for i, text := range []string{english, german} {
		f := file{path: fmt.Sprintf("%s/%d.md", root, i), text: text, modified: on(1, 1)}
		s.whole.index(f)
		append([]*world{s.own}, s.elsewhere...)[i].index(f)
	}
	req := engine.Request{Query: "Haus am Fluss gestrichenes", K: 9, Mode: engine.Lexical}
	want := s.whole.search(req)
	if got, _ := s.search(t, req); len(want.Passages) == 0 || !slices.Equal(unnamed(got), unnamed(want)) {
		t.Errorf("%v, want %v", unnamed(got), unnamed(want))
	}
}

// TestMachinesWithoutThisOne: the indexes of this machine count for nothing where they are not asked.
func TestMachinesWithoutThisOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	s := shelved(t, rng, 24, func(int) string { return randomText(rng, 2) })
	alone := s.elsewhere[1].search(engine.Request{Query: "router dns", K: 50})
	got, err := s.own.SearchWith(t.Context(), engine.Request{Query: "router dns", K: 50}, false, []Elsewhere{{Name: "two", Ranker: s.wires[1]}}, func(string, error) {}, nil)
	if err != nil || len(got.Passages) == 0 || !slices.Equal(unnamed(got), unnamed(alone)) || got.Stats.Files != alone.Stats.Files {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestMachineThatFails is told of, at whatever call, and the others rank as if it were not there.
func TestMachineThatFails(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	s := shelved(t, rng, 24, func(int) string { return randomText(rng, 2) })
	req := engine.Request{Query: "router dns", K: 50}
	s.wires[1].fails = "count"
	want, _ := s.search(t, req)
	for _, at := range []string{"rank", "texts"} {
		s.wires[1].fails = at
		got, failed := s.search(t, req)
		if fmt.Sprint(failed) != "[two: it is away]" || slices.ContainsFunc(got.Passages, func(p engine.Passage) bool { return strings.HasPrefix(p.Path, "two:") }) {
			t.Errorf("%s: %v, %s", at, failed, names(got))
		}
		if at == "rank" && !slices.Equal(told(got), told(want)) {
			t.Errorf("%s: %s, want %s", at, told(got), told(want))
		}
	}
	s.wires[0].fails, s.wires[1].fails = "rank", "count"
	if got, failed := s.search(t, req); len(failed) != 2 || !slices.Equal(told(got), told(s.own.search(req))) {
		t.Errorf("both: %v, %s", failed, names(got))
	}
	if _, err := s.own.SearchWith(t.Context(), req, false, []Elsewhere{{Name: "two", Ranker: s.wires[1]}}, func(string, error) {}, nil); !errors.Is(err, errGoneAway) {
		t.Errorf("alone: %v", err)
	}
}

// TestTextsOfFewAreAskedFor: of what machines found, the text of what is shown alone comes.
func TestTextsOfFewAreAskedFor(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	s := shelved(t, rng, 40, func(int) string { return randomText(rng, 2) })
	if got, _ := s.search(t, engine.Request{Query: "router dns", K: 3, Mode: engine.Hybrid}); len(got.Passages) != 3 {
		t.Fatalf("%d", len(got.Passages))
	}
	for i, w := range s.elsewhere {
		if reads := w.disk.reads; s.wires[i].calls["rank"] != 1 || s.wires[i].calls["texts"] > 1 {
			t.Errorf("%v, %d files read", s.wires[i].calls, reads)
		}
	}
}

// TestChunkThatChangedIsGone: what another machine has at the place of a chunk by the time that it is read is not shown.
func TestChunkThatChangedIsGone(t *testing.T) {
	w := newWorld(t)
	w.index(file{path: root + "/a.md", text: "a heron stood in the reeds", modified: on(1, 1)})
	ranked, err := w.Rank(t.Context(), engine.RankRequest{Request: engine.Request{Query: "heron", Mode: engine.Vector}})
	if err != nil || len(ranked.Chunks) != 1 {
		t.Fatalf("%+v, %v", ranked, err)
	}
	other := ranked.Chunks[0]
	other.Hash++
	none := other
	none.ID = 1 << 30
	texts, err := w.Texts(t.Context(), engine.TextsRequest{Query: "heron", Chunks: []engine.RankedChunk{ranked.Chunks[0], other, none}})
	if err != nil || len(texts.Texts) != 3 || texts.Texts[0].Gone || !texts.Texts[1].Gone || texts.Texts[1].Text != "" || !texts.Texts[2].Gone {
		t.Errorf("%+v, %v", texts, err)
	}
}
