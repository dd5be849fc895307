package pack

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"
)

// RowOptions say how a row pack is made.
type RowOptions struct {
	GroupLayers int  // layers of a group: 1, 2, 4 or 8
	Bits        int  // of a weight: 8 or 4
	Replace     bool // a file that is at the path already
}

// WriteRows makes a row pack at path of a decoder's pack. progress, unless nil, is told the
// bytes of the file written and in all. The file appears complete or not at all. The error
// wraps os.ErrExist if there is a file and o does not replace it.
func WriteRows(ctx context.Context, from *Pack, path string, o RowOptions, progress func(done, total int64)) error {
	return writeRows(ctx, packRows{from}, path, o, progress)
}

// rowSource is a model that a row pack is made from.
type rowSource interface {
	header() header // without Rows
	tokenizer() []byte
	embeddings(ctx context.Context, out *blockWriter) error
	output(ctx context.Context, out *blockWriter) error
	layer(i int) DecoderLayer // norms and biases; other parts may be missing
	// rows returns the encoder of a projection's rows. Each row is encoded once, in
	// order.
	rows(layer int, b Bundle, l RowLayout) rowEncoder
}

// rowEncoder writes the rows of one layer's projection.
type rowEncoder interface {
	encode(dst []byte, channel int)
	// linear returns all but the weights, once every row is encoded.
	linear() Linear
}

func writeRows(ctx context.Context, from rowSource, path string, o RowOptions, progress func(done, total int64)) error {
	h := from.header()
	layout, err := NewRowLayout(h.Config, o.GroupLayers, o.Bits)
	if err != nil {
		return fmt.Errorf("write row pack: %w", err)
	}
	if _, err := os.Lstat(path); err == nil && !o.Replace {
		return fmt.Errorf("write row pack %s: %w", path, os.ErrExist)
	}
	err = Write(path, func(f *os.File) error {
		w := &rowWriter{blockFile: blockFile{f: f, progress: progress, header: h}, from: from, layout: layout}
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
	from   rowSource
	layout RowLayout
	layers []DecoderLayer // of the block "resident", as it becomes known
}

func (w *rowWriter) write(ctx context.Context) error {
	w.identify()
	tokenizer := w.from.tokenizer()
	if err := w.plan(len(tokenizer)); err != nil {
		return err
	}
	err := w.block(tokenizerPlace, func(out *blockWriter) error { out.write(tokenizer); return nil })
	if err != nil {
		return err
	}
	err = w.block(embeddingsPlace, func(out *blockWriter) error { return w.from.embeddings(ctx, out) })
	if err != nil {
		return err
	}
	w.layers = make([]DecoderLayer, w.layout.Layers)
	for i := range w.layers {
		w.layers[i] = w.from.layer(i)
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
	err = w.block(w.header.outputPlace(), func(out *blockWriter) error { return w.from.output(ctx, out) })
	if err != nil {
		return err
	}
	return w.finish()
}

// identify fills in the header of a row pack. Its fingerprint names what is computed, which
// does not depend on the cut into groups.
func (w *rowWriter) identify() {
	h := &w.header
	sum := sha256.Sum256(fmt.Appendf(nil, "dowse rows %d\n%d bits\n%s\n", rowsMeaning, w.layout.Bits, h.Fingerprint))
	h.Rows = &rowsHeader{GroupLayers: w.layout.GroupLayers, Bits: w.layout.Bits, Source: h.Fingerprint}
	h.Fingerprint = hex.EncodeToString(sum[:])
}

// resident writes the block "resident".
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
		if w.header.Config.Gemma.used() {
			out.float32s(l.AttentionOutputNorm)
		}
		out.float32s(l.MLPNorm)
		linear(&l.GateUp)
		linear(&l.Down)
		if w.header.Config.Gemma.used() {
			out.float32s(l.MLPOutputNorm)
		}
	}
	return nil
}

// rowsPiece is how many bytes are written at a time.
const rowsPiece = 4 << 20

// bundle writes the records of a bundle of a group, and keeps scales and sums of columns
// for the block "resident".
func (w *rowWriter) bundle(ctx context.Context, group int, b Bundle) error {
	place, layers := bundlePlace(group, b), w.layers[group*w.layout.GroupLayers:][:w.layout.LayersOf(group)]
	encoders := make([]rowEncoder, len(layers))
	tasks, _ := errgroup.WithContext(ctx)
	tasks.SetLimit(runtime.GOMAXPROCS(0))
	for i := range encoders {
		tasks.Go(func() error {
			encoders[i] = w.from.rows(group*w.layout.GroupLayers+i, b, w.layout)
			return ctx.Err()
		})
	}
	if err := tasks.Wait(); err != nil {
		return err
	}
	err := w.block(place, func(out *blockWriter) error {
		for of := range slices.Chunk(encoders, w.layout.RecordLayers(group, b)) {
			if err := w.records(ctx, out, place, of, w.layout.RecordBytes(group, b), w.layout.Channels[b]); err != nil {
				return err
			}
		}
		return nil
	})
	for i, e := range encoders {
		*layers[i].Bundles()[b] = e.linear()
	}
	return err
}

// records writes the records, of size bytes, of the layers of some encoders.
func (w *rowWriter) records(ctx context.Context, out *blockWriter, place int, of []rowEncoder, size, channels int) error {
	many := min(channels, max(1, rowsPiece/size))
	buffer := make([]byte, many*size)
	for from := 0; from < channels; from += many {
		to := min(from+many, channels)
		if err := encodeRecords(ctx, buffer[:(to-from)*size], of, from, to); err != nil {
			return err
		}
		out.write(buffer[:(to-from)*size])
		if out.err != nil {
			return out.err
		}
		w.report(w.header.Blocks[place].Offset + out.at)
	}
	return nil
}

// encodeRecords writes the records of channels from to to-1 to dst, each layer's
// rows by one goroutine.
func encodeRecords(ctx context.Context, dst []byte, encoders []rowEncoder, from, to int) error {
	tasks, ctx := errgroup.WithContext(ctx)
	tasks.SetLimit(runtime.GOMAXPROCS(0))
	size := len(dst) / (to - from)
	row := size / len(encoders)
	for i, e := range encoders {
		tasks.Go(func() error {
			for j := from; j < to; j++ {
				at := (j-from)*size + i*row
				e.encode(dst[at:at+row], j)
			}
			return ctx.Err()
		})
	}
	return tasks.Wait()
}
