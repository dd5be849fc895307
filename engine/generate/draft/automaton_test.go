package draft

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// occurrences returns where pattern ends in text, by looking everywhere.
func occurrences(text, pattern []int32) []int {
	var ends []int
	for end := len(pattern); end <= len(text); end++ {
		if slices.Equal(text[end-len(pattern):end], pattern) {
			ends = append(ends, end)
		}
	}
	return ends
}

// longestSuffix returns the longest suffix of tokens that is in text, by trying
// all of them.
func longestSuffix(text, tokens []int32) []int32 {
	for start := range tokens {
		if len(occurrences(text, tokens[start:])) > 0 {
			return tokens[start:]
		}
	}
	return nil
}

// longest finds the longest suffix of tokens that occurs in the text.
func longest(a *automaton, tokens []int32) match {
	var m match
	for _, token := range tokens {
		m = a.next(m, token)
	}
	return m
}

func extendAll(a *automaton, tokens ...int32) {
	for _, token := range tokens {
		a.extend(token)
	}
}

func randomText(r *rand.Rand, n, alphabet int) []int32 {
	text := make([]int32, n)
	for i := range text {
		text[i] = int32(r.IntN(alphabet))
		if i > 20 && r.IntN(4) == 0 { // repeat a piece
			from, length := r.IntN(i), 2+r.IntN(8)
			for k := 0; k < length && i+k < n && from+k < i; k++ {
				text[i+k] = text[from+k]
			}
		}
	}
	return text
}

// T-S4: the longest match, where it is, how often and what follows are what
// brute force finds, after every token, while the text grows.
func TestLongestMatchIsThatOfBruteForce(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 1))
		alphabet := 1 + r.IntN(6)
		text := randomText(r, 60, alphabet)
		foreign := randomText(r, 60, alphabet+1)
		a := newAutomaton(0)
		for i, token := range text {
			a.extend(token)
			grown := text[:i+1]
			checkRepeated(t, seed, a, grown)
			if i%10 == 9 {
				checkForeign(t, seed, a, grown, foreign)
			}
		}
	}
}

func checkRepeated(t *testing.T, seed uint64, a *automaton, text []int32) {
	t.Helper()
	want := 0
	for n := 1; n < len(text); n++ {
		if len(occurrences(text, text[len(text)-n:])) > 1 {
			want = n
		}
	}
	m := a.repeated()
	if int(m.length) != want {
		t.Fatalf("seed %d, text %v: repeated suffix of %d, want %d", seed, text, m.length, want)
	}
	checkMatch(t, seed, a, m, text, text[len(text)-want:])
}

func checkForeign(t *testing.T, seed uint64, a *automaton, text, tokens []int32) {
	t.Helper()
	var m match
	for i, token := range tokens {
		m = a.next(m, token)
		want := longestSuffix(text, tokens[:i+1])
		if int(m.length) != len(want) {
			t.Fatalf("seed %d, %v in %v: %d match, want %d", seed, tokens[:i+1], text, m.length, len(want))
		}
		if m != longest(a, tokens[:i+1]) {
			t.Fatalf("seed %d: token by token %v, at once %v", seed, m, longest(a, tokens[:i+1]))
		}
		checkMatch(t, seed, a, m, text, want)
	}
}

func checkMatch(t *testing.T, seed uint64, a *automaton, m match, text, matched []int32) {
	t.Helper()
	if m.length == 0 {
		return
	}
	ends := occurrences(text, matched)
	if state := a.states[m.state]; int(state.latest)+1 != ends[len(ends)-1] || int(state.count) != len(ends) {
		t.Fatalf("seed %d, %v in %v: latest end %d, %d times; want %v", seed, matched, text, state.latest+1, state.count, ends)
	}
	following := map[int32]int{}
	for _, end := range ends {
		if end < len(text) {
			following[text[end]]++
		}
	}
	a.continuations(m, func(token int32, then match) bool {
		if count := int(a.states[then.state].count); following[token] != count {
			t.Fatalf("seed %d: %d follows %v %d times, want %d", seed, token, matched, count, following[token])
		}
		delete(following, token)
		return true
	})
	if len(following) > 0 {
		t.Fatalf("seed %d: continuations of %v without %v", seed, matched, following)
	}
}

func TestAutomatonOfTheSameTokenForever(t *testing.T) {
	const n = 20_000
	a := newAutomaton(0)
	for range n {
		a.extend(7)
	}
	if m := a.repeated(); m.length != n-1 || len(a.states) > 2*n {
		t.Errorf("a suffix of %d repeats with %d states, want %d with at most %d", m.length, len(a.states), n-1, 2*n)
	}
}

func TestNothingMatchesAcrossSeparators(t *testing.T) {
	a := newAutomaton(8)
	extendAll(a, 1, 2, separator, 3, 4, separator)
	if m := longest(a, []int32{2, 3}); m.length != 1 {
		t.Errorf("%d tokens match across two texts", m.length)
	}
	if m := longest(a, []int32{3, 4}); m.length != 2 {
		t.Errorf("%d tokens match, want 2", m.length)
	}
}

func TestEmptyAutomaton(t *testing.T) {
	a := newAutomaton(0)
	if a.repeated() != (match{}) || a.next(match{}, 3) != (match{}) || longest(a, []int32{1}) != (match{}) {
		t.Error("the empty text matches something")
	}
}

func BenchmarkExtend(b *testing.B) {
	text := randomText(rand.New(rand.NewPCG(1, 1)), 200_000, 5000)
	var bytes int
	for b.Loop() {
		a := newAutomaton(len(text))
		extendAll(a, text...)
		bytes = a.bytes()
	}
	b.ReportMetric(float64(bytes)/float64(len(text)), "B/token")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(text)), "ns/token")
}
