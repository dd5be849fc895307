package pack

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// RowOptions say how a row pack is made.
type RowOptions struct {
	GroupLayers int  // layers of a group: 1, 2, 4 or 8
	Bits        int  // of a weight: 8 or 4
	Replace     bool // a file that is at the path already
}

// WriteRows makes a row pack at path of a decoder's pack. It takes memory for the
// scales of all layers and some rows, whatever the size of the model. progress,
// when not nil, is told the bytes of the file written and in all. The file appears
// when everything is on the disk, or not at all. The error wraps os.ErrExist where
// there is a file that is not to be replaced.
func WriteRows(ctx context.Context, from *Pack, path string, o RowOptions, progress func(done, total int64)) error {
	layout, err := NewRowLayout(from.Config(), o.GroupLayers, o.Bits)
	if err != nil {
		return fmt.Errorf("write row pack: %w", err)
	}
	if _, err := os.Lstat(path); err == nil && !o.Replace {
		return fmt.Errorf("write row pack %s: %w", path, os.ErrExist)
	}
	err = Write(path, func(f *os.File) error {
		w := &rowWriter{blockFile: blockFile{f: f, progress: progress}, from: from, layout: layout}
		return w.write(ctx)
	})
	if err != nil {
		return fmt.Errorf("write row pack %s: %w", path, err)
	}
	return nil
}

// rowWriter writes one row pack.
type rowWriter struct {
	blockFile
	from   *Pack
	layout RowLayout
	layers []DecoderLayer // what stays in memory, as it becomes known
}

func (w *rowWriter) write(ctx context.Context) error {
	w.header = rowsHeaderOf(w.from, w.layout)
	tokenizer := w.from.block(tokenizerPlace)
	if err := w.plan(len(tokenizer)); err != nil {
		return err
	}
	for _, part := range []struct {
		place int
		data  []byte
	}{
		{tokenizerPlace, tokenizer}, {embeddingsPlace, w.from.block(embeddingsPlace)},
		{w.header.outputPlace(), w.from.block(w.from.header.outputPlace())},
	} {
		if err := w.copyBlock(ctx, part.place, part.data); err != nil {
			return err
		}
	}
	w.layers = make([]DecoderLayer, w.layout.Layers)
	for i := range w.layers {
		w.layers[i] = w.from.DecoderLayer(i)
	}
	for group := range w.layout.Groups() {
		for b := range Bundles {
			if err := w.bundle(ctx, group, b); err != nil {
				return err
			}
		}
	}
	if err := w.block(residentPlace, w.resident); err != nil {
		return err
	}
	return w.finish()
}

// rowsHeaderOf returns the header of a row pack without its blocks. The fingerprint
// says what the row pack computes, on which the cut into groups has no influence.
func rowsHeaderOf(from *Pack, l RowLayout) header {
	h := *from.header
	h.Blocks = nil
	sum := sha256.Sum256(fmt.Appendf(nil, "dowse rows %d\n%d bits\n%s\n", rowsVersion, l.Bits, h.Fingerprint))
	h.Rows = &rowsHeader{GroupLayers: l.GroupLayers, Bits: l.Bits, Source: h.Fingerprint}
	h.Fingerprint = hex.EncodeToString(sum[:])
	return h
}

// copyBlock writes a block of the pack as it is.
func (w *rowWriter) copyBlock(ctx context.Context, place int, data []byte) error {
	return w.block(place, func(out *blockWriter) error {
		for at := 0; at < len(data); at += rowsPiece {
			if err := ctx.Err(); err != nil {
				return err
			}
			out.write(data[at:min(at+rowsPiece, len(data))])
		}
		return nil
	})
}

// resident writes the block of what stays in memory.
func (w *rowWriter) resident(out *blockWriter) error {
	for _, l := range w.layers {
		linear := func(l *Linear) {
			out.float32s(l.In)
			out.float32s(l.Scale)
			out.float32s(l.Bias)
			out.int32s(l.ColSum)
		}
		out.float32s(l.AttentionNorm)
		linear(&l.QKV)
		if w.header.Config.QKNorm {
			out.float32s(l.QueryNorm)
			out.float32s(l.KeyNorm)
		}
		linear(&l.Output)
		out.float32s(l.MLPNorm)
		linear(&l.GateUp)
		linear(&l.Down)
	}
	return nil
}

// rowsPiece is how many bytes are written at a time.
const rowsPiece = 4 << 20

// bundle writes the records of a bundle of a group, and keeps the scales and the
// sums of columns for the block of what stays in memory.
func (w *rowWriter) bundle(ctx context.Context, group int, b Bundle) error {
	place, layers := bundlePlace(group, b), w.layout.LayersOf(group)
	coders := make([]*rowCoder, layers)
	tasks, _ := errgroup.WithContext(ctx)
	tasks.SetLimit(runtime.GOMAXPROCS(0))
	for i := range coders {
		tasks.Go(func() error {
			l := w.layers[group*w.layout.GroupLayers+i]
			coders[i] = newRowCoder(*l.Bundles()[b], w.layout.Bits)
			return ctx.Err()
		})
	}
	if err := tasks.Wait(); err != nil {
		return err
	}
	err := w.block(place, func(out *blockWriter) error {
		size, channels := w.layout.RecordBytes(group, b), w.layout.Channels[b]
		many := min(channels, max(1, rowsPiece/size))
		buffer := make([]byte, many*size)
		for from := 0; from < channels; from += many {
			to := min(from+many, channels)
			if err := encodeRecords(ctx, buffer[:(to-from)*size], coders, from, to); err != nil {
				return err
			}
			out.write(buffer[:(to-from)*size])
			if out.err != nil {
				return out.err
			}
			w.report(w.header.Blocks[place].Offset + out.at)
		}
		return nil
	})
	for i, c := range coders {
		*w.layers[group*w.layout.GroupLayers+i].Bundles()[b] = c.resident
	}
	return err
}

// encodeRecords writes the records of channels from to to-1 to dst, each layer's
// rows by one goroutine.
func encodeRecords(ctx context.Context, dst []byte, coders []*rowCoder, from, to int) error {
	tasks, ctx := errgroup.WithContext(ctx)
	tasks.SetLimit(runtime.GOMAXPROCS(0))
	size := len(dst) / (to - from)
	row := size / len(coders)
	for i, c := range coders {
		tasks.Go(func() error {
			for j := from; j < to; j++ {
				at := (j-from)*size + i*row
				c.encode(dst[at:at+row], j)
			}
			return ctx.Err()
		})
	}
	return tasks.Wait()
}
