package search

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"dowse/engine"
	"dowse/engine/fusion"
	"dowse/engine/lexical"
	"dowse/store"
)

var vocabulary = strings.Fields(`resolver router dns name server fixDNS the of a lentils stew carrots
	simmer heron reeds kingfisher river bicycle derailleur chain Zürich 東京都 naïve run running ran`)

// randomWorld is files of random words, some of them indexed again with
// another text and some deleted, so that tombstones lie everywhere.
func randomWorld(t testing.TB, rng *rand.Rand, files int) *world {
	w := newWorld(t)
	made := make([]file, files)
	for i := range made {
		dir := []string{"notes", "code/dns", "mail", "Old Notes"}[rng.IntN(4)]
		ext := []string{"md", "go", "txt", "tar.gz"}[rng.IntN(4)]
		made[i] = file{
			path:     fmt.Sprintf("%s/%s/f%03d.%s", root, dir, i, ext),
			text:     randomText(rng, 1+rng.IntN(6)),
			modified: on(1, 1).AddDate(0, 0, rng.IntN(300)),
		}
	}
	for part := range slices.Chunk(made, max(1, files/5)) {
		w.index(part...)
	}
	for i := range made {
		switch rng.IntN(6) {
		case 0:
			made[i].text = randomText(rng, 1+rng.IntN(6))
			w.index(made[i])
		case 1:
			w.unindex(made[i].path)
		}
	}
	return w
}

func randomText(rng *rand.Rand, paragraphs int) string {
	var b strings.Builder
	for range paragraphs {
		for range 4 + rng.IntN(10) {
			b.WriteString(vocabulary[rng.IntN(len(vocabulary))])
			b.WriteString([]string{" ", " ", " ", "\n", ". ", "  "}[rng.IntN(6)])
		}
		b.WriteString("end\n\n")
	}
	return b.String()
}

// indexed is a chunk as the index has it.
type indexed struct {
	id    uint32
	file  store.File
	text  string
	terms []string
}

// all lists the live chunks of a world.
func (w *world) all() []indexed {
	w.t.Helper()
	var out []indexed
	err := w.db.View(func(tx *store.Tx) error {
		return tx.Files(func(f store.File) error {
			chunks, err := tx.Chunks(f)
			for i, id := range f.IDs.All() {
				text := w.disk.files[f.Path][chunks[i].Start:chunks[i].End]
				out = append(out, indexed{id, f, text, w.analyzer.Append(nil, text)})
			}
			return err
		})
	})
	if err != nil {
		w.t.Fatal(err)
	}
	slices.SortFunc(out, func(a, b indexed) int { return cmp.Compare(a.id, b.id) })
	return out
}

// byWords ranks chunks by BM25 counted from scratch: all give the statistics,
// those that pass are ranked.
func (w *world) byWords(all []indexed, pass func(indexed) bool, query string) (ranked []fusion.Scored, features fusion.Features) {
	total := 0
	for _, c := range all {
		total += len(c.terms)
	}
	average := float64(total) / float64(len(all))
	scores := map[uint32]float64{}
	for _, term := range w.analyzer.Query(query) {
		// One character of a script without spaces is found at the start of pairs.
		single := lexical.IsDense([]rune(term.Term)[0]) && utf8.RuneCountInString(term.Term) == 1
		same := func(t string) bool { return t == term.Term || single && strings.HasPrefix(t, term.Term) }
		df := 0
		for _, c := range all {
			if slices.ContainsFunc(c.terms, same) {
				df++
			}
		}
		features.Terms++
		if df == 0 {
			features.Unknown++
		}
		idf := math.Log(1 + (float64(len(all)-df)+0.5)/(float64(df)+0.5))
		for _, c := range all {
			tf := 0.0
			for _, t := range c.terms {
				if same(t) {
					tf++
				}
			}
			if tf > 0 && pass(c) {
				weight := term.Weight * idf
				scores[c.id] += float64(weight * (tf / (tf + float64(0.9*float64(1-0.4+float64(0.4*(float64(len(c.terms))/average)))))))
			}
		}
	}
	for id, score := range scores {
		ranked = append(ranked, fusion.Scored{ID: id, Score: score})
	}
	return best(ranked), features
}

// byMeaning ranks the chunks that pass by cosine.
func byMeaning(all []indexed, pass func(indexed) bool, query string) []fusion.Scored {
	var ranked []fusion.Scored
	q := wordVector(query)
	for _, c := range all {
		if pass(c) {
			sum := float32(0)
			for i, x := range wordVector(c.text) {
				sum += q[i] * x
			}
			ranked = append(ranked, fusion.Scored{ID: c.id, Score: float64(sum)})
		}
	}
	return best(ranked)
}

// best sorts a ranking and cuts it to what fusion sees.
func best(ranked []fusion.Scored) []fusion.Scored {
	slices.SortFunc(ranked, func(a, b fusion.Scored) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	return ranked[:min(len(ranked), fusion.Depth)]
}

// bruteForce is what a search must give.
func (w *world) bruteForce(all []indexed, pass func(indexed) bool, text string, mode engine.Mode) []fusion.Scored {
	words, features := w.byWords(all, pass, text)
	meaning := byMeaning(all, pass, text)
	switch mode {
	case engine.Lexical:
		return words
	case engine.Vector:
		return meaning
	case engine.RRF:
		return tiesByMeaning(fusion.RRF(fusion.ReferenceK, words, meaning), words, meaning)
	}
	fused, _ := fusion.Adaptive(words, meaning, features)
	return tiesByMeaning(fused, words, meaning)
}

// tiesByMeaning orders equal scores by the place in the list by meaning, then by words.
func tiesByMeaning(fused, words, meaning []fusion.Scored) []fusion.Scored {
	place := func(list []fusion.Scored, id uint32) int {
		for i, s := range list {
			if s.ID == id {
				return i
			}
		}
		return len(list)
	}
	slices.SortStableFunc(fused, func(a, b fusion.Scored) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(place(meaning, a.ID), place(meaning, b.ID)),
			cmp.Compare(place(words, a.ID), place(words, b.ID)))
	})
	return fused
}

// filterCases are filters, and what they mean, spelt out another way.
var filterCases = []struct {
	line, text string // the query, and what of it is ranked by
	in         []string
	pass       func(indexed) bool
}{
	{"router dns", "router dns", nil, func(indexed) bool { return true }},
	{"stew ext:go", "stew", nil, func(c indexed) bool { return strings.HasSuffix(c.file.Path, ".go") }},
	{"stew ext:md,txt", "stew", nil, func(c indexed) bool {
		return strings.HasSuffix(c.file.Path, ".md") || strings.HasSuffix(c.file.Path, ".txt")
	}},
	{"heron ext:tar.gz", "heron", nil, func(c indexed) bool { return strings.HasSuffix(c.file.Path, ".tar.gz") }},
	{"heron -ext:gz", "heron", nil, func(c indexed) bool { return !strings.HasSuffix(c.file.Path, ".gz") }},
	{"river path:dns", "river", nil, func(c indexed) bool { return strings.Contains(c.file.Path, "/dns/") }},
	{`river path:"old notes"`, "river", nil, func(c indexed) bool { return strings.Contains(c.file.Path, "/Old Notes/") }},
	{"river -path:code/*", "river", nil, func(c indexed) bool { return !strings.Contains(c.file.Path, "/code/") }},
	{"chain path:f?1?.* path:mail", "chain", nil, func(c indexed) bool {
		return filepath.Base(c.file.Path)[2] == '1' && strings.Contains(c.file.Path, "/mail/")
	}},
	{"chain after:2026-05 before:2026-07", "chain", nil, func(c indexed) bool {
		return c.file.ModTime >= on(5, 1).Add(-12*3600e9).UnixNano() && c.file.ModTime < on(7, 1).Add(-12*3600e9).UnixNano()
	}},
	{"run -lentils", "run", nil, func(c indexed) bool { return !slices.Contains(c.terms, "lentil") }},
	{"run -fixdns", "run", nil, func(c indexed) bool { return !strings.Contains(c.text, "fixDNS") }},
	{`stew "name server"`, "stew name server", nil, func(c indexed) bool {
		return strings.Contains(strings.Join(strings.Fields(c.text), " "), "name server")
	}},
	{`"fixdns"`, "fixdns", nil, func(c indexed) bool { return strings.Contains(c.text, "fixDNS") }},
	{`stew -"of a"`, "stew", nil, func(c indexed) bool {
		return !regexp.MustCompile(`\bof\s+a\b`).MatchString(c.text)
	}},
	{`"京"`, "京", nil, func(c indexed) bool { return strings.Contains(c.text, "京") }},
	{"server", "server", []string{root + "/mail", root + "/code"}, func(c indexed) bool {
		return strings.HasPrefix(c.file.Path, root+"/mail/") || strings.HasPrefix(c.file.Path, root+"/code/")
	}},
	{"server ext:pdf", "server", nil, func(indexed) bool { return false }},
	{"server before:1970", "server", nil, func(indexed) bool { return false }},
	{"server before:9999 after:1500", "server", nil, func(indexed) bool { return true }},
	{"server before:9999 before:1970", "server", nil, func(indexed) bool { return false }},
}

func TestSearchEqualsBruteForce(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	for seed := range uint64(4) {
		rng := rand.New(rand.NewPCG(seed, 1))
		w := randomWorld(t, rng, 70)
		all := w.all()
		for _, c := range filterCases {
			left := 0
			for _, chunk := range all {
				if c.pass(chunk) {
					left++
				}
			}
			for _, mode := range []engine.Mode{engine.Lexical, engine.Vector, engine.RRF, engine.Hybrid} {
				for _, k := range []int{1, 7, math.MaxInt} {
					got := w.search(engine.Request{Query: c.line, K: k, Mode: mode, In: c.in})
					if got.Stats.Chunks != left {
						t.Fatalf("seed %d, %q: %d chunks pass, want %d", seed, c.line, got.Stats.Chunks, left)
					}
					want := w.bruteForce(all, c.pass, c.text, mode)
					if k == math.MaxInt {
						// Lists are as deep as asked, and the twin's stop earlier: what is
						// deeper comes behind, and changes no score before.
						checkDeeper(t, got, left, mode, want)
						got.Passages = got.Passages[:min(len(got.Passages), len(want))]
					}
					compareRanking(t, fmt.Sprintf("seed %d, %s %q, k %d", seed, mode, c.line, k), got, want[:min(k, len(want))])
				}
			}
		}
	}
}

// checkDeeper looks at a result of all passages that there are: by meaning all that the
// filters leave, none twice, and scores descend.
func checkDeeper(t *testing.T, got *engine.Result, left int, mode engine.Mode, want []fusion.Scored) {
	t.Helper()
	n := len(got.Passages)
	if mode != engine.Lexical && n != left || n < len(want) {
		t.Errorf("%s: %d passages of %d, the twin has %d", mode, n, left, len(want))
	}
	seen := map[uint32]bool{}
	for i, p := range got.Passages {
		if seen[p.ChunkID] || i > 0 && p.Score > got.Passages[i-1].Score {
			t.Errorf("%s: place %d is chunk %d of score %v, behind %v", mode, i+1, p.ChunkID, p.Score, got.Passages[i-1].Score)
			return
		}
		seen[p.ChunkID] = true
	}
}

func compareRanking(t *testing.T, what string, got *engine.Result, want []fusion.Scored) {
	t.Helper()
	if len(got.Passages) != len(want) {
		t.Errorf("%s: %d passages, want %d", what, len(got.Passages), len(want))
		return
	}
	for i, p := range got.Passages {
		if p.ChunkID != want[i].ID || math.Abs(p.Score-want[i].Score) > 1e-9 || p.Rank != i+1 {
			t.Errorf("%s: place %d is chunk %d of score %g and rank %d, want chunk %d of %g",
				what, i+1, p.ChunkID, p.Score, p.Rank, want[i].ID, want[i].Score)
			return
		}
	}
}
