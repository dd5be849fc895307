package testmutate

import (
	"bytes"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// Variable is the environment variable that replaces the count.
const Variable = "DOWSE_TEST_MUTATIONS"

// maxGrowth is how much longer than the longest of the seeds a file becomes.
const maxGrowth = 64 << 10

// Each calls f with n files that are damaged seeds. A panic of f is reported with the file.
func Each(t testing.TB, n int, seeds [][]byte, f func(data []byte)) {
	t.Helper()
	if v, err := strconv.Atoi(os.Getenv(Variable)); err == nil {
		n = v
	}
	for i := range n {
		data := Mutated(rand.New(rand.NewPCG(21, uint64(i))), seeds)
		func() {
			defer func() {
				if r := recover(); r != nil {
					t.Fatalf("file %d: %v\n%.2000q", i, r, data)
				}
			}()
			f(data)
		}()
	}
	t.Logf("%d files", n)
}

// Mutated returns one of the seeds after one to eight changes.
func Mutated(rng *rand.Rand, seeds [][]byte) []byte {
	longest := 0
	for _, s := range seeds {
		longest = max(longest, len(s))
	}
	data := bytes.Clone(seeds[rng.IntN(len(seeds))])
	for range 1 + rng.IntN(8) {
		data = change(rng, data, seeds)
		data = data[:min(len(data), longest+maxGrowth)]
	}
	return data
}

// change makes one change: bytes replaced, a stretch taken out, repeated, or put in from another seed, the
// end cut off.
func change(rng *rand.Rand, data []byte, seeds [][]byte) []byte {
	if len(data) == 0 {
		return append(data, byte(rng.IntN(256)))
	}
	at := rng.IntN(len(data))
	end := min(len(data), at+1+rng.IntN(1+rng.IntN(200)))
	switch rng.IntN(6) {
	case 0:
		data[at] ^= 1 << rng.IntN(8)
		return data
	case 1:
		data[at] = []byte("\x00\xff\n\r\"'<>{}[]():;,=-+/\\ 0")[rng.IntN(24)]
		return data
	case 2:
		return append(data[:at:at], data[end:]...)
	case 3:
		return bytes.Join([][]byte{data[:at], bytes.Repeat(data[at:end], 2+rng.IntN(40)), data[end:]}, nil)
	case 4:
		other := seeds[rng.IntN(len(seeds))]
		if len(other) == 0 {
			return data
		}
		from := rng.IntN(len(other))
		to := min(len(other), from+1+rng.IntN(300))
		return bytes.Join([][]byte{data[:at], other[from:to], data[at:]}, nil)
	default:
		return data[:at]
	}
}
