package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"dowse/engine"
	"dowse/engine/rerank"
	"dowse/internal/home"
	"dowse/models"
)

// tuning chooses how hard reranking prunes: what traces of this person's own
// queries allow, and nothing until there are enough of them. Traces and
// thresholds lie in a folder, two files for each rerank.Key.
type tuning struct {
	folder string
	model  string // names the weights in keys
	base   rerank.Options
	target float64 // agreement with the full pass to hold
	rate   float64 // share of queries that leave a trace
	seed   uint64

	mu    sync.Mutex
	known map[rerank.Key]*tuned
}

// tuned is what is known of one key.
type tuned struct {
	Traces    int     `json:"traces"`
	Tau       float64 `json:"tau"`
	MinLayers int     `json:"min_layers"`
	Agreement float64 `json:"agreement"`
	Cost      float64 `json:"cost"`
}

// sampleRate is the share of queries whose full pass is traced.
const sampleRate = 0.05

// tuningSeed is of the bootstrap, so that the same traces give the same
// threshold.
const tuningSeed = 20261121

func newTuning(folder, model string, base rerank.Options, target float64) *tuning {
	return &tuning{folder: folder, model: model, base: base, target: target, rate: sampleRate, seed: tuningSeed, known: map[rerank.Key]*tuned{}}
}

// options are those for n candidates of which k are wanted.
func (t *tuning) options(n, k int) rerank.Options {
	opts := t.base
	opts.K = max(k, 1)
	if c := t.of(rerank.KeyOf(t.model, opts.Domain, n, opts.K)); c != nil {
		opts.Tau, opts.Guards.MinLayers = c.Tau, max(opts.Guards.MinLayers, c.MinLayers)
	}
	return opts
}

// of returns what is known of a key, nil where that is not enough to prune.
// What cannot be read counts as unknown: then nothing is pruned.
func (t *tuning) of(key rerank.Key) *tuned {
	t.mu.Lock()
	defer t.mu.Unlock()
	c, loaded := t.known[key]
	if !loaded {
		c = &tuned{}
		data, err := os.ReadFile(t.path(key, "json"))
		if err != nil || json.Unmarshal(data, c) != nil || c.Tau < 0 || c.MinLayers < 0 {
			c = nil
		}
		t.known[key] = c
	}
	return c
}

// path is where the file of a key lies.
func (t *tuning) path(key rerank.Key, kind string) string {
	return filepath.Join(t.folder, strings.NewReplacer(" ", "_", "%", "").Replace(key.String())+"."+kind)
}

// sampled is a pass that is being traced.
type sampled struct {
	recorder *rerank.Recorder
	key      rerank.Key
	n        int
}

// sample decides whether a query is traced: nil if not. One under a deadline
// is not, because a trace needs all layers.
func (t *tuning) sample(n int, job engine.RerankJob) *sampled {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !job.Deadline.IsZero() || n <= job.K || !job.Trace && rand.Float64() >= t.rate {
		return nil
	}
	return &sampled{key: rerank.KeyOf(t.model, t.base.Domain, n, max(job.K, 1)), n: n}
}

// record wraps the pass.
func (s *sampled) record(f rerank.Forward) rerank.Forward {
	s.recorder = rerank.NewRecorder(f, s.n)
	return s.recorder
}

// keep adds a trace to those of its key. A search does not fail for want of a
// sample: after an error, such as a full disk, the next one is tried again.
func (t *tuning) keep(ctx context.Context, s *sampled, k int) error {
	trace, err := s.recorder.Trace()
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.add(ctx, s, trace, k)
}

// Pauses while another process writes traces, which takes milliseconds.
const (
	tracesPatience = 500 * time.Millisecond
	tracesPause    = 5 * time.Millisecond
)

// lock waits for other processes that write to the folder.
func (t *tuning) lock(ctx context.Context) (unlock func() error, err error) {
	if err := home.MakePrivate(t.folder); err != nil {
		return nil, err
	}
	for deadline := time.Now().Add(tracesPatience); ; {
		unlock, held, err := models.TryLock(filepath.Join(t.folder, "lock"))
		if err != nil || held {
			return unlock, err
		}
		if time.Now().After(deadline) {
			return nil, errors.New("another process keeps the reranker's samples locked")
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(tracesPause):
		}
	}
}

// add writes the traces of a key anew with one more and, at every tenth,
// calibrates. The caller holds t.mu.
func (t *tuning) add(ctx context.Context, s *sampled, trace rerank.Trace, k int) (err error) {
	unlock, err := t.lock(ctx)
	if err != nil {
		return fmt.Errorf("the reranker's samples cannot be kept: %w", err)
	}
	defer func() { err = errors.Join(err, unlock()) }()
	traces, err := t.traces(s.key)
	if err != nil {
		return err
	}
	traces = append(traces, trace)
	traces = traces[max(0, len(traces)-rerank.MaxTraces):]
	if err := t.write(s.key, "traces", encodeTraces(traces)); err != nil {
		return err
	}
	if len(traces) < rerank.MinTraces || len(traces)%10 != 0 {
		return nil
	}
	_, err = t.calibrate(ctx, s.key, traces, k)
	return err
}

// calibrate chooses the threshold of a key and notes it where it prunes.
func (t *tuning) calibrate(ctx context.Context, key rerank.Key, traces []rerank.Trace, k int) (rerank.Calibration, error) {
	opts := t.base
	opts.K = k
	c, err := rerank.Calibrate(ctx, traces, opts, t.target, t.seed)
	if err != nil {
		return c, err
	}
	if exact := c.Cost >= 1 || len(traces) < rerank.MinTraces; exact {
		t.known[key] = nil
		if err := os.Remove(t.path(key, "json")); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return c, err
		}
		return c, nil
	}
	known := &tuned{Traces: c.Traces, Tau: c.Tau, MinLayers: c.MinLayers, Agreement: c.Agreement, Cost: c.Cost}
	t.known[key] = known
	data, err := json.Marshal(known)
	if err != nil {
		return c, fmt.Errorf("threshold of %s: %w", key, err)
	}
	return c, t.write(key, "json", data)
}

// traces reads those of a key. Damaged ones are dropped: they are samples.
func (t *tuning) traces(key rerank.Key) ([]rerank.Trace, error) {
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
func (t *tuning) write(key rerank.Key, kind string, data []byte) error {
	if err := replaceFile(t.path(key, kind), data); err != nil {
		return fmt.Errorf("the reranker's samples cannot be kept: %w", err)
	}
	return nil
}

// replaceFile writes a file of the cache at once or not at all.
func replaceFile(path string, data []byte) error {
	if err := home.MakePrivate(filepath.Dir(path)); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.new") // of mode 0600
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}
