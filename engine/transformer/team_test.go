package transformer

import (
	"math/rand/v2"
	"slices"
	"testing"

	"dowse/engine/kernel"
	"dowse/models/pack"
)

// randomBytes are in -127..127.
func randomBytes(rng *rand.Rand, n int) []int8 {
	list := make([]int8, n)
	for i := range list {
		list[i] = int8(rng.IntN(255) - 127)
	}
	return list
}

func randomFloats(rng *rand.Rand, n int) []float32 {
	list := make([]float32, n)
	for i := range list {
		list[i] = float32(rng.NormFloat64())
	}
	return list
}

// Columns that workers share have the bits of those that one computes, whatever
// the size of the team, in projections and in logits, on plain kernels too.
func TestN1_TeamsShareColumns(t *testing.T) {
	const seed, inputs, outputs = 95, 1000, 2200
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	weights := pack.Linear{
		K: inputs, N: outputs, Weights: randomBytes(rng, inputs*outputs), Scale: randomFloats(rng, outputs), Bias: randomFloats(rng, outputs),
	}
	weights.ColSum = make([]int32, outputs)
	for i, w := range weights.Weights {
		weights.ColSum[i%outputs] += int32(w)
	}
	head := kernel.Head{Width: inputs, Words: randomBytes(rng, outputs*inputs), WordScale: randomFloats(rng, outputs)}
	if weightsPerWorker*2 > inputs*outputs {
		t.Fatal("these weights are not worth sharing")
	}
	for _, level := range []kernel.ISA{kernel.Plain, kernel.Auto} {
		k, err := kernel.New(kernel.Options{ISA: level})
		if err != nil {
			t.Fatal(err)
		}
		for n := 1; n <= 5; n += 2 {
			workers := openTeam(n, nil)
			requireShared(t, k, workers, &weights, &head, rng)
			if err := workers.free(); err != nil {
				t.Fatal(err)
			}
		}
		if err := k.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// requireShared compares what a team computes with what one worker does.
func requireShared(t *testing.T, k *kernel.Kernel, workers *team, weights *pack.Linear, head *kernel.Head, rng *rand.Rand) {
	t.Helper()
	for _, rows := range []int{1, 7} {
		x := randomFloats(rng, rows*weights.K)
		got, want := make([]float32, rows*weights.N), make([]float32, rows*weights.N)
		if err := workers.linear(k, got, x, rows, weights); err != nil {
			t.Fatal(err)
		}
		if err := k.Linear(want, x, rows, weights, kernel.None, workers.workers[0].scratch); err != nil || !slices.Equal(got, want) {
			t.Errorf("a projection of %d rows by %d workers has other bits (%v)", rows, len(workers.workers), err)
		}
		if err := workers.logits(k, got, x, rows, head); err != nil {
			t.Fatal(err)
		}
		if err := k.Logits(want, x, rows, head, workers.workers[0].scratch); err != nil || !slices.Equal(got, want) {
			t.Errorf("logits of %d rows by %d workers have other bits (%v)", rows, len(workers.workers), err)
		}
	}
}
