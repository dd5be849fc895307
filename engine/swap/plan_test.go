package swap

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"testing"

	"dowse/engine/weights"
	"dowse/models/pack"
)

// Shapes of known decoders.
var (
	llama7B  = pack.RowLayout{Layers: 32, Bits: 8, Channels: [4]int{4096, 4096, 4096, 11008}, Outputs: [4]int{12288, 4096, 22016, 4096}}
	qwenHalf = pack.RowLayout{Layers: 24, Bits: 8, Channels: [4]int{896, 896, 896, 4864}, Outputs: [4]int{1152, 896, 9728, 896}}
)

// disks from slow to fast.
func disks() []DiskProfile {
	slow, fast := UsualDisk, UsualDisk
	slow.Rates, slow.Sequential = []float64{1e6, 4e6, 15e6, 40e6}, 100e6
	fast.Rates, fast.Sequential = []float64{4e9, 6e9, 7e9, 7e9}, 7e9
	return []DiskProfile{slow, UsualDisk, fast}
}

// The search stops at the first group size for which reading ahead takes no longer than
// computing, or with which a token without a cache is less than 5% faster.
func TestA9_SearchStopsWhereItShould(t *testing.T) {
	stops := map[string]int{}
	for _, l := range []pack.RowLayout{llama7B, qwenHalf} {
		for _, disk := range disks() {
			for share := 0.15; share < 1; share += 0.1 {
				p, err := MakePlan(l, disk, int64(share*float64(modelSize(l))), 0.5)
				if err != nil {
					continue // too small for a group
				}
				for i, tried := range p.Tried {
					if tried.GroupLayers != 1<<i || tried.Token < p.Token {
						t.Fatalf("%+v", p)
					}
					last := i == len(p.Tried)-1
					covered := tried.Preload <= tried.Compute
					if covered && !last {
						t.Errorf("groups of %d layers are read while others are computed, and %d were tried", tried.GroupLayers, 1<<len(p.Tried))
					}
					switch {
					case !last:
					case covered:
						stops["covered"]++
					case tried.GroupLayers == 8:
						stops["largest"]++
					default:
						more, fits := predicted(l, 2*tried.GroupLayers, disk, int64(share*float64(modelSize(l))), p.Sparsity)
						if fits && uncached(l, 2*tried.GroupLayers, disk, p.Sparsity) <= 0.95*uncached(l, tried.GroupLayers, disk, p.Sparsity) {
							t.Errorf("groups of %d layers were not tried: %+v", 2*tried.GroupLayers, more)
						}
						stops["gain"]++
					}
				}
			}
		}
	}
	t.Logf("%v", stops)
	if stops["covered"] == 0 || stops["gain"] == 0 {
		t.Errorf("the search stopped for %v", stops)
	}
}

func predicted(l pack.RowLayout, group int, disk DiskProfile, budget int64, sparsity float64) (Time, bool) {
	l.GroupLayers = group
	return Predict(l, disk, budget, sparsity)
}

// uncached is the time of a token of which no row is cached.
func uncached(l pack.RowLayout, group int, disk DiskProfile, sparsity float64) float64 {
	l.GroupLayers = group
	return swapTime(l, disk, 0, sparsity).Token
}

// modelSize is that of a layout without groups.
func modelSize(l pack.RowLayout) int64 {
	l.GroupLayers = 1
	return modelBytes(l)
}

// Equations 1 to 9 with round numbers: two bundles' worth of rows, half of them active,
// none cached.
func TestCostModelByHand(t *testing.T) {
	l := pack.RowLayout{Layers: 4, GroupLayers: 2, Bits: 8, Channels: [4]int{100, 0, 0, 0}, Outputs: [4]int{4096, 0, 0, 0}}
	disk := DiskProfile{Sizes: []int{4096, 8192}, Rates: []float64{4096e3, 8192e3}, Sequential: 1e9, Memory: 8192e4}
	got := swapTime(l, disk, 0, 0.5)
	// 50 records of 8192 bytes in 1 ms each; 20% of 100 rows in 1 ms each; 50 records
	// at 10,000 a second.
	want := Time{GroupLayers: 2, Load: 0.05, Preload: 0.05, Compute: 0.005, OnDemand: 0.02, Token: 0.05 + 2*0.02 + 0.05 + 0.005, TokenBytes: 50 * 4 * 4096}
	for _, c := range [][2]float64{{got.Load, want.Load}, {got.Preload, want.Preload}, {got.Compute, want.Compute}, {got.OnDemand, want.OnDemand}, {got.Token, want.Token}, {got.TokenBytes, want.TokenBytes}} {
		if math.Abs(c[0]-c[1]) > 1e-9*c[1] {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if cached := swapTime(l, disk, modelBytes(l), 0.5); cached.HitRate != 1 || cached.Preload != 0 || cached.TokenBytes != 0 {
		t.Errorf("all cached: %+v", cached)
	}
}

// Sparsity never exceeds the limit nor grows with memory, and at the same sparsity more
// memory is never slower. With all rows in memory nothing is left out.
func TestMoreMemoryNeverPlansSlower(t *testing.T) {
	for _, l := range []pack.RowLayout{llama7B, qwenHalf} {
		for _, disk := range disks() {
			for _, limit := range []float64{0, 0.2, 0.5} {
				var before Plan
				for share := 0.02; share < 1.2; share += 0.01 {
					p, err := MakePlan(l, disk, int64(share*float64(modelSize(l))), limit)
					if err != nil {
						if !errors.Is(err, weights.ErrBudget) || before.Token > 0 {
							t.Fatalf("%.2f of the model: %v, after %+v", share, err, before)
						}
						continue
					}
					switch {
					case p.Sparsity > limit || p.Sparsity < 0,
						before.Token > 0 && p.Sparsity > before.Sparsity,
						before.Token > 0 && p.Sparsity == before.Sparsity && p.Token > before.Token*(1+1e-9),
						before.Whole && !p.Whole, p.Whole && p.Sparsity > 0:
						t.Fatalf("limit %.1f, %.2f of the model: %+v, with less %+v", limit, share, p, before)
					}
					before = p
				}
				if !before.Whole {
					t.Errorf("the model in more memory than it takes: %+v", before)
				}
			}
		}
	}
}

// memoryFile is a file in memory.
type memoryFile struct {
	size  int64
	fails error
}

func (f memoryFile) Size() (int64, error) { return f.size, nil }

func (f memoryFile) ReadAt(b []byte, offset int64) error {
	if offset < 0 || offset+int64(len(b)) > f.size {
		return io.ErrUnexpectedEOF
	}
	copy(b, bytes.Repeat([]byte{1}, min(len(b), 64)))
	return f.fails
}

func TestMeasureDisk(t *testing.T) {
	p, err := MeasureDisk(t.Context(), memoryFile{size: 3 << 20}, 4)
	if err != nil || len(p.Rates) != len(p.Sizes) || p.Memory <= 0 || p.Sequential < p.Rates[len(p.Rates)-1] {
		t.Errorf("%+v, %v", p, err)
	}
	for bytes := 1; bytes < 2<<20; bytes *= 2 {
		if s := p.Seconds(bytes); !(s > 0) || s > p.Seconds(2*bytes) {
			t.Errorf("%d bytes take %g seconds, twice that %g", bytes, s, p.Seconds(2*bytes))
		}
	}
	wrong := errors.New("wrong")
	if _, err := MeasureDisk(t.Context(), memoryFile{size: 1 << 20, fails: wrong}, 2); !errors.Is(err, wrong) {
		t.Errorf("a disk that fails: %v", err)
	}
	if _, err := MeasureDisk(t.Context(), memoryFile{size: 1 << 10}, 2); err == nil {
		t.Error("a small file tells something")
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := MeasureDisk(done, memoryFile{size: 1 << 20}, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is done: %v", err)
	}
}

// What lies between measured sizes lies between their times, and gaps are worth a small
// read.
func TestDiskProfile(t *testing.T) {
	p := DiskProfile{Sizes: []int{4096, 8192}, Rates: []float64{4096e3, 4096e3}, Sequential: 8192e3}
	for bytes, want := range map[int]float64{1: 0.001, 4096: 0.001, 6144: 0.0015, 8192: 0.002, 16384: 0.003} {
		if got := p.Seconds(bytes); math.Abs(got-want) > 1e-12 {
			t.Errorf("%d bytes: %g, want %g", bytes, got, want)
		}
	}
	if got := p.gap(); got != 4096 {
		t.Errorf("gap %d", got)
	}
	if UsualDisk.gap() < 16<<10 || UsualDisk.gap() > 256<<10 {
		t.Errorf("the usual gap is %d", UsualDisk.gap())
	}
}

// Rows of a small model are reads of less than a page, which take longer than reading
// everything; of a disk that reads them as fast as large pieces, swapping pays.
func TestSwapPaysByTheDisk(t *testing.T) {
	small := pack.RowLayout{
		Layers: 30, GroupLayers: 1, Bits: 8,
		Channels: [pack.Bundles]int{576, 576, 576, 1536}, Outputs: [pack.Bundles]int{960, 576, 3072, 576},
	}
	if Pays(small, UsualDisk, modelBytes(small)/4, .5) {
		t.Error("rows of 576 bytes are said to pay")
	}
	even := UsualDisk
	even.Rates = []float64{even.Sequential, even.Sequential, even.Sequential, even.Sequential}
	large := pack.RowLayout{
		Layers: 32, GroupLayers: 1, Bits: 8,
		Channels: [pack.Bundles]int{4096, 4096, 4096, 11008}, Outputs: [pack.Bundles]int{12288, 4096, 22016, 4096},
	}
	if !Pays(large, even, modelBytes(large)/4, .5) {
		t.Error("rows of 4 to 22 KiB do not pay where small reads are as fast as large ones")
	}
	if Pays(large, even, 0, .5) {
		t.Error("no memory is said to do")
	}
}
