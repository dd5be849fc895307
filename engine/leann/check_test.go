package leann

import (
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"testing"
)

// planted returns a sound index of 1200 coded chunks, some of them dead, and 300
// fresh ones.
func planted(t testing.TB) (m *memory, live without, end uint32) {
	t.Helper()
	rng := seeded(t, 181)
	c := newCloud(rng, 1500, 8)
	m = newMemory(t, 8)
	m.add(rng, c, 0, 1200)
	m.quantize(QuantizeOptions{CodeBytes: 2})
	for first := 1200; first < 1500; first += 100 {
		m.put(uint32(first), c.of[first*8:(first+100)*8])
	}
	live = without{5: true, 700: true}
	m.sound(live, 1500)
	return m, live, 1500
}

// bits returns the words of the only block's bitmap.
func (m *memory) bits() []byte {
	value := m.blocks[CodeRuns][0]
	return value[3 : 3+8*int(value[2])]
}

func TestCheckFindsEveryFault(t *testing.T) {
	sound, live, end := planted(t)
	codeOf7 := func(m *memory) { // its bit moves to an id that has none
		m.bits()[0] &^= 1 << 7
		m.bits()[1200/8] |= 1
	}
	for _, tt := range []struct {
		name  string
		plant func(m *memory)
		end   uint32
		want  []string // problems begin with these, in this order
		more  int      // chunks reported missing beyond them
	}{
		{name: "nothing", plant: func(*memory) {}},
		{name: "dead chunks without codes", plant: func(m *memory) {
			if dropped, err := m.index().Vacuum(m.t.Context(), m, below(0), VacuumShare); err != nil || dropped != 1200 {
				m.t.Fatal(dropped, err)
			}
		}, more: 1198},
		{name: "vectors gone", plant: func(m *memory) { delete(m.runs, 1300) }, more: 100},
		{name: "code under another number", plant: codeOf7,
			want: []string{"chunk 1200 has a code and a vector", "chunk 7 has neither"}},
		{name: "two vectors", plant: func(m *memory) { m.runs[1250] = m.runs[1300][:32] },
			want: []string{"chunk 1250 has a code and a vector, or two of one"}},
		{name: "torn block", plant: func(m *memory) { m.blocks[CodeRuns][0] = m.blocks[CodeRuns][0][:500] },
			want: []string{"codes 0: codes do not fit"}, more: 1198},
		{name: "empty block", plant: func(m *memory) { m.blocks[CodeRuns][3] = nil }, want: []string{"codes 3: codes do not fit"}},
		{name: "block of another version", plant: func(m *memory) { m.blocks[CodeRuns][0][0] = 9 },
			want: []string{"codes 0: codes do not fit"}, more: 1198},
		{name: "block beyond all ids", plant: func(m *memory) { m.blocks[CodeRuns][1<<20] = m.blocks[CodeRuns][0] },
			want: []string{"codes 1048576: codes do not fit"}},
		{name: "unknown book", plant: func(m *memory) { m.blocks[CodeRuns][0][1] = 1 },
			want: []string{"codes 0: there is no codebook 1"}, more: 1198},
		{name: "book gone", plant: func(m *memory) { delete(m.blocks[Books], 0) },
			want: []string{"codes 0: there is no codebook 0"}, more: 1198},
		{name: "books with a gap", plant: func(m *memory) { m.blocks[Books][2] = m.blocks[Books][0] },
			want: []string{"codebook 2 stands where number 1 belongs"}},
		{name: "torn book", plant: func(m *memory) { m.blocks[Books][0] = m.blocks[Books][0][:20] }, want: []string{"codebook cut short"}},
		{name: "vector beyond the end", plant: func(*memory) {}, end: 1499, want: []string{"chunk 1499 is beyond all ids"}},
		{name: "code beyond the end", plant: func(m *memory) { clear(m.runs) }, end: 1199, want: []string{"chunk 1199 is beyond all ids"}},
		{name: "torn vectors", plant: func(m *memory) { m.runs[1400] = m.runs[1400][:3199] },
			want: []string{"vectors of chunk 1400: 3199 bytes", "chunk 1499 has neither"}},
	} {
		m := sound.clone()
		tt.plant(m)
		if tt.end == 0 {
			tt.end = end
		}
		found := m.problems(live, tt.end)
		missing := 0
		for i, what := range found {
			switch {
			case i < len(tt.want) && strings.HasPrefix(what, tt.want[i]):
			case i >= len(tt.want) && strings.Contains(what, "has neither a code nor a vector"):
				missing++
			default:
				t.Errorf("%s: problem %d is %q, want %q", tt.name, i, what, tt.want)
			}
		}
		if missing != tt.more || len(found) < len(tt.want) {
			t.Errorf("%s: %d problems, %d chunks missing; want %d and %d", tt.name, len(found), missing, len(tt.want)+tt.more, tt.more)
		}
	}
}

func TestCheckCounts(t *testing.T) {
	_, m := twoBooks(t, 182)
	live := without{}
	for id := range uint32(blockSize + 1600) {
		live[id] = id >= 1500 && id < blockSize
	}
	blocks, err := m.index().Check(t.Context(), m, live, blockSize+1600, func(what string) { t.Error(what) }, func(chunk uint32) { t.Errorf("chunk %d lacks a vector", chunk) })
	if err != nil || blocks != 4 {
		t.Errorf("%d blocks, %v; want two codebooks and two of codes", blocks, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.index().Check(ctx, m, live, blockSize+1600, func(string) {}, func(uint32) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if found := newMemory(t, 8).problems(below(0), 0); found != nil {
		t.Errorf("an empty index: %q", found)
	}
}

// TestCheckOfHostileBytes: whatever stands in a block, Check ends.
func TestCheckOfHostileBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	rng := seeded(t, 183)
	sound, live, end := planted(t)
	reported := 0
	for range 500 {
		m := sound.clone()
		value := m.blocks[CodeRuns][0]
		for range 1 + rng.IntN(3) {
			value[rng.IntN(200)] ^= 1 << rng.IntN(8)
		}
		if rng.IntN(4) == 0 {
			value = binary.AppendUvarint(value[:1], rng.Uint64())
		}
		m.blocks[CodeRuns][0] = value
		reported += min(1, len(m.problems(live, end)))
	}
	if reported < 450 { // a dead chunk's bit may move unnoticed: checksums are the store's
		t.Errorf("%d of 500 damaged blocks were noticed", reported)
	}
}
