package transformer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"dowse/engine/kv"
)

// RestoreStats counts what brought chunks back.
type RestoreStats struct {
	Read    int           // chunks
	Reads   int           // groups of layers of them
	Bytes   int64         // of what was read
	Reading time.Duration // from the first read to the end of the last one

	Computed  int           // chunks
	Failed    int           // of Computed, could not be read
	Tokens    int           // that were computed, again after a failed read
	Positions int64         // that these tokens attended to
	Computing time.Duration // without the time stalled
	Stalls    int           // how often a layer waited for what is read
	Stalled   time.Duration
}

// Restore brings the missing chunks of a sequence back: chunks in compute are computed again
// from their tokens, the others read, a group of layers at a time, ahead of the layers that
// need them. A chunk that cannot be read is computed too; with a nil read all are.
//
// Computed chunks have the bits that they had first, if every chunk before is at kv.Level8.
// Chunks that are read come back at their Level, the others at kv.Level8. After an error the
// same chunks are missing as before.
func (d *Decoder) Restore(ctx context.Context, s *Sequence, compute []int, read ReadGroup) (RestoreStats, error) {
	if s.owner != d {
		return RestoreStats{}, errors.New("the sequence is that of another decoder")
	}
	r := &restore{decoder: d, sequence: s, read: read, missing: s.MissingChunks()}
	for _, i := range r.missing {
		r.levels = append(r.levels, s.Level(i))
		if read == nil || slices.Contains(compute, i) {
			r.compute = append(r.compute, i)
			continue
		}
		r.reads = append(r.reads, i)
	}
	for _, i := range compute {
		if !slices.Contains(r.missing, i) {
			return RestoreStats{}, fmt.Errorf("chunk %d of %d is to be computed, but is not missing", i, s.Chunks())
		}
	}
	if len(r.missing) == 0 {
		return RestoreStats{}, nil
	}
	s.DropTree()
	err := r.run(ctx)
	if err != nil {
		err = errors.Join(fmt.Errorf("restore %d chunks of keys and values: %w", len(r.missing), err), r.undo())
	}
	return r.stats, err
}

// restore is a Restore under way.
type restore struct {
	decoder  *Decoder
	sequence *Sequence
	read     ReadGroup
	missing  []int      // at the beginning
	levels   []kv.Level // of these
	reads    []int      // of missing, read
	compute  []int      // the others, ascending
	reader   *chunkReader
	stats    RestoreStats
}

// errUnread ends a pass that needs a chunk that could not be read.
var errUnread = errors.New("a chunk could not be read")

// run takes memory for all chunks, starts to read, and computes. Where nothing is
// computed, others may use the decoder meanwhile.
func (r *restore) run(ctx context.Context) error {
	if err := r.place(ctx); err != nil {
		return err
	}
	r.reader = readChunks(ctx, r.sequence.Cache, r.reads, len(r.compute) > 0, r.read)
	defer r.reader.end()
	var err error
	if len(r.compute) > 0 {
		err = r.computed(ctx)
	}
	if err == nil || errors.Is(err, errUnread) {
		failed := r.reader.finish()
		if err = ctx.Err(); err == nil && len(failed) > 0 {
			err = r.fault(ctx, failed)
		}
	}
	r.reader.end()
	r.count()
	return err
}

// place takes the memory of all missing chunks.
func (r *restore) place(ctx context.Context) error {
	d, s := r.decoder, r.sequence
	if err := d.enter(ctx); err != nil {
		return err
	}
	defer d.leave()
	held := s.HeldWith(s.Len())
	if err := errors.Join(d.follow(held, 0), d.makeRoom(held, 0)); err != nil {
		return err
	}
	for i, chunk := range r.missing {
		level := r.levels[i]
		if slices.Contains(r.compute, chunk) {
			level = kv.Level8
		}
		if _, err := s.Place(chunk, level); err != nil {
			return err
		}
	}
	return nil
}

// fault computes the chunks that could not be read, and again all that may depend on them.
func (r *restore) fault(ctx context.Context, failed []int) error {
	r.stats.Failed = len(failed)
	for _, i := range failed {
		if r.sequence.Level(i) == kv.Level8 {
			continue
		}
		if err := r.sequence.Drop(i); err != nil {
			return err
		}
		if _, err := r.sequence.Place(i, kv.Level8); err != nil {
			return err
		}
	}
	r.compute = append(r.compute, failed...)
	slices.Sort(r.compute)
	return r.computed(ctx)
}

// count fills in what can be counted at the end.
func (r *restore) count() {
	r.stats.Read = len(r.reads) - r.stats.Failed
	r.stats.Computed = len(r.compute)
	r.stats.Reads, r.stats.Bytes, r.stats.Reading = r.reader.reads, r.reader.bytes, r.reader.took
}

// undo makes the same chunks missing as before.
func (r *restore) undo() error {
	var err error
	for i, chunk := range r.missing {
		if !r.sequence.Missing(chunk) {
			err = errors.Join(err, r.sequence.Drop(chunk))
		}
		err = errors.Join(err, r.sequence.SetLevel(chunk, r.levels[i]))
	}
	return err
}
