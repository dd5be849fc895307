package search

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"dowse/engine"
)

// benchChunks is how many chunks the benchmarks search.
const benchChunks = 10_000

func benchWorld(b *testing.B) *world {
	rng := rand.New(rand.NewPCG(1, 1))
	w := newWorld(b)
	var files []file
	for chunks := 0; chunks < benchChunks; chunks += 10 {
		path := fmt.Sprintf("%s/d%02d/f%05d.md", root, chunks%37, chunks)
		files = append(files, file{path, randomText(rng, 10), on(1, 1).AddDate(0, 0, chunks%300)})
	}
	w.index(files...)
	return w
}

// BenchmarkSearch is a whole search: words of which every chunk has some,
// which is the worst case for BM25, vectors of few dimensions, and reading.
func BenchmarkSearch(b *testing.B) {
	w := benchWorld(b)
	for _, query := range []string{"heron dns lentils", "heron path:d1*", "heron -dns", `"name server"`, "ext:md"} {
		b.Run(query, func(b *testing.B) {
			for b.Loop() {
				if _, err := w.Search(b.Context(), engine.Request{Query: query}, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkFirstSearch is the first search after a commit, which has to read
// the file table and the headers of the postings.
func BenchmarkFirstSearch(b *testing.B) {
	w := benchWorld(b)
	n := 0
	for b.Loop() {
		b.StopTimer()
		n++
		w.index(file{root + "/changing.md", fmt.Sprintf("draft %d\n", n), on(1, 1)})
		b.StartTimer()
		if _, err := w.Search(b.Context(), engine.Request{Query: "draft", Mode: engine.Lexical}, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkStatus is what an open panel asks for every two seconds.
func BenchmarkStatus(b *testing.B) {
	w := benchWorld(b)
	for b.Loop() {
		if _, err := w.Status(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
