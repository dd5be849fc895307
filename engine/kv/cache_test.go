package kv

import (
	"slices"
	"sync/atomic"
	"testing"

	"dowse/engine/kernel"
	"dowse/engine/memory"
)

// small is a shape whose chunks end in the middle of most things.
var small = Shape{Layers: 2, Heads: 2, HeadDim: 4, ChunkTokens: 5}

// mark writes numbers to the keys and values of the tokens that spans have room for,
// the first of which is number.
func mark(spans []kernel.KeyValues, number, layer int) {
	for _, s := range spans {
		for i := range s.Tokens {
			one := Part(s, i, i+1, small.Heads)
			for j := range one.K.Bytes {
				one.K.Bytes[j], one.V.Bytes[j] = int8(number), int8(-number)
			}
			one.K.Scale[0], one.V.Scale[0] = kernel.BFloat16(number), kernel.BFloat16(layer)
			number++
		}
	}
}

// numbers reads back what mark wrote for the first tokens of a layer.
func numbers(t *testing.T, c *Cache, layer, tokens int) []int32 {
	t.Helper()
	var all []int32
	for _, s := range c.Spans(layer, 0, tokens) {
		for i := range s.Tokens {
			one := Part(s, i, i+1, small.Heads)
			n := one.K.Bytes[0]
			if one.V.Bytes[7] != -n || one.K.Scale[0] != kernel.BFloat16(n) || one.V.Scale[0] != kernel.BFloat16(layer) {
				t.Errorf("layer %d: %+v", layer, one)
			}
			all = append(all, int32(n))
		}
	}
	return all
}

// extend appends tokens ids, with keys and values of their own numbers.
func extend(t *testing.T, c *Cache, ids ...int32) {
	t.Helper()
	if err := c.Reserve(c.Len() + len(ids)); err != nil {
		t.Fatal(err)
	}
	for l := range small.Layers {
		mark(c.Spans(l, c.Len(), c.Len()+len(ids)), int(ids[0]), l)
	}
	c.Extend(ids)
}

func requireTokens(t *testing.T, c *Cache, want ...int32) {
	t.Helper()
	if !slices.Equal(c.Tokens(), want) {
		t.Fatalf("tokens %v, want %v", c.Tokens(), want)
	}
	for l := range small.Layers {
		if got := numbers(t, c, l, c.Len()); !slices.Equal(got, want) {
			t.Fatalf("layer %d: %v, want %v", l, got, want)
		}
	}
}

func TestCacheInChunks(t *testing.T) {
	ledger, held := &memory.Ledger{}, &atomic.Int64{}
	c := NewCache(small, ledger, held)
	extend(t, c, 1, 2, 3)
	extend(t, c, 4, 5, 6, 7, 8, 9, 10, 11)
	requireTokens(t, c, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
	lengths := []int{}
	for _, s := range c.Spans(1, 3, 11) {
		lengths = append(lengths, s.Tokens)
	}
	if !slices.Equal(lengths, []int{2, 5, 1}) || len(c.Spans(0, 4, 4)) != 0 {
		t.Errorf("spans of %v tokens", lengths)
	}
	if got := c.Bytes(); got != int64(small.Bytes(15)) || held.Load() != 3*memory.InPages(small.Bytes(5)) {
		t.Errorf("%d bytes, %d held", got, held.Load())
	}
	if got, want := c.HeldWith(16), small.Held(16); got != want {
		t.Errorf("%d bytes with 16 tokens and a tree, want %d", got, want)
	}
	if err := c.Truncate(5); err != nil || c.Bytes() != int64(small.Bytes(5)) {
		t.Errorf("%d bytes of 5 tokens (%v)", c.Bytes(), err)
	}
	requireTokens(t, c, 1, 2, 3, 4, 5)
	if c.Truncate(6) == nil || c.Truncate(-1) == nil {
		t.Error("tokens that are not there are kept")
	}
	if err := c.Free(); err != nil || ledger.Total() != 0 || held.Load() != 0 || c.Len() != 0 {
		t.Errorf("after Free: %v, %d bytes, %d held", err, ledger.Total(), held.Load())
	}
	extend(t, c, 7)
	requireTokens(t, c, 7)
	if err := c.Free(); err != nil {
		t.Fatal(err)
	}
}

func TestKeepMovesAPathOfTheTree(t *testing.T) {
	c := NewCache(small, nil, nil)
	defer func() {
		if err := c.Free(); err != nil {
			t.Error(err)
		}
	}()
	extend(t, c, 1, 2, 3)
	tree := Tree{Tokens: []int32{20, 21, 22, 23, 24}, Parents: []int32{-1, 0, 0, 2, 3}}
	draft := func() {
		t.Helper()
		if err := c.ReserveTree(); err != nil {
			t.Fatal(err)
		}
		for l := range small.Layers {
			mark([]kernel.KeyValues{c.Draft(l, 0, 5)}, 20, l)
		}
		c.SetTree(tree)
	}
	draft()
	for _, path := range [][]int32{{1}, {0, 3}, {0, 2, 2}, {0, 5}, {0, -1}} {
		if c.Keep(path) == nil {
			t.Errorf("%v is kept", path)
		}
	}
	if err := c.Keep([]int32{0, 2, 3, 4}); err != nil { // beyond the end of a chunk
		t.Fatal(err)
	}
	requireTokens(t, c, 1, 2, 3, 20, 22, 23, 24)
	if c.Keep([]int32{0}) == nil {
		t.Error("a tree is kept twice")
	}
	for name, change := range map[string]func() error{
		"Keep nothing": func() error { return c.Keep(nil) },
		"Truncate":     func() error { return c.Truncate(7) },
		"Extend":       func() error { c.Extend(nil); return nil },
		"DropTree":     func() error { c.DropTree(); return nil },
	} {
		draft()
		if err := change(); err != nil || c.Keep([]int32{0}) == nil {
			t.Errorf("%s leaves a tree (%v)", name, err)
		}
	}
	requireTokens(t, c, 1, 2, 3, 20, 22, 23, 24)
}

func TestTreesAreChecked(t *testing.T) {
	for _, tree := range []Tree{
		{}, {Tokens: make([]int32, MaxTree+1), Parents: make([]int32, MaxTree+1)}, {Tokens: []int32{1}},
		{Tokens: []int32{1}, Parents: []int32{0}}, {Tokens: []int32{1, 2}, Parents: []int32{-1, 1}}, {Tokens: []int32{1, 2}, Parents: []int32{-1, -1}},
	} {
		if tree.Check() == nil {
			t.Errorf("%+v is a tree", tree)
		}
	}
	tree := Tree{Tokens: []int32{1, 2, 3, 4}, Parents: []int32{-1, 0, 0, 2}}
	want := [][]int32{{0}, {0, 1}, {0, 2}, {0, 2, 3}}
	if err := tree.Check(); err != nil || !slices.EqualFunc(tree.Paths(), want, slices.Equal) {
		t.Errorf("%v, %v", tree.Paths(), err)
	}
}
