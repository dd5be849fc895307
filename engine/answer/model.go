package answer

import (
	"bytes"
	"compress/flate"
	_ "embed" // the weights
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
)

// features counts the weights of a log-linear model: features are hashed into
// them (Weinberger and others, "Feature Hashing for Large Scale Multitask
// Learning", 2009).
const features = 1 << 16

// weightScale is the value of one unit of a weight.
const weightScale = 1.0 / 1024

// Model is what an Extractor decides by. It is read-only.
type Model struct {
	sentence [features]int16 // weights of sentences
	span     [features]int16 // weights of runs of words
	support  supportModel
	// rarity is the weight of a term, in sixteenths; terms that it lacks weigh
	// unknown.
	rarity  map[string]uint8
	unknown uint8
}

// weigh is the weight of a term by how rare it is in general text.
func (m *Model) weigh(term string) float64 {
	if w, ok := m.rarity[term]; ok {
		return float64(w) / 16
	}
	return float64(m.unknown) / 16
}

// sum is the score of what has these features, in units of weightScale.
func sum(weights *[features]int16, active []uint16) int {
	total := 0
	for _, f := range active {
		total += int(weights[f])
	}
	return total
}

// feature numbers a feature: a template and up to three values.
func feature(template, a, b, c int) uint16 {
	h := uint64(template)<<48 ^ uint64(a)<<32 ^ uint64(b)<<16 ^ uint64(c)
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd // the finalizer of MurmurHash3
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	h ^= h >> 33
	return uint16(h)
}

//go:embed model.bin
var modelFile []byte

// DefaultModel is the model that comes with the program.
var DefaultModel = sync.OnceValues(func() (*Model, error) { return ReadModel(modelFile) })

const modelMagic = "dowse answer 1\n"

// maxModelBytes bounds what a model file may unpack to.
const maxModelBytes = 4 << 20

// ReadModel reads what AppendTo wrote.
func ReadModel(data []byte) (*Model, error) {
	if !bytes.HasPrefix(data, []byte(modelMagic)) {
		return nil, errors.New("read answer model: not an answer model of this version")
	}
	raw, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(data[len(modelMagic):])), maxModelBytes))
	if err != nil {
		return nil, fmt.Errorf("read answer model: %w", err)
	}
	m := &Model{rarity: make(map[string]uint8)}
	r := bytes.NewReader(raw)
	var terms uint32
	for _, part := range []any{&m.sentence, &m.span, &m.support, &m.unknown, &terms} {
		if err := binary.Read(r, binary.LittleEndian, part); err != nil {
			return nil, fmt.Errorf("read answer model: %w", err)
		}
	}
	for range terms {
		var head [2]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return nil, fmt.Errorf("read answer model: %w", err)
		}
		term := make([]byte, head[0])
		if _, err := io.ReadFull(r, term); err != nil {
			return nil, fmt.Errorf("read answer model: %w", err)
		}
		m.rarity[string(term)] = head[1]
	}
	return m, nil
}

// AppendTo appends the model as ReadModel reads it.
func (m *Model) AppendTo(dst []byte) ([]byte, error) {
	terms := make([]string, 0, len(m.rarity))
	for t := range m.rarity {
		terms = append(terms, t)
	}
	slices.Sort(terms)
	var raw bytes.Buffer
	for _, part := range []any{&m.sentence, &m.span, &m.support, m.unknown, uint32(len(terms))} {
		if err := binary.Write(&raw, binary.LittleEndian, part); err != nil {
			return nil, fmt.Errorf("write answer model: %w", err)
		}
	}
	for _, t := range terms {
		raw.WriteByte(uint8(len(t)))
		raw.WriteByte(m.rarity[t])
		raw.WriteString(t)
	}
	packed := bytes.NewBufferString(modelMagic)
	w, err := flate.NewWriter(packed, flate.BestCompression)
	if err != nil {
		return nil, fmt.Errorf("write answer model: %w", err)
	}
	if _, err := w.Write(raw.Bytes()); err != nil {
		return nil, fmt.Errorf("write answer model: %w", err)
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("write answer model: %w", err)
	}
	return append(dst, packed.Bytes()...), nil
}
