package swap

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Reads cover each wanted record once and in order, keep to the largest read, and
// leave out no more than what a read of its own is worth.
func TestA8_SpansCoverWhatIsWanted(t *testing.T) {
	const seed = 48
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 300 {
		channels := active(rng, 1+rng.IntN(500), rng.Float64())
		record := 64 << rng.IntN(11)
		most := record * (1 + rng.IntN(20))
		spans := planSpans(channels, record, UsualDisk, most)
		var wanted []int32
		end := 0
		for _, s := range spans {
			if s.from < end || s.to <= s.from || (s.to-s.from)*record > most {
				t.Fatalf("%+v after %d, records of %d, reads of %d", s, end, record, most)
			}
			for _, c := range s.wanted {
				if int(c) < s.from || int(c) >= s.to {
					t.Fatalf("%+v", s)
				}
			}
			wanted, end = append(wanted, s.wanted...), s.to
		}
		if !slices.Equal(wanted, channels) {
			t.Fatalf("%v are read of %v", wanted, channels)
		}
		if alone := mergeSpans(channels, 0, 1); spansSeconds(spans, record, UsualDisk) > spansSeconds(alone, record, UsualDisk)*1.001 {
			t.Fatalf("%d reads for %d records of %d bytes take longer than each by itself", len(spans), len(channels), record)
		}
	}
}

// Records close to each other come by one read, far apart by their own, and where most
// are wanted by reading on.
func TestA8_GapsAndDenseFallback(t *testing.T) {
	const record = 8 << 10
	gap := UsualDisk.gap() / record // records
	near, far := int32(1+gap), int32(2+gap)
	for _, c := range []struct {
		name     string
		channels []int32
		reads    int
	}{
		{"none", nil, 0}, {"one", []int32{5}, 1}, {"near", []int32{0, near}, 1}, {"far", []int32{0, 1000 * far}, 2},
		{"spread", []int32{0, 1000, 2000, 3000}, 4},
	} {
		if spans := planSpans(c.channels, record, UsualDisk, 1<<20); len(spans) != c.reads {
			t.Errorf("%s: %+v", c.name, spans)
		}
	}
	const large = 32 << 10 // more than the gap
	var every, many []int32
	for c := range int32(100) {
		every = append(every, 8*c)
		many = append(many, 2*c)
	}
	if spans := planSpans(every, large, UsualDisk, 1<<30); len(spans) != 100 {
		t.Errorf("an eighth of the records: %d reads", len(spans))
	}
	if spans := planSpans(many, large, UsualDisk, 1<<30); len(spans) != 1 || spans[0].to-spans[0].from != 199 {
		t.Errorf("half of the records: %d reads", len(spans))
	}
}
