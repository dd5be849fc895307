package kv

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// planned returns how long a choice takes, from its definition.
func planned(missing []MissingChunk, p Profile, compute []int) float64 {
	reading, computing := 0.0, 0.0
	for _, m := range missing {
		if !slices.Contains(compute, m.Chunk) {
			reading += Groups*p.Read + float64(m.Bytes)*p.Byte
			continue
		}
		for token := range m.Tokens {
			computing += p.Token + p.Position*float64(m.First+token+1)
		}
	}
	if len(compute) > 0 {
		computing += p.Pass
	}
	// A group is read behind the one before it, and computed once it is read and the one
	// before it is computed.
	read, done := 0.0, 0.0
	for range Groups {
		read += reading / Groups
		done = max(done, read) + computing/Groups
	}
	return done
}

// randomMissing are chunks of all levels, the last one open, some of which nobody kept.
func randomMissing(rng *rand.Rand, n int) []MissingChunk {
	shape := Shape{Layers: 8, Heads: 2, HeadDim: 64, ChunkTokens: 16}
	var missing []MissingChunk
	for i := range n {
		level := Levels[rng.IntN(len(Levels))]
		missing = append(missing, MissingChunk{
			Chunk: 3 * i, First: 48 * i, Tokens: 16, Bytes: shape.ChunkBytes(level),
			Kept: rng.IntN(8) > 0, ReadOnly: rng.IntN(8) == 0,
		})
	}
	if n > 0 {
		last := &missing[n-1]
		last.Tokens, last.Bytes = 1+rng.IntN(16), shape.ChunkBytes(Level8)
	}
	rng.Shuffle(n, func(i, j int) { missing[i], missing[j] = missing[j], missing[i] })
	return missing
}

// randomProfile is one in which reading and computing take about as long, in all ratios.
func randomProfile(rng *rand.Rand) Profile {
	p := Profile{Token: 1e-3, Read: 1e-4, Byte: 1e-7 * math.Exp(rng.NormFloat64())}
	if rng.IntN(2) > 0 {
		p.Pass = 1e-2
	}
	if rng.IntN(2) > 0 {
		p.Position = 1e-5
	}
	return p
}

// A plan takes as long as the best of all choices, whatever the levels and the positions.
func TestK7_PlanIsTheBestOfAllChoices(t *testing.T) {
	const seed = 301
	t.Logf("seed %d", seed)
	rng, mixed := rand.New(rand.NewPCG(seed, 0)), 0
	for range 120 {
		missing, p := randomMissing(rng, rng.IntN(13)), randomProfile(rng)
		least := math.Inf(1)
		for choice := range 1 << len(missing) {
			var compute []int
			possible := true
			for i, m := range missing {
				if choice>>i&1 > 0 {
					compute = append(compute, m.Chunk)
				}
				possible = possible && allowed(m, choice>>i&1 > 0)
			}
			if possible {
				least = min(least, planned(missing, p, compute))
			}
		}
		read, compute := PlanRestore(missing, p)
		if got := planned(missing, p, compute); got > least*(1+1e-9) {
			t.Fatalf("%+v, %+v: %v are computed in %v seconds, %v are possible", missing, p, compute, got, least)
		}
		requireSplit(t, missing, read, compute)
		if len(read) > 0 && len(compute) > 0 {
			mixed++
		}
	}
	if mixed < 40 {
		t.Errorf("%d of 120 plans read and compute", mixed)
	}
}

// allowed reports whether a chunk may be computed, or read.
func allowed(m MissingChunk, compute bool) bool {
	return compute && !m.Kept || m.Kept && !(compute && m.ReadOnly)
}

// requireSplit requires each chunk to be read or computed, as it may be.
func requireSplit(t *testing.T, missing []MissingChunk, read, compute []int) {
	t.Helper()
	var all []int
	for _, m := range missing {
		all = append(all, m.Chunk)
		if !allowed(m, slices.Contains(compute, m.Chunk)) {
			t.Errorf("%+v among %v that are computed", m, compute)
		}
	}
	slices.Sort(all)
	both := slices.Sorted(slices.Values(slices.Concat(read, compute)))
	if !slices.Equal(both, all) || !slices.IsSorted(read) || !slices.IsSorted(compute) {
		t.Errorf("%v are read and %v computed of %v", read, compute, all)
	}
}

// Where positions cost nothing, the heaviest chunks are computed; where they do, the
// first ones of a level.
func TestK7_PlanComputesTheHeaviest(t *testing.T) {
	var missing []MissingChunk
	for i, level := range []Level{Level2, Level8, Level4, Level8, Level2, Level8, Level4, Level8} {
		missing = append(missing, MissingChunk{Chunk: i, First: 16 * i, Tokens: 16, Bytes: 1000 * int(level), Kept: true})
	}
	// A chunk takes 4 ms to compute, and as many to read at Level4.
	read, compute := PlanRestore(missing, Profile{Token: 0.25e-3, Byte: 1e-6})
	if !slices.Equal(compute, []int{1, 3, 5, 7}) || !slices.Equal(read, []int{0, 2, 4, 6}) {
		t.Errorf("%v are computed, %v read", compute, read)
	}
	for i := range missing {
		missing[i].Bytes = 8000
	}
	if _, compute := PlanRestore(missing, Profile{Token: 0.25e-3, Position: 1e-9, Byte: 1e-6}); !slices.Equal(compute, []int{0, 1, 2, 3, 4, 5}) {
		t.Errorf("%v are computed", compute)
	}
	if read, compute := PlanRestore(missing, Profile{Token: 1, Byte: 1e-9}); len(read) != 8 || compute != nil {
		t.Errorf("%v are computed where that is slow", compute)
	}
	if read, compute := PlanRestore(missing, Profile{Token: 1e-9, Byte: 1}); read != nil || len(compute) != 8 {
		t.Errorf("%v are read where that is slow", read)
	}
}

// A meter finds what a machine takes from work of several sizes, and follows it when it
// changes; work of one size alone scales what it began with.
func TestMeterFollowsTheMachine(t *testing.T) {
	const seed = 302
	t.Logf("seed %d", seed)
	rng, m := rand.New(rand.NewPCG(seed, 0)), NewMeter(Profile{})
	if m.Profile() != UsualProfile {
		t.Errorf("%+v before anything was measured", m.Profile())
	}
	machine := Profile{Pass: 0.05, Token: 4e-3, Position: 2e-6, Read: 0.5e-3, Byte: 1e-8}
	requireNear := func(what string, tolerance float64) {
		t.Helper()
		p := m.Profile()
		for _, c := range []MissingChunk{{Tokens: 16, Bytes: 4 << 10}, {Tokens: 160, First: 2000, Bytes: 64 << 10}, {Tokens: 2000, Bytes: 1 << 20}} {
			got, want := p.computeSeconds(c.Tokens, int64(c.positions())), machine.computeSeconds(c.Tokens, int64(c.positions()))
			if !(math.Abs(got/want-1) < tolerance) {
				t.Errorf("%s: %d tokens take %v seconds to compute, want %v", what, c.Tokens, got, want)
			}
			if got, want := p.readSeconds(&c), machine.readSeconds(&c); !(math.Abs(got/want-1) < tolerance) {
				t.Errorf("%s: %d bytes take %v seconds to read, want %v", what, c.Bytes, got, want)
			}
		}
	}
	work := func() {
		for range 40 {
			tokens, first := 1<<rng.IntN(12), rng.IntN(4000)
			positions := int64(tokens*first + tokens*(tokens+1)/2)
			m.Computed(tokens, positions, seconds(machine.computeSeconds(tokens, positions)))
			reads, size := 1+rng.IntN(400), 1<<rng.IntN(20)
			m.Read(reads, int64(reads*size), seconds(machine.Read*float64(reads)+machine.Byte*float64(reads*size)))
		}
	}
	work()
	requireNear("measured", 0.1)
	machine = Profile{Pass: 0.2, Token: 1e-3, Position: 1e-6, Read: 2e-3, Byte: 1e-9}
	work()
	requireNear("another machine, of other proportions", 0.3)

	machine, m = UsualProfile, NewMeter(UsualProfile)
	machine.Pass, machine.Token, machine.Position = 3*machine.Pass, 3*machine.Token, 3*machine.Position
	m.Computed(160, 160*80, seconds(machine.computeSeconds(160, 160*80)))
	requireNear("one size", 0.01)
}

// What cannot have been measured changes nothing, and times that fit no machine give no
// number below zero.
func TestMeterStaysSound(t *testing.T) {
	m := NewMeter(Profile{Pass: -1, Token: math.NaN()})
	m.Computed(0, 0, time.Second)
	m.Computed(5, 15, 0)
	m.Read(0, 10, time.Second)
	m.Read(1, 10, -time.Second)
	if m.Profile() != UsualProfile {
		t.Errorf("%+v", m.Profile())
	}
	for range 20 { // the fewer tokens, the longer
		m.Computed(16, 16*8, 2*time.Second)
		m.Computed(1600, 1600*800, time.Second)
	}
	if p := m.Profile(); !p.sound() || p.Pass < 0 || p.Position < 0 {
		t.Errorf("%+v", p)
	}
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// TestK7_PrefixesAreThoseOfTheLeastTime of all lengths that are tried one by one.
func TestK7_PrefixesAreThoseOfTheLeastTime(t *testing.T) {
	const seed, size = 304, 16
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	some := 0
	for range 300 {
		p := Profile{Pass: rng.Float64() * .05, Token: rng.Float64() * 2e-3, Position: rng.Float64() * 1e-6, Read: rng.Float64() * 2e-3, Byte: rng.Float64() * 2e-7}
		chunks, tokens := []MissingChunk{}, 0
		for i := range rng.IntN(12) {
			chunks = append(chunks, MissingChunk{Chunk: i, First: tokens, Tokens: size, Bytes: 100_000, Kept: rng.IntN(3) > 0})
			tokens += size
		}
		tokens += 1 + rng.IntN(100)
		times := []float64{p.computeSeconds(tokens, int64(tokens)*int64(tokens+1)/2)}
		for n := 1; n <= len(chunks); n++ {
			_, compute := PlanRestore(chunks[:n], p)
			reading, computing := 0.0, 0.0
			for i := range n {
				if slices.Contains(compute, i) {
					computing += p.chunkSeconds(&chunks[i])
				} else {
					reading += p.readSeconds(&chunks[i])
				}
			}
			if len(compute) > 0 {
				computing += p.Pass
			}
			rest := tokens - n*size
			time := both(reading, computing) + p.computeSeconds(rest, int64(tokens)*int64(tokens+1)/2-int64(n*size)*int64(n*size+1)/2)
			times = append(times, time)
		}
		got := PlanPrefix(chunks, tokens, p)
		if least := slices.Min(times); times[got] > least*(1+1e-9) {
			t.Errorf("%d chunks of %+v take %g s, others %g", got, chunks, times[got], least)
		}
		if got > 0 {
			some++
		}
	}
	if some < 30 {
		t.Errorf("only %d of 300 texts have a prefix that is brought back", some)
	}
}
