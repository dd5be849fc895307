package passage

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/engine/layout"
	"dowse/engine/lexical"
	"dowse/store"
)

func TestMergeRanges(t *testing.T) {
	tests := []struct{ in, want []engine.Range }{
		{nil, nil},
		{[]engine.Range{{Start: 3, End: 5}}, []engine.Range{{Start: 3, End: 5}}},
		{[]engine.Range{{Start: 3, End: 5}, {Start: 0, End: 2}}, []engine.Range{{Start: 0, End: 2}, {Start: 3, End: 5}}},
		{[]engine.Range{{Start: 0, End: 3}, {Start: 3, End: 5}}, []engine.Range{{Start: 0, End: 3}, {Start: 3, End: 5}}}, // neighbours stay apart
		{[]engine.Range{{Start: 0, End: 3}, {Start: 2, End: 5}, {Start: 1, End: 2}}, []engine.Range{{Start: 0, End: 5}}},
		{[]engine.Range{{Start: 0, End: 9}, {Start: 2, End: 3}, {Start: 8, End: 9}}, []engine.Range{{Start: 0, End: 9}}},
		{[]engine.Range{{Start: 1, End: 2}, {Start: 1, End: 2}}, []engine.Range{{Start: 1, End: 2}}},
	}
	for _, tt := range tests {
		if got := mergeRanges(tt.in); len(got)+len(tt.want) > 0 && !reflect.DeepEqual(got, tt.want) {
			t.Errorf("got %v, want %v", got, tt.want)
		}
	}
}

// TestMergeRangesEqualsTwin compares with a twin that paints every byte.
func TestMergeRangesEqualsTwin(t *testing.T) {
	const size = 40
	rng := rand.New(rand.NewPCG(5, 5))
	for range 2000 {
		ranges := make([]engine.Range, rng.IntN(8))
		var painted [size + 1]bool
		var joined [size + 1]bool // a range covers both this byte and the one before
		for i := range ranges {
			start := rng.IntN(size)
			end := start + 1 + rng.IntN(min(6, size-start))
			ranges[i] = engine.Range{Start: start, End: end}
			for at := start; at < end; at++ {
				painted[at] = true
				joined[at] = joined[at] || at > start
			}
		}
		var want []engine.Range
		for at := range size {
			switch {
			case !painted[at]:
			case joined[at]:
				want[len(want)-1].End = at + 1
			default:
				want = append(want, engine.Range{Start: at, End: at + 1})
			}
		}
		if got := mergeRanges(ranges); len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
}

func TestHighlights(t *testing.T) {
	tests := []struct {
		query, text string
		want        string // what is lit, joined by |
	}{
		{"dns", "fixDNS restarts; DNS, dns.", "DNS|DNS|dns"},
		{"running", "She runs. A run.", "runs|run"},
		{"the", "the end", "the"}, // there is nothing else
		{"the end", "the end", "end"},
		{"C++", "C, C++17", "C++"},
		{`"name server"`, "name of the Name  Server", "Name  Server"},
		{`server "name server"`, "a server, a name server", "server|name server"},
		{"東京都", "大東京都庁", "東京都"}, // overlapping pairs are one stretch
		{"cafe", "Café", "Café"},
		{"dns -router path:x", "router dns", "dns"},
	}
	v := &Commit{Source: &Source{Analyzer: lexical.NewAnalyzer()}}
	for _, tt := range tests {
		q, err := engine.Parse(tt.query, testNow)
		if err != nil {
			t.Fatal(err)
		}
		var lit []string
		for _, r := range v.Highlighter(q).Find(tt.text) {
			lit = append(lit, tt.text[r.Start:r.End])
		}
		if got := strings.Join(lit, "|"); got != tt.want {
			t.Errorf("%s in %q lights %q, want %q", tt.query, tt.text, got, tt.want)
		}
	}
}

func TestCut(t *testing.T) {
	const body = "Île\nnotre\nfin\n"
	chunk := store.Chunk{Start: 5, End: 11, Hash: layout.ChunkHash("notre\n")}
	if got, want := *Cut(plainText(body), chunk), (Text{Body: "notre\n", embedded: "notre\n", Ranked: "notre\n", Line: 2, Last: 2, Heading: "H"}); !reflect.DeepEqual(got, want) {
		t.Errorf("unchanged: %+v", got)
	}
	if got, want := *Cut(plainText("a\nb\nc\nd\ne\nf\ng\n"), chunk), (Text{Body: "\nd\ne\nf", Line: 4, Last: 6, Heading: "H", Stale: true}); !reflect.DeepEqual(got, want) {
		t.Errorf("changed: %+v, want %+v", got, want)
	}
	if got := *Cut(plainText("abcdéfg"), chunk); got.Body != "éfg" && got.Body != "fg" || !got.Stale {
		t.Errorf("cut inside of a character: %+v", got)
	}
	if got := *Cut(plainText("ab"), chunk); got.Body != "" || !got.Stale || got.Line != 1 || got.Last != 1 {
		t.Errorf("shorter than the chunk's start: %+v", got)
	}
	if got := *Cut(plainText(""), chunk); got.Body != "" || !got.Stale {
		t.Errorf("empty: %+v", got)
	}
}
