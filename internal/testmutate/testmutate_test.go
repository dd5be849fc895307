package testmutate

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

func TestTheSameFilesAreMadeEachTime(t *testing.T) {
	seeds := [][]byte{[]byte("one seed"), bytes.Repeat([]byte("another "), 50), nil}
	t.Setenv(Variable, "300")
	var first, second [][]byte
	Each(t, 1, seeds, func(data []byte) { first = append(first, bytes.Clone(data)) })
	Each(t, 1, seeds, func(data []byte) { second = append(second, bytes.Clone(data)) })
	different := map[string]bool{}
	for i := range first {
		if !bytes.Equal(first[i], second[i]) {
			t.Fatalf("file %d is made in two ways", i)
		}
		different[string(first[i])] = true
	}
	if len(first) != 300 || len(different) < 200 {
		t.Errorf("%d files, %d different ones", len(first), len(different))
	}
	if string(seeds[0]) != "one seed" {
		t.Error("a seed was changed")
	}
}

func TestFilesStayShort(t *testing.T) {
	seed := bytes.Repeat([]byte("x"), 1000)
	for i := range uint64(500) {
		if n := len(Mutated(rand.New(rand.NewPCG(1, i)), [][]byte{seed})); n > len(seed)+maxGrowth {
			t.Fatalf("%d bytes", n)
		}
	}
}
