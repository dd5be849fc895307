package tokenizer

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// slowMerge is the obvious twin of the two ways to merge: it looks every pair
// up again after each merge.
func slowMerge(rules map[[2]int32]merge, ids []int32) []int32 {
	ids = slices.Clone(ids)
	for {
		best := -1
		var lowest merge
		for i := 0; i+1 < len(ids); i++ {
			if r, ok := rules[[2]int32{ids[i], ids[i+1]}]; ok && (best < 0 || r.rank < lowest.rank) {
				best, lowest = i, r
			}
		}
		if best < 0 {
			return ids
		}
		ids = slices.Replace(ids, best, best+2, lowest.merged)
	}
}

func TestMergesAgainstSlowTwin(t *testing.T) {
	const seed = 11
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 300 {
		byPair, list := randomRules(rng)
		table := newMergeTable(list)
		for range 20 {
			ids := make([]int32, 1+rng.IntN(60))
			for i := range ids {
				ids[i] = rng.Int32N(3)
			}
			want := slowMerge(byPair, ids)
			for name, mergeAll := range map[string]func(*word, *mergeTable){"scan": (*word).mergeByScan, "heap": (*word).mergeByHeap} {
				var w word
				for i, id := range ids {
					w.add(id, i+1)
				}
				mergeAll(&w, &table)
				if !slices.Equal(w.ids, want) || int(w.ends[len(w.ends)-1]) != len(ids) {
					t.Fatalf("%s of %v with %v is %v ending at %v, want %v", name, ids, list, w.ids, w.ends, want)
				}
			}
		}
	}
}

// randomRules makes rules whose results have a text of their own, as those of a
// vocabulary do; some share a rank.
func randomRules(rng *rand.Rand) (map[[2]int32]merge, []merge) {
	texts := []string{"a", "b", "c"}
	byPair := map[[2]int32]merge{}
	var list []merge
	for rank := range 12 {
		left, right := rng.Int32N(int32(len(texts))), rng.Int32N(int32(len(texts)))
		if _, twice := byPair[[2]int32{left, right}]; twice {
			continue
		}
		text := texts[left] + texts[right]
		merged := int32(slices.Index(texts, text))
		if merged < 0 {
			merged = int32(len(texts))
			texts = append(texts, text)
		}
		r := merge{left, right, merged, uint32(rank / 2)}
		byPair[[2]int32{left, right}] = r
		list = append(list, r)
	}
	return byPair, list
}

// slowEncodeBPE encodes by maps and strings, as the tokenizer.json says it.
func slowEncodeBPE(m *bpeJSON, pieces []string) (ids []int32) {
	rules := map[[2]int32]merge{}
	for rank, r := range m.Merges {
		left, right := m.Vocabulary[r[0]], m.Vocabulary[r[1]]
		rules[[2]int32{left, right}] = merge{left, right, m.Vocabulary[r[0]+r[1]], uint32(rank)}
	}
	for _, piece := range pieces {
		written := ""
		for i := range len(piece) {
			written += string(rune(slices.Index(alphabet[:], int16(piece[i]))))
		}
		if id, ok := m.Vocabulary[written]; ok && m.IgnoreMerges {
			ids = append(ids, id)
			continue
		}
		var symbols []int32
		for _, r := range written {
			symbols = append(symbols, m.Vocabulary[string(r)])
		}
		ids = append(ids, slowMerge(rules, symbols)...)
	}
	return ids
}

func FuzzByteLevelAgainstSlowTwin(f *testing.F) {
	for _, s := range []string{
		"", "searching the index", "x\xff\xfe y", "don't 12345 <|eot_id|>\r\n\n  end", strings.Repeat("ab", 60), "поиск fmt  \u00a0a",
	} {
		f.Add(s)
	}
	tok := family(f, "llama3")
	var d definition
	var m bpeJSON
	if err := json.Unmarshal(familyJSON(f, "llama3"), &d); err != nil {
		f.Fatal(err)
	}
	if err := json.Unmarshal(d.Model, &m); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var pieces []string
		for rest := text; rest != ""; {
			n := tok.settings.Pipeline.next(rest)
			pieces = append(pieces, rest[:n])
			rest = rest[n:]
		}
		if got, want := tok.AppendLiteral(nil, text), slowEncodeBPE(&m, pieces); !slices.Equal(got, want) {
			t.Errorf("AppendLiteral(%+q)\n got %v\nslow %v", text, got, want)
		}
	})
}

// Byte-level models give back what they were given, whatever the bytes are.
func FuzzByteLevelRoundTrip(f *testing.F) {
	for _, s := range []string{"", "plain text", "\xff\xc3", "e\u0301 \u0301", "<think>한<|im_end|>", "a\x00b\r\n\t 7½", strings.Repeat("\u0301", 50)} {
		f.Add(s)
	}
	toks := map[string]*Tokenizer{"smollm": family(f, "smollm"), "llama3": family(f, "llama3"), "qwen2": family(f, "qwen2")}
	f.Fuzz(func(t *testing.T, text string) {
		for name, tok := range toks {
			want := text
			if name == "qwen2" {
				want = composeAligned(aligned{text: text}).text
			}
			if got := tok.Decode(tok.AppendLiteral(nil, text)); got != want {
				t.Errorf("%s: %+q comes back as %+q", name, text, got)
			}
			compareWays(t, tok, text, tok.Encode(text))
		}
	})
}

func FuzzComposeAgainstLibrary(f *testing.F) {
	for _, s := range []string{"", "e\u0301", "a\u0323\u0307\u0301", "\u1112\u1161\u11ab\u11ab", "\u0301a", "각\u11a8", "\u0cc6\u0cc2\u0cd5", "\u212b\u2126", "\xcc\u0301"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		marks := 0
		for _, r := range text {
			if newClasses.Contains(r) || newDecompositions.Contains(r) {
				return // known to the library only
			}
			if combiningClass(r) != 0 {
				marks++
			}
		}
		if marks > 20 || !utf8.ValidString(text) {
			return // the library breaks up long runs
		}
		if got, want := composeAligned(aligned{text: text}).text, norm.NFC.String(text); got != want {
			t.Errorf("%+q is composed to %+q, want %+q", text, got, want)
		}
	})
}

// Cutting at runs of space marks, which the reference does not do, changes no ids.
func TestCutRunsChangeNothing(t *testing.T) {
	tok, whole := family(t, "llama2"), family(t, "llama2")
	if tok.settings.Pipeline.Spaces != cutRuns {
		t.Fatalf("text is cut %q", tok.settings.Pipeline.Spaces)
	}
	whole.settings.Pipeline.Spaces = cutNowhere
	texts := append(ownTexts(t), "  a   b ", "▁x▁▁y ▁", strings.Repeat("word and  more ", 50))
	for _, text := range texts {
		if got, want := tok.Encode(text), whole.Encode(text); !slices.Equal(got, want) {
			t.Errorf("Encode(%+q)\n cut   %v\n whole %v", text, got, want)
		}
	}
}

// A cut is refused where a token reaches across it.
func TestCutRunsNeedsTokensWithinWords(t *testing.T) {
	const file = `{"added_tokens":[],"model":{"type":"BPE","vocab":{"a":0,"▁":1,"%":2},"merges":[["a","▁"]]}}`
	for piece, want := range map[string]spaceCut{"a▁": cutNowhere, "▁a": cutRuns} {
		merges := `[["` + strings.Join(strings.Split(piece, ""), `","`) + `"]]`
		text := strings.Replace(strings.Replace(file, "%", piece, 1), `[["a","▁"]]`, merges, 1)
		tok, err := FromJSON([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := tok.settings.Pipeline.Spaces; got != want {
			t.Errorf("with the token %q text is cut %q, want %q", piece, got, want)
		}
	}
}

// Long runs without a space, on which looking for the lowest rank again and
// again would take hours.
func TestLongRunsRoundTrip(t *testing.T) {
	for _, name := range []string{"smollm", "llama2", "unigram-bytes"} {
		tok := family(t, name)
		for _, unit := range []string{"a", "in", "the", "é", "!?", "no digits, ", "x  "} {
			text := strings.Repeat(unit, 200_000/len(unit))
			if got := tok.Decode(tok.Encode(text)); got != text {
				t.Errorf("%s: a run of %q comes back with %d of %d bytes", name, unit, len(got), len(text))
			}
		}
	}
}
