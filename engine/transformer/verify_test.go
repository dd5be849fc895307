package transformer_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"dowse/engine/kv"
	"dowse/engine/memory"
	"dowse/engine/transformer"
)

// randomTree is a tree of n nodes of random words, some of them siblings with
// the same word.
func randomTree(rng *rand.Rand, n, vocabulary int) kv.Tree {
	t := kv.Tree{Tokens: randomIDs(rng, n, vocabulary), Parents: make([]int32, n)}
	t.Parents[0] = -1
	reach := 1 + rng.IntN(n) // small: a chain, large: a bush
	for i := 1; i < n; i++ {
		t.Parents[i] = int32(i - 1 - rng.IntN(min(i, reach)))
	}
	return t
}

// pathTo lists the nodes from the root to a node.
func pathTo(t kv.Tree, node int) []int32 {
	var path []int32
	for at := int32(node); at >= 0; at = t.Parents[at] {
		path = append(path, at)
	}
	slices.Reverse(path)
	return path
}

// tokensOn are the words of nodes.
func tokensOn(t kv.Tree, path []int32) []int32 {
	ids := make([]int32, len(path))
	for i, node := range path {
		ids[i] = t.Tokens[node]
	}
	return ids
}

// verify returns the logits of all nodes.
func verify(t testing.TB, d *transformer.Decoder, c *transformer.Sequence, tree kv.Tree) []float32 {
	t.Helper()
	logits := make([]float32, len(tree.Tokens)*d.Vocabulary())
	if err := d.Verify(t.Context(), c, tree, logits); err != nil {
		t.Fatal(err)
	}
	return logits
}

// The logits of each node are those of appending the tokens up to it one by
// one, whatever else is in the tree, on any number of threads.
func TestN2_NodesOfATreeHaveTheBitsOfAChain(t *testing.T) {
	const seed = 81
	eachDecoder(t, seed, func(t *testing.T, rng *rand.Rand, folder string) {
		path := importFolder(t, folder)
		one := openDecoder(t, path, transformer.DecoderOptions{})
		v := one.Vocabulary()
		sizes, fewest, most := []int{1, 2, 7, 16, 33, 64, kv.MaxTree}, 1, 3
		if testing.Short() { // for the race detector a tree for each of two threads is enough
			sizes, fewest, most = []int{16}, 2, 2
		}
		for _, nodes := range sizes {
			prompt := randomIDs(rng, 1+rng.IntN(200), v)
			tree := randomTree(rng, nodes, v)
			plain := one.NewSequence()
			appendAll(t, one, plain, prompt, len(prompt))
			want := make([][]float32, nodes)
			for i := range nodes {
				all := appendAll(t, one, plain, tokensOn(tree, pathTo(tree, i)), 1)
				want[i] = all[len(all)-v:]
				if err := plain.Truncate(len(prompt)); err != nil {
					t.Fatal(err)
				}
			}
			freeSequence(t, plain)
			for threads := fewest; threads <= most; threads++ {
				d := openDecoder(t, path, transformer.DecoderOptions{Threads: threads})
				c := d.NewSequence()
				appendAll(t, d, c, prompt, len(prompt))
				got := verify(t, d, c, tree)
				for i := range nodes {
					if !slices.Equal(got[i*v:(i+1)*v], want[i]) {
						t.Errorf("%d nodes, %d threads: node %d has other bits", nodes, threads, i)
					}
				}
				freeSequence(t, c)
			}
		}
	})
}

// keptBits are all keys and values of a context, as they lie.
func keptBits(c *transformer.Sequence) [][]byte { return transformer.StoredBits(c) }

// After nodes are kept, the keys and values are those of appending their tokens
// one by one, and so is all that follows.
func TestS7_KeptNodesLeaveTheBitsOfSequentialDecoding(t *testing.T) {
	const seed = 82
	eachDecoder(t, seed, func(t *testing.T, rng *rand.Rand, folder string) {
		d := openDecoder(t, importFolder(t, folder), transformer.DecoderOptions{Threads: 2})
		plain, drafted := d.NewSequence(), d.NewSequence()
		defer freeSequence(t, plain)
		defer freeSequence(t, drafted)
		prompt := randomIDs(rng, 100, d.Vocabulary()) // so that trees cross the end of a block
		appendAll(t, d, plain, prompt, 100)
		appendAll(t, d, drafted, prompt, 31)
		for round := range 30 {
			tree := randomTree(rng, 1+rng.IntN(64), d.Vocabulary())
			path := pathTo(tree, rng.IntN(len(tree.Tokens)))
			verify(t, d, drafted, tree)
			if err := drafted.Keep(path); err != nil {
				t.Fatal(err)
			}
			appendAll(t, d, plain, tokensOn(tree, path), 1)
			if !slices.Equal(plain.Tokens(), drafted.Tokens()) {
				t.Fatalf("round %d: other tokens", round)
			}
			if !slices.EqualFunc(keptBits(plain), keptBits(drafted), slices.Equal) {
				t.Fatalf("round %d, path %v: other keys and values", round, path)
			}
		}
	})
}

// A tree changes nothing but by Keep, and is gone after it, or after anything
// else that is done with the context.
func TestATreeIsDropped(t *testing.T) {
	const seed = 83
	rng := rand.New(rand.NewPCG(seed, 0))
	ledger := &memory.Ledger{}
	d := openDecoder(t, importFolder(t, decoders()["Llama"].folder(t)), transformer.DecoderOptions{Ledger: ledger})
	ids := randomIDs(rng, 20, d.Vocabulary())
	tree := randomTree(rng, 9, d.Vocabulary())
	c := d.NewSequence()
	appendAll(t, d, c, ids, 20)
	for name, drop := range map[string]func() error{
		"nothing kept": func() error { return c.Keep(nil) },
		"truncated":    func() error { return c.Truncate(c.Len()) },
		"appended": func() error {
			return errors.Join(c.Append(t.Context(), ids[:1], nil), c.Truncate(20))
		},
		"a failed tree": func() error {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if err := d.Verify(ctx, c, tree, make([]float32, 9*d.Vocabulary())); !errors.Is(err, context.Canceled) {
				return fmt.Errorf("a cancelled tree: %w", err)
			}
			return nil
		},
	} {
		verify(t, d, c, tree)
		if err := drop(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if c.Keep([]int32{0}) == nil && name != "a failed tree" {
			t.Errorf("%s: a node was kept", name)
		}
		if err := c.Truncate(20); err != nil || !slices.Equal(c.Tokens(), ids) {
			t.Fatalf("%s: %v", name, err)
		}
	}
	freeSequence(t, c)
	for _, p := range ledger.Snapshot() {
		if p.Name == kv.Pool && p.Bytes != 0 {
			t.Errorf("contexts: %+v", p)
		}
	}
}

func TestVerifyRefusesWhatIsNoTree(t *testing.T) {
	d := openDecoder(t, importFolder(t, decoders()["Qwen3"].folder(t)), transformer.DecoderOptions{MaxTokens: 10})
	c, v := d.NewSequence(), d.Vocabulary()
	defer freeSequence(t, c)
	appendAll(t, d, c, []int32{1, 2, 3, 4, 5, 6, 7}, 7)
	chain := func(n int) []int32 {
		parents := make([]int32, n)
		for i := range parents {
			parents[i] = int32(i - 1)
		}
		return parents
	}
	for name, call := range map[string]struct {
		tree   kv.Tree
		logits int
	}{
		"no node":            {kv.Tree{}, 0},
		"too many nodes":     {kv.Tree{Tokens: make([]int32, 129), Parents: make([]int32, 129)}, 129 * v},
		"too few parents":    {kv.Tree{Tokens: []int32{1, 2}, Parents: []int32{-1}}, 2 * v},
		"a root's parent":    {kv.Tree{Tokens: []int32{1}, Parents: []int32{0}}, v},
		"two roots":          {kv.Tree{Tokens: []int32{1, 2}, Parents: []int32{-1, -1}}, 2 * v},
		"a later parent":     {kv.Tree{Tokens: []int32{1, 2}, Parents: []int32{-1, 1}}, 2 * v},
		"an unknown token":   {kv.Tree{Tokens: []int32{int32(v)}, Parents: []int32{-1}}, v},
		"few logits":         {kv.Tree{Tokens: []int32{1, 2}, Parents: chain(2)}, v},
		"beyond the context": {kv.Tree{Tokens: []int32{1, 2, 3, 4}, Parents: chain(4)}, 4 * v},
	} {
		if err := d.Verify(t.Context(), c, call.tree, make([]float32, call.logits)); err == nil || c.Len() != 7 {
			t.Errorf("%s: %v, %d tokens", name, err, c.Len())
		}
	}
	verify(t, d, c, kv.Tree{Tokens: []int32{1, 2, 3}, Parents: []int32{-1, 0, 0}})
	for name, path := range map[string][]int32{"not the root": {1}, "siblings": {0, 1, 2}, "an unknown node": {0, 3}, "a negative one": {-1}} {
		if c.Keep(path) == nil || c.Len() != 7 {
			t.Errorf("%s was kept, %d tokens", name, c.Len())
		}
	}
	if err := c.Keep([]int32{0, 2}); err != nil || !slices.Equal(c.Tokens()[7:], []int32{1, 3}) {
		t.Errorf("%v, tokens %v", err, c.Tokens())
	}
}
