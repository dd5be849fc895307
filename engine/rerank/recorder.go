package rerank

import (
	"context"
	"fmt"
)

// Recorder is a Forward that passes everything on to another one and keeps the
// margins it sees. Around a full run (threshold +Inf) it records a Trace.
type Recorder struct {
	forward Forward
	trace   Trace
	seen    int // margins kept
}

// NewRecorder returns a Recorder around the forward pass of n candidates. It
// serves one run.
func NewRecorder(f Forward, n int) *Recorder {
	layers := f.Layers()
	return &Recorder{forward: f, trace: Trace{Candidates: n, Layers: layers, Margins: make([]float32, n*layers)}}
}

// Layers is that of the recorded Forward.
func (r *Recorder) Layers() int { return r.trace.Layers }

// Advance is that of the recorded Forward.
func (r *Recorder) Advance(ctx context.Context, layer int, active []int) error {
	return r.forward.Advance(ctx, layer, active)
}

// Scores is that of the recorded Forward; the scores are kept.
func (r *Recorder) Scores(layer int, active []int, dst []float32) {
	r.forward.Scores(layer, active, dst)
	margins := r.trace.layer(layer)
	for i, id := range active {
		margins[id] = dst[i]
	}
	r.seen += len(active)
}

// Trace returns what was recorded. It fails if the run was not a full one:
// pruned, cut, cancelled, or without any layer.
func (r *Recorder) Trace() (Trace, error) {
	if want := len(r.trace.Margins); r.seen != want || want == 0 {
		return Trace{}, fmt.Errorf("rerank: %d of %d margins recorded; a trace needs a run that nothing leaves early", r.seen, want)
	}
	if err := r.trace.check(); err != nil {
		return Trace{}, err
	}
	return r.trace, nil
}
