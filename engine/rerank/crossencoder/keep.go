package crossencoder

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"dowse/engine/opened"
	"dowse/engine/rerank"
	"dowse/internal/home"
	"dowse/models"
)

// chooseEvery is the number of new traces between calibrations.
const chooseEvery = 10

// keep stores a trace of a query for the best k and calibrates now and then. After an error, such
// as a full disk, the trace is lost. If ctx ends meanwhile, the next trace calibrates.
func (t *Tuning) keep(ctx context.Context, trace rerank.Trace, k int) error {
	t.keeping.Lock()
	defer t.keeping.Unlock()
	return t.add(ctx, t.Key(trace.Candidates, k), trace, k)
}

// Waiting for another process, which writes traces in milliseconds or calibrates in a second.
// Searches do not wait for it.
const (
	tracesPatience = 10 * time.Second
	tracesPause    = 5 * time.Millisecond
)

// lock locks the folder against other processes.
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

// add adds a trace to those of a key.
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

// Traces reads the traces of a key, without damaged ones.
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

// write atomically replaces a file.
func (t *Tuning) write(key rerank.Key, kind string, data []byte) error {
	if err := opened.Keep(t.path(key, kind), data); err != nil {
		return fmt.Errorf("the reranker's samples cannot be kept: %w", err)
	}
	return nil
}

// traceMark begins each trace in a file, followed by its length and CRC-32, so that traces behind
// a damaged one are found.
var traceMark = []byte("\xf7trace\x01\n")

func encodeTraces(traces []rerank.Trace) []byte {
	var out []byte
	for _, t := range traces {
		data, err := t.MarshalBinary()
		if err != nil {
			continue // unusable for calibration too
		}
		out = append(out, traceMark...)
		out = binary.LittleEndian.AppendUint32(out, uint32(len(data)))
		out = binary.LittleEndian.AppendUint32(out, crc32.ChecksumIEEE(data))
		out = append(out, data...)
	}
	return out
}

// decodeTraces reverses encodeTraces and skips damage.
func decodeTraces(data []byte) (traces []rerank.Trace) {
	for {
		at := bytes.Index(data, traceMark)
		if at < 0 {
			return traces
		}
		data = data[at+len(traceMark):]
		if len(data) < 8 {
			return traces
		}
		size, sum := binary.LittleEndian.Uint32(data), binary.LittleEndian.Uint32(data[4:])
		if uint64(size) > uint64(len(data)-8) || crc32.ChecksumIEEE(data[8:8+size]) != sum {
			continue // the next mark may be within the claimed length
		}
		var t rerank.Trace
		if t.UnmarshalBinary(data[8:8+size]) == nil {
			traces = append(traces, t)
		}
		data = data[8+size:]
	}
}
