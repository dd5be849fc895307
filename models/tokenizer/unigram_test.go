package tokenizer

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unicode/utf8"
)

// bestScore is the obvious twin of the Viterbi search: it tries every
// segmentation of text.
func bestScore(u *unigram, vocabulary map[string]int32, text string) float64 {
	if text == "" {
		return 0
	}
	best := math.Inf(-1)
	_, width := utf8.DecodeRuneInString(text)
	if _, known := vocabulary[text[:width]]; !known {
		best = u.unknownScore + bestScore(u, vocabulary, text[width:])
	}
	for end := 1; end <= len(text); end++ {
		if id, known := vocabulary[text[:end]]; known {
			best = max(best, u.score(id)+bestScore(u, vocabulary, text[end:]))
		}
	}
	return best
}

func TestViterbiAgainstSlowTwin(t *testing.T) {
	const seed = 3
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	tok := family(t, "xlm-roberta")
	u := &tok.unigram
	vocabulary := vocabularyOf(tok)
	parts := []string{"▁", "th", "e", "in", "s", "a", "поиск", "r", "й", "ф", "1", "🦙"}
	for range 300 {
		text := ""
		for range 1 + rng.IntN(5) {
			text += parts[rng.IntN(len(parts))]
		}
		var l lattice
		u.search(&l, text, false)
		sum := 0.0
		for end := int32(len(text)); end > 0; end = l.paths[end].start {
			if p := l.paths[end]; p.id == u.unknown {
				sum += u.unknownScore
			} else {
				sum += u.score(p.id)
			}
		}
		if want := bestScore(u, vocabulary, text); math.Abs(sum-want) > 1e-9 {
			t.Errorf("the path through %q scores %g, the best one %g", text, sum, want)
		}
	}
}

func TestUnigramUnknowns(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"xlm-roberta", "🦙🦙 🦙", []string{"▁", "<unk>", "▁", "<unk>"}},
		{"unigram-bytes", "🦙", []string{"▁", "<0xF0>", "<0x9F>", "<0xA6>", "<0x99>"}},
	} {
		tok := family(t, c.name)
		var got []string
		for _, id := range tok.Encode(c.text) {
			got = append(got, tok.Token(id))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q becomes %q, want %q", c.name, c.text, got, c.want)
		}
	}
}

func FuzzUnigram(f *testing.F) {
	for _, s := range []string{"", "the  index\u3000ﬁ\r\n ", "<mask> a</s>", "\xff\xc3 a\xff", "가\u11a8 \u0301", "▁▁a\u00adb"} {
		f.Add(s)
	}
	toks := []*Tokenizer{family(f, "xlm-roberta"), family(f, "bge-m3"), family(f, "unigram-bytes"), family(f, "llama2"), family(f, "llama2-first")}
	f.Fuzz(func(t *testing.T, text string) {
		for _, tok := range toks {
			ids := tok.Encode(text)
			compareWays(t, tok, text, ids)
			tok.Decode(ids)
		}
	})
}
