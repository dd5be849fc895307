package transformer

import (
	"context"
	"errors"
	"time"
)

// ReadGroup reads the keys and values of a group of layers of a chunk into dst, which
// is as long as they are at the chunk's level (see kv.Shape.GroupBytes).
type ReadGroup func(ctx context.Context, chunk, group int, dst []byte) error

// RestoreStats counts what brought chunks back.
type RestoreStats struct {
	Read     int   // chunks
	Bytes    int64 // read
	Computed int   // chunks, the failed ones among them
	Tokens   int   // of them
	Failed   int   // chunks that could not be read

	Stalls    int           // how often compute waited for a read
	Stalled   time.Duration // all in all
	Reading   time.Duration
	Computing time.Duration // without the time stalled
}

// Restore brings the missing chunks of a sequence back: those in compute are computed
// again from their tokens, the others read, a group of layers at a time, ahead of the
// layers whose compute needs them. A chunk that cannot be read is computed too. With a
// nil read all are computed.
//
// What is computed at Level8, with every chunk before it at Level8, has the bits that it
// had first. Chunks that are read come back at their Level, computed ones at Level8.
// After an error the chunks that were missing are.
func (d *Decoder) Restore(ctx context.Context, s *Sequence, compute []int, read ReadGroup) (RestoreStats, error) {
	return RestoreStats{}, errors.New("to be written")
}
