package pack

import (
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// Mixture is the shape of a decoder whose feed-forward parts are mixtures of experts
// (Shazeer and others, Outrageously Large Neural Networks, 2017): a router chooses
// which of them a token goes through. The zero value is that of all other models.
type Mixture struct {
	Experts int `json:"experts"` // of a layer
	Active  int `json:"active"`  // of these, experts of a token
	Width   int `json:"width"`   // of what goes into an expert's Down
	// Normalize divides the shares of the active experts by their sum.
	Normalize bool     `json:"normalize,omitempty"`
	Dense     LayerSet `json:"dense,omitzero"` // layers with one feed-forward part, of width Intermediate
}

// In reports whether layer i has experts.
func (m *Mixture) In(i int) bool { return m.Experts > 0 && !m.Dense.Has(i) }

// Layers returns how many of the first layers have experts.
func (m *Mixture) Layers(layers int) int {
	n := 0
	for i := range layers {
		if m.In(i) {
			n++
		}
	}
	return n
}

// maxExperts bounds the experts of a layer. Published models have up to 512.
const maxExperts = 1 << 12

// check says what is impossible about a mixture.
func (m *Mixture) check(f family, layers int) error {
	switch {
	case *m == (Mixture{}):
		if f.mixture {
			return fmt.Errorf("architecture %s without experts", f.architecture)
		}
		return nil
	case !f.mixture:
		return fmt.Errorf("architecture %s with experts", f.architecture)
	case m.Experts < 1 || m.Experts > maxExperts:
		return fmt.Errorf("%d experts are not between 1 and %d", m.Experts, maxExperts)
	case m.Active < 1 || m.Active > m.Experts:
		return fmt.Errorf("a token cannot go through %d of %d experts", m.Active, m.Experts)
	case m.Width < 1 || m.Width > maxWidth:
		return fmt.Errorf("experts of width %d, which is not between 1 and %d", m.Width, maxWidth)
	case m.Dense.end() > layers:
		return fmt.Errorf("layer %d without experts of %d layers", m.Dense.end()-1, layers)
	case m.Layers(layers) == 0:
		return errors.New("no layer has experts")
	}
	return nil
}

// LayerSet is a set of layers by their number. Its text is that of ranges: "0-2,7".
type LayerSet [maxLayers / 64]uint64

// Has reports whether layer i, which is not negative, is in the set.
func (s *LayerSet) Has(i int) bool { return i < maxLayers && s[i/64]>>(i%64)&1 == 1 }

// Add puts layer i into the set, unless it is out of range.
func (s *LayerSet) Add(i int) bool {
	if i < 0 || i >= maxLayers {
		return false
	}
	s[i/64] |= 1 << (i % 64)
	return true
}

// end returns the number after that of the last layer, 0 of no layers.
func (s *LayerSet) end() int {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] != 0 {
			return 64*i + bits.Len64(s[i])
		}
	}
	return 0
}

// MarshalText implements encoding.TextMarshaler.
func (s LayerSet) MarshalText() ([]byte, error) {
	var text []byte
	for i := 0; i < s.end(); i++ {
		if !s.Has(i) {
			continue
		}
		first := i
		for s.Has(i + 1) {
			i++
		}
		if len(text) > 0 {
			text = append(text, ',')
		}
		if text = strconv.AppendInt(text, int64(first), 10); i > first {
			text = strconv.AppendInt(append(text, '-'), int64(i), 10)
		}
	}
	return text, nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *LayerSet) UnmarshalText(text []byte) error {
	*s = LayerSet{}
	if len(text) == 0 {
		return nil
	}
	for part := range strings.SplitSeq(string(text), ",") {
		from, to, ranged := strings.Cut(part, "-")
		first, err := strconv.Atoi(from)
		last := first
		if ranged && err == nil {
			last, err = strconv.Atoi(to)
		}
		if err != nil || first < 0 || last < first || last >= maxLayers {
			return fmt.Errorf("%q is no set of layers", text)
		}
		for i := first; i <= last; i++ {
			s.Add(i)
		}
	}
	return nil
}
