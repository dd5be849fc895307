package tokenizer

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// A trie finds the same longest entry as trying every prefix in a map.
func TestTrieAgainstMap(t *testing.T) {
	const seed = 7
	rng := rand.New(rand.NewPCG(seed, 0))
	t.Logf("seed %d", seed)
	known := map[string]int32{}
	var entries []entry
	for len(entries) < 500 {
		token := randomBytes(rng, 1+rng.IntN(6))
		if _, ok := known[token]; !ok {
			known[token] = int32(len(entries))
			entries = append(entries, entry{token, int32(len(entries))})
		}
	}
	tr := newTrie(entries)
	if err := tr.check(len(entries)); err != nil {
		t.Fatal(err)
	}
	for range 5000 {
		word := randomBytes(rng, rng.IntN(9))
		wantID, wantLength := int32(noToken), 0
		for n := 1; n <= len(word); n++ {
			if id, ok := known[word[:n]]; ok {
				wantID, wantLength = id, n
			}
		}
		if id, length := tr.longest(0, []byte(word)); id != wantID || length != wantLength {
			t.Fatalf("longest(%q) = %d, %d, want %d, %d", word, id, length, wantID, wantLength)
		}
	}
}

// randomBytes draws from few bytes, the extremes among them.
func randomBytes(rng *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = []byte{0, 'a', 'b', 0xff}[rng.IntN(4)]
	}
	return string(b)
}

func TestEmptyTrieFindsNothing(t *testing.T) {
	tr := newTrie(nil)
	if err := tr.check(1); err != nil {
		t.Fatal(err)
	}
	if id, _ := tr.longest(0, []byte{0, 'x'}); id != noToken {
		t.Errorf("found %d", id)
	}
}

func ExampleTokenizer_EncodeSpans() {
	tok, err := FromJSON([]byte(smallJSON))
	if err != nil {
		fmt.Println(err)
		return
	}
	text := "Una, b"
	ids, spans := tok.EncodeSpans(text)
	for i, id := range ids {
		fmt.Printf("%s %q\n", tok.Token(id), text[spans[i].Start:spans[i].End])
	}
	// Output:
	// un "Un"
	// ##a "a"
	// [UNK] ","
	// b "b"
}
