package crossencoder

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"dowse/engine/opened"
	"dowse/engine/rerank"
	"dowse/internal/home"
	"dowse/models"
)

// chooseEvery is after how many new traces a threshold is chosen again.
const chooseEvery = 10

// keep adds a trace, of a query that wants the best k, to those of its key, and
// chooses the threshold again now and then. After an error, such as a full disk,
// the trace is lost. One that ctx ends while it chooses is kept, and the next
// one chooses.
func (t *Tuning) keep(ctx context.Context, trace rerank.Trace, k int) error {
	t.keeping.Lock()
	defer t.keeping.Unlock()
	return t.add(ctx, t.Key(trace.Candidates, k), trace, k)
}

// Pauses while another process writes traces, which takes milliseconds, or
// chooses by them, which takes a second. No search waits for it.
const (
	tracesPatience = 10 * time.Second
	tracesPause    = 5 * time.Millisecond
)

// lock waits for other processes that write to the folder.
func (t *Tuning) lock(ctx context.Context) (unlock func() error, err error) {
	if err := home.MakePrivate(t.folder); err != nil {
		return nil, err
	}
	unlock, err = models.Lock(ctx, filepath.Join(t.folder, "lock"), tracesPatience, tracesPause)
	if errors.Is(err, models.ErrLocked) {
		return nil, errors.New("another process keeps the reranker's samples locked")
	}
	return unlock, err
}

// add writes the traces of a key anew with one more.
func (t *Tuning) add(ctx context.Context, key rerank.Key, trace rerank.Trace, k int) (err error) {
	unlock, err := t.lock(ctx)
	if err != nil {
		return fmt.Errorf("the reranker's samples cannot be kept: %w", err)
	}
	defer func() { err = errors.Join(err, unlock()) }()
	traces, err := t.Traces(key)
	if err != nil {
		return err
	}
	traces = append(traces, trace)
	traces = traces[max(0, len(traces)-rerank.MaxTraces):]
	if err := t.write(key, "traces", encodeTraces(traces)); err != nil {
		return err
	}
	t.fresh[key]++
	if len(traces) < rerank.MinTraces || len(traces) > rerank.MinTraces && t.fresh[key] < chooseEvery {
		return nil
	}
	if _, _, err := t.calibrate(ctx, key, traces, k); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	t.fresh[key] = 0
	return nil
}

// Traces reads those of a key. Damaged ones are dropped: they are samples.
func (t *Tuning) Traces(key rerank.Key) ([]rerank.Trace, error) {
	data, err := os.ReadFile(t.path(key, "traces"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the reranker's samples cannot be read: %w", err)
	}
	return decodeTraces(data), nil
}

// write replaces a file at once.
func (t *Tuning) write(key rerank.Key, kind string, data []byte) error {
	if err := opened.Keep(t.path(key, kind), data); err != nil {
		return fmt.Errorf("the reranker's samples cannot be kept: %w", err)
	}
	return nil
}
