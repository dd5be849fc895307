package lexical_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dowse/engine/lexical"
)

// TestJointEqualsOne: documents that lie in two collections have the scores that they have
// in one, to the bit, whatever part of them each collection holds; so have words that are
// guessed and completed, and how rare words are.
func TestJointEqualsOne(t *testing.T) {
	words := strings.Fields("boiler heron heating plumber kettle lake Heizung Klempner warme chaudière plombier 東京都 東京 router resolver bicycle derailleur naïve")
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 3))
		var all, first, second []string
		var place []string // of each document, among the parts
		for range 1 + rng.IntN(60) {
			var b strings.Builder
			for range 1 + rng.IntN(30) {
				b.WriteString(words[rng.IntN(len(words))] + " ")
			}
			text := b.String() + []string{"", "wir haben die mit der nicht", "le la les avec pour dans"}[rng.IntN(3)]
			all = append(all, text)
			if rng.IntN(3) == 0 {
				place = append(place, fmt.Sprint("1:", len(second)))
				second = append(second, text)
			} else {
				place = append(place, fmt.Sprint("0:", len(first)))
				first = append(first, text)
			}
		}
		whole, wholeStore := indexOf(t, all...)
		a, aStore := indexOf(t, first...)
		b, bStore := indexOf(t, second...)
		one, two := lexical.NewJoint(lexical.Part{Collection: whole, Reader: wholeStore}), lexical.NewJoint(lexical.Part{Collection: a, Reader: aStore}, lexical.Part{Collection: b, Reader: bStore})
		for _, question := range []string{"heron lake", "heizung klempner", "the boiller and the resolvver", "東", "naive chaudiere plombier kettle kettle", "nothing holds zzzzzzzz"} {
			want, wantTold := asked(t, one, question, 1)
			got, told := asked(t, two, question, 2)
			for i := range want {
				chunk, rest, _ := strings.Cut(strings.TrimPrefix(want[i], "0:"), " ")
				want[i] = place[mustAtoi(t, chunk)] + " " + rest
			}
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(got, want) || told != wantTold {
				t.Fatalf("seed %d, %q:\n got %q %s\nwant %q %s", seed, question, got, told, want, wantTold)
			}
		}
	}
}

// asked is all that a search says: of each hit its place, its score and how many words it
// holds; and of the words how rare they are, and what was guessed.
func asked(t *testing.T, j *lexical.Joint, question string, parts int) (hits []string, told string) {
	t.Helper()
	ctx := context.Background()
	in, err := j.Languages(ctx)
	if err != nil {
		t.Fatal(err)
	}
	q, err := j.Expand(ctx, lexical.NewAnalyzer().QueryIn(question, in))
	if err != nil {
		t.Fatal(err)
	}
	found, err := j.Search(ctx, q, 1000, make([]*lexical.Set, parts))
	if err != nil {
		t.Fatal(err)
	}
	q, guesses, err := j.Guess(ctx, q, found.Terms)
	if err != nil {
		t.Fatal(err)
	}
	if found, err = j.Search(ctx, q, 1000, make([]*lexical.Set, parts)); err != nil {
		t.Fatal(err)
	}
	rare, err := j.Terms(ctx, q)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range found.Hits {
		hits = append(hits, fmt.Sprintf("%d:%d %x %d", h.Part, h.Chunk, h.Score, h.Matched))
	}
	return hits, fmt.Sprintf("%v %v %v %v %x %d", in, guesses, found.Terms, rare, j.MaxIDF(), found.Postings)
}

func mustAtoi(t *testing.T, text string) (n int) {
	t.Helper()
	if _, err := fmt.Sscan(text, &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestJointTakesTheBest: of two collections the best k are returned, equal ones by the
// collection that comes first.
func TestJointTakesTheBest(t *testing.T) {
	a, aStore := indexOf(t, "heron", "lake", "heron heron")
	b, bStore := indexOf(t, "heron heron", "heron", "kettle")
	j := lexical.NewJoint(lexical.Part{Collection: a, Reader: aStore}, lexical.Part{Collection: b, Reader: bStore})
	q := lexical.NewAnalyzer().Query("heron")
	for k, want := range map[int]string{0: "", 1: "0:2", 2: "0:2 1:0", 3: "0:2 1:0 0:0", 9: "0:2 1:0 0:0 1:1"} {
		found, err := j.Search(t.Context(), q, k, []*lexical.Set{nil, nil})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, h := range found.Hits {
			got = append(got, fmt.Sprintf("%d:%d", h.Part, h.Chunk))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%d: %v, want %s", k, got, want)
		}
	}
	only := lexical.NewSet(3)
	only.Add(1)
	if found, err := j.Search(t.Context(), q, 9, []*lexical.Set{only, only}); err != nil || len(found.Hits) != 1 || found.Hits[0].Part != 1 || found.Terms[0].DF != 4 {
		t.Errorf("%+v, %v", found, err)
	}
}
