package lexical_test

import (
	"context"
	"fmt"

	"dowse/engine/lexical"
)

func Example() {
	analyzer, postings := lexical.NewAnalyzer(), newMemoryStore()
	b := lexical.NewBuilder()
	for id, text := range []string{"Fixing the DNS at home", "Baking bread at home", "DNS: fixed by restarting resolved"} {
		b.Add(uint32(id), analyzer.Append(nil, text))
	}
	if _, err := b.Write(postings); err != nil {
		fmt.Println(err)
		return
	}
	c, err := lexical.NewCollection(postings, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	joint := lexical.NewJoint(lexical.Part{Collection: c, Reader: postings})
	result, err := joint.Search(context.Background(), analyzer.Query("how did I fix the DNS?"), 10, []*lexical.Set{nil})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, hit := range result.Hits {
		fmt.Printf("chunk %d, %.3f, %d terms\n", hit.Chunk, hit.Score, hit.Matched)
	}
	// Output:
	// chunk 0, 0.504, 2 terms
	// chunk 2, 0.477, 2 terms
}
