package rerank

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"time"
)

// Trace holds the margins of every candidate after every layer of one full
// forward pass. Candidates never act on each other, so that a trace tells what
// any threshold and any guards would have done, without the model.
type Trace struct {
	Candidates int
	Layers     int
	Margins    []float32 // [Layers, Candidates]
}

// check refuses traces that no forward pass leaves.
func (t *Trace) check() error {
	if t.Candidates < 1 || t.Layers < 1 || t.Candidates > math.MaxUint16 || t.Layers > math.MaxUint16 ||
		len(t.Margins) != t.Candidates*t.Layers {
		return fmt.Errorf("rerank: %d margins of %d candidates in %d layers", len(t.Margins), t.Candidates, t.Layers)
	}
	for i, m := range t.Margins {
		if f := float64(m); math.IsNaN(f) || math.IsInf(f, 0) {
			return fmt.Errorf("rerank: margin %v of candidate %d after layer %d", m, i%t.Candidates, i/t.Candidates)
		}
	}
	return nil
}

// layer is the margins after a layer, by candidate.
func (t *Trace) layer(l int) []float32 {
	return t.Margins[l*t.Candidates : (l+1)*t.Candidates]
}

// final is the margins after the last layer.
func (t *Trace) final() []float32 { return t.layer(t.Layers - 1) }

// Replay does what Run would have done with the options on the query of the
// trace. No time passes in it: the deadline and the clock are ignored.
func Replay(t Trace, opts Options) (Result, error) {
	if err := t.check(); err != nil {
		return Result{}, err
	}
	return t.replay(opts)
}

// replay is Replay of a trace that was checked.
func (t *Trace) replay(opts Options) (Result, error) {
	return Run(context.Background(), playback{t}, t.Candidates, opts.untimed())
}

// untimed are the options for a world in which no time passes.
func (o Options) untimed() Options {
	o.Deadline = time.Time{}
	o.Now = func() time.Time { return time.Time{} }
	return o
}

// playback is a Forward that reads a trace.
type playback struct{ trace *Trace }

func (p playback) Layers() int { return p.trace.Layers }

func (p playback) Advance(ctx context.Context, _ int, _ []int) error { return ctx.Err() }

func (p playback) Scores(layer int, active []int, dst []float32) {
	margins := p.trace.layer(layer)
	for i, id := range active {
		dst[i] = margins[id]
	}
}

// A stored trace: magic, version, candidates and layers as uint16, the margins
// as float32, CRC-32C of all that; little-endian. 20 candidates in 30 layers
// take 2412 bytes.
const (
	traceMagic   = "RTR"
	traceVersion = 1
	traceHeader  = len(traceMagic) + 1 + 2 + 2
	traceSum     = 4
)

var (
	// ErrCorrupt is returned for bytes that no MarshalBinary wrote.
	ErrCorrupt = errors.New("damaged trace")
	// ErrVersion is returned for a trace of another version of the format.
	// Traces are samples: it can be thrown away.
	ErrVersion = errors.New("trace of another version")
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// MarshalBinary returns the stored form of a trace, 12 bytes and 4 for each
// margin. It refuses sizes above 65535 and margins that are not finite.
func (t Trace) MarshalBinary() ([]byte, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	b := make([]byte, 0, traceHeader+4*len(t.Margins)+traceSum)
	b = append(append(b, traceMagic...), traceVersion)
	b = binary.LittleEndian.AppendUint16(b, uint16(t.Candidates))
	b = binary.LittleEndian.AppendUint16(b, uint16(t.Layers))
	for _, m := range t.Margins {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(m))
	}
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli)), nil
}

// UnmarshalBinary reads a stored trace. The error is ErrCorrupt or ErrVersion;
// t is then as it was.
func (t *Trace) UnmarshalBinary(data []byte) error {
	if len(data) < traceHeader+traceSum || string(data[:len(traceMagic)]) != traceMagic {
		return fmt.Errorf("rerank: %w: %d bytes without its header", ErrCorrupt, len(data))
	}
	body := data[:len(data)-traceSum]
	if crc32.Checksum(body, castagnoli) != binary.LittleEndian.Uint32(data[len(body):]) {
		return fmt.Errorf("rerank: %w: wrong checksum", ErrCorrupt)
	}
	if version := data[len(traceMagic)]; version != traceVersion {
		return fmt.Errorf("rerank: %w: %d instead of %d", ErrVersion, version, traceVersion)
	}
	read := Trace{
		Candidates: int(binary.LittleEndian.Uint16(data[len(traceMagic)+1:])),
		Layers:     int(binary.LittleEndian.Uint16(data[len(traceMagic)+3:])),
	}
	body = body[traceHeader:]
	if len(body) != 4*read.Candidates*read.Layers {
		return fmt.Errorf("rerank: %w: %d bytes of margins for %d candidates in %d layers",
			ErrCorrupt, len(body), read.Candidates, read.Layers)
	}
	read.Margins = make([]float32, len(body)/4)
	for i := range read.Margins {
		read.Margins[i] = math.Float32frombits(binary.LittleEndian.Uint32(body[4*i:]))
	}
	if err := read.check(); err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	*t = read
	return nil
}
