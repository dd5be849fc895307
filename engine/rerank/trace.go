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

// Trace holds the margins of every candidate after every layer of a full pass. Candidates are
// independent, so it tells what any threshold and guards would have done.
type Trace struct {
	Candidates int
	Layers     int
	Margins    []float32 // [Layers, Candidates]
}

// check refuses invalid traces.
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

// layer returns the margins after a layer, by candidate.
func (t *Trace) layer(l int) []float32 {
	return t.Margins[l*t.Candidates : (l+1)*t.Candidates]
}

// final returns the margins after the last layer.
func (t *Trace) final() []float32 { return t.layer(t.Layers - 1) }

// Replay returns what Run would have with these options on the query of a trace, ignoring deadline
// and clock.
func Replay(t Trace, opts Options) (Result, error) {
	if err := t.check(); err != nil {
		return Result{}, err
	}
	return Run(context.Background(), playback{&t}, t.Candidates, opts.untimed())
}

// untimed returns the options without deadline and clock.
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

// A stored trace: magic, version, candidates and layers as uint16, margins as float32, CRC-32C of
// all that; little-endian. 20 candidates in 30 layers take 2412 bytes.
const (
	traceMagic   = "RTR"
	traceVersion = 1
	traceHeader  = len(traceMagic) + 1 + 2 + 2
	traceSum     = 4
)

var (
	// ErrCorrupt says that MarshalBinary cannot have written the bytes.
	ErrCorrupt = errors.New("damaged trace")
	// ErrVersion says that a trace is of another version of the format and can be thrown away.
	ErrVersion = errors.New("trace of another version")
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// MarshalBinary returns the stored form. It refuses more than 65535 candidates or layers and
// margins that are not finite.
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

// UnmarshalBinary reads the stored form. After an error t is unchanged.
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

// Recorder is a Forward that passes on to another one and records the margins of a full run as a
// Trace.
type Recorder struct {
	forward Forward
	trace   Trace
	seen    int // margins kept
}

// NewRecorder returns a Recorder for one run of n candidates.
func NewRecorder(f Forward, n int) *Recorder {
	layers := f.Layers()
	return &Recorder{forward: f, trace: Trace{Candidates: n, Layers: layers, Margins: make([]float32, n*layers)}}
}

// Layers implements Forward.
func (r *Recorder) Layers() int { return r.trace.Layers }

// Advance implements Forward.
func (r *Recorder) Advance(ctx context.Context, layer int, active []int) error {
	return r.forward.Advance(ctx, layer, active)
}

// Scores implements Forward and records.
func (r *Recorder) Scores(layer int, active []int, dst []float32) {
	r.forward.Scores(layer, active, dst)
	margins := r.trace.layer(layer)
	for i, id := range active {
		margins[id] = dst[i]
	}
	r.seen += len(active)
}

// Trace returns the recorded trace. It fails after a pruned, cut, cancelled or empty run.
func (r *Recorder) Trace() (Trace, error) {
	if want := len(r.trace.Margins); r.seen != want || want == 0 {
		return Trace{}, fmt.Errorf("rerank: %d of %d margins recorded; a trace needs a run that nothing leaves early", r.seen, want)
	}
	if err := r.trace.check(); err != nil {
		return Trace{}, err
	}
	return r.trace, nil
}
