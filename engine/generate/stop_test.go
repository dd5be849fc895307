package generate_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"dowse/engine/generate"
	"dowse/models/modeltest"
)

// stoppedAt is where a text ends, found by looking at every start of it.
func stoppedAt(text string, stops []string) (string, bool) {
	for end := range len(text) + 1 {
		longest := ""
		for _, stop := range stops {
			if strings.HasSuffix(text[:end], stop) && len(stop) > len(longest) {
				longest = stop
			}
		}
		if longest != "" {
			return text[:end-len(longest)], true
		}
	}
	return text, false
}

// pieces cuts a text at random.
func pieces(rng *rand.Rand, text string) []string {
	var all []string
	for text != "" {
		n := min(len(text), 1+rng.IntN(5))
		all, text = append(all, text[:n]), text[n:]
	}
	return all
}

// Wherever a text is cut, it ends at the first stop string that is complete,
// and nothing of that is let through.
func TestStopStrings(t *testing.T) {
	const seed = 95
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	letters := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "ab\n"[rng.IntN(3)]
		}
		return string(b)
	}
	for range 20000 {
		var stops []string
		for range rng.IntN(4) {
			stops = append(stops, letters(1+rng.IntN(5)))
		}
		text := letters(rng.IntN(30))
		want, wantStopped := stoppedAt(text, stops)
		emitted, stopped := generate.Stopper(stops, pieces(rng, text))
		if got := strings.Join(emitted, ""); got != want || stopped != wantStopped {
			t.Fatalf("%q with stops %q: %q, %t, want %q, %t", text, stops, got, stopped, want, wantStopped)
		}
	}
}

// What cannot belong to a stop string is not held back.
func TestStopStringsHoldLittleBack(t *testing.T) {
	got, _ := generate.Stopper([]string{"<end>", "\n\n"}, []string{"abc", "<en", "x\n", "y<", "e", "nd", ">z"})
	if want := []string{"abc", "", "<enx", "\ny", "", "", "", ""}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func FuzzStopper(f *testing.F) {
	f.Add("the end is near", "end", "is", uint64(1))
	f.Add("aaab\n\naab", "aab", "ab", uint64(2))
	f.Add("äöü€🎉", "€", "\x9f", uint64(3))
	f.Fuzz(func(t *testing.T, text, first, second string, seed uint64) {
		var stops []string
		for _, stop := range []string{first, second} {
			if stop != "" {
				stops = append(stops, stop)
			}
		}
		if len(text) > 2000 {
			return
		}
		want, wantStopped := stoppedAt(text, stops)
		emitted, stopped := generate.Stopper(stops, pieces(rand.New(rand.NewPCG(seed, 0)), text))
		if got := strings.Join(emitted, ""); got != want || stopped != wantStopped {
			t.Errorf("%q with stops %q: %q, %t, want %q, %t", text, stops, got, stopped, want, wantStopped)
		}
	})
}

// A run ends at a stop string that begins in one token and ends in another, with
// the same text and tokens whatever is drafted, and emits whole characters.
func TestRunsStopAtStrings(t *testing.T) {
	const seed = 96
	rng := rand.New(rand.NewPCG(seed, 0))
	d := openModel(t, modeltest.Decoders()["llama"], 0)
	g := newGenerator(t, d)
	sampling := generate.Sampling{Temperature: 1.3, Seed: 11} // so that no text repeats itself
	for range 20 {
		prompt := randomPrompt(rng, 5+rng.IntN(20))
		long := generated(t, d, g, prompt, generate.Options{Sampling: sampling, MaxTokens: 80})
		if long.Finish != generate.MaxTokens || len(long.Text) < 20 {
			t.Fatalf("%s: %q", long.Finish, long.Text)
		}
		at := rng.IntN(len(long.Text) - 4)
		stop := long.Text[at : at+1+rng.IntN(4)]
		want, _ := stoppedAt(long.Text, []string{stop})
		truth := slices.Concat(prompt, long.Tokens)
		var tokens []int32
		for name, drafter := range drafters(truth, d.Vocabulary(), 2, rng) {
			var text strings.Builder
			c := newSequence(t, d)
			o := generate.Options{Sampling: sampling, MaxTokens: 80, Stop: []string{"\x00", stop}, Drafter: drafter, Nodes: 1 + rng.IntN(32)}
			got, err := g.Run(t.Context(), c, prompt, o, func(part string) error {
				if !utf8.ValidString(part) || part == "" {
					t.Errorf("a part of the text is %q", part)
				}
				text.WriteString(part)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if tokens == nil {
				tokens = got.Tokens
			}
			if text.String() != want || got.Text != want || got.Finish != generate.StopString || !slices.Equal(got.Tokens, tokens) {
				t.Errorf("%s, stop %q: %q (%s), want %q", name, stop, text.String(), got.Finish, want)
			}
			if c.Len() != len(prompt)+len(tokens)-1 {
				t.Errorf("%s: the sequence has %d tokens after %d and %d", name, c.Len(), len(prompt), len(tokens))
			}
		}
	}
}
