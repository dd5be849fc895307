package transformer

import (
	"context"
	"errors"

	"dowse/engine/memory"
	"dowse/models/pack"
)

// loadPack reads a whole pack into memory that is charged to the pool of
// weights; the caller frees it once the pack is closed. Mapping the file would
// cost less, but a mapped file that is cut in its place is a crash in the
// kernels, and one that is written over is another model from one token to the
// next.
func loadPack(ctx context.Context, path string, ledger *memory.Ledger) (*pack.Pack, *memory.Buffer, error) {
	var buffer *memory.Buffer
	p, err := pack.Load(ctx, path, func(size int) (room []byte, err error) {
		if buffer, err = memory.NewBuffer(ledger, WeightsPool, size); err != nil {
			return nil, err
		}
		return buffer.Bytes(), nil
	})
	if err != nil {
		return nil, nil, errors.Join(err, buffer.Free())
	}
	return p, buffer, nil
}

// openSame opens the pack at path for streaming, which must still be the one with
// this fingerprint.
func openSame(path string, sum [32]byte) (*pack.Stream, error) {
	s, err := pack.OpenStream(path)
	if err == nil && s.Fingerprint() != sum {
		return nil, errors.Join(errReplaced, s.Close())
	}
	return s, err
}

// orBackground is the context of an opening that need not have one.
func orBackground(ctx context.Context) context.Context {
	if ctx == nil {
		return context.Background()
	}
	return ctx
}

var errReplaced = errors.New("the pack was replaced while it was opened; try again")
