package pack

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"

	"dowse/models/pack/directio"
)

// rowsVersion grows with every change that an older reader would misread.
//
//	1: each bundle's records had the rows of all layers of a group.
//	2: those of output and down have one layer's.
const rowsVersion = 2

// rowsMeaning grows with every change of what a row pack computes, wherever its rows lie.
const rowsMeaning = 1

// rowsKind is the kind of row packs, which are repaired by converting the model again.
var rowsKind = fileKind{
	magic: "dowserow", version: rowsVersion,
	foreign:   errors.New("an ordinary pack, and not a row pack"),
	truncated: rowsError{"the row pack is cut short: run dowse models swap again", ErrTruncated},
	corrupt:   rowsError{"the row pack is damaged: run dowse models swap again", ErrCorrupt},
	outdated:  rowsError{"a row pack of another version of dowse, whose rows lie in another order: run dowse models swap again, or, if its ordinary form is gone, pull or add the model again", errVersion},
}

// rowsError is an error about packs, in the words of row packs.
type rowsError struct {
	text string
	of   error
}

func (e rowsError) Error() string { return e.text }
func (e rowsError) Unwrap() error { return e.of }

// Rows reads a row pack: a decoder whose weights are read row by row, past the page cache
// where possible. ReadResident reads the layers without weights, ReadRecords, ReadRow and
// ReadBundle the weights; all else is as in Stream. It goes on reading the file that it
// opened when another takes its name. Its methods may be called from several goroutines;
// Close must come last.
type Rows struct {
	pieces
	layout RowLayout
}

// OpenRows opens a row pack and checks its header and size as Open does that of a
// pack, with the same errors.
func OpenRows(path string) (*Rows, error) {
	p, err := openPieces(path, rowsKind)
	if err != nil {
		return nil, err
	}
	h := p.header.Rows
	layout, err := NewRowLayout(p.Config(), h.GroupLayers, h.Bits) // known to be sound: the header was checked
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open pack %s: %w", path, err), p.Close())
	}
	return &Rows{pieces: p, layout: layout}, nil
}

// IsRows reports whether the file at path is a row pack, by how it starts.
func IsRows(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, fmt.Errorf("open pack: %w", err)
	}
	start := make([]byte, len(rowsKind.magic))
	_, err = io.ReadFull(f, start)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil // too short for either kind
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return false, fmt.Errorf("open pack %s: %w", path, err)
	}
	return bytes.Equal(start, []byte(rowsKind.magic)), nil
}

// Layout returns where the rows lie.
func (r *Rows) Layout() RowLayout { return r.layout }

// Source returns the fingerprint of the pack that the row pack was made from, whose
// adapters fit it.
func (r *Rows) Source() (sum [32]byte) {
	sum, _ = decodeSum(r.header.Rows.Source) // known to be sound: the header was checked
	return sum
}

// ResidentBuffer returns the bytes of a buffer for ReadResident, a multiple of 4096.
func (r *Rows) ResidentBuffer() int {
	return int(align(r.header.Blocks[residentPlace].Length, blockAlign))
}

// ReadResident reads the layers without Weights into a buffer of ResidentBuffer bytes that
// starts at a multiple of 4096, and returns views of it.
func (r *Rows) ReadResident(buffer []byte) ([]DecoderLayer, error) {
	layers, err := readViews(&r.pieces, residentPlace, buffer, (*cursor).resident)
	for i := range layers {
		for _, p := range layers[i].Bundles() {
			p.Bits = r.layout.Bits
		}
	}
	return layers, err
}

// ReadRecords reads the records that have a layer's rows of channels from to to-1 of a
// bundle at once, into a buffer of RecordsBuffer bytes that starts at a multiple of
// 4096, and returns where they lie in it, one after the other. They are not compared
// with a checksum; Verify and ReadBundle do that. A file that was cut meanwhile is an
// error that wraps ErrTruncated.
func (r *Rows) ReadRecords(layer int, b Bundle, from, to int, buffer []byte) ([]byte, error) {
	if err := r.layout.checkRecords(layer, b, from, to); err != nil {
		return nil, fmt.Errorf("read records: %w", err)
	}
	first := r.layout.recordOffset(layer, b, from)
	return r.readPart(layer, b, first, r.layout.recordOffset(layer, b, to), buffer)
}

// ReadRow reads the row of one layer and input channel alone, otherwise as ReadRecords.
func (r *Rows) ReadRow(layer int, b Bundle, channel int, buffer []byte) ([]byte, error) {
	if err := r.layout.checkRecords(layer, b, channel, channel+1); err != nil {
		return nil, fmt.Errorf("read row: %w", err)
	}
	at := r.layout.RowOffset(layer, b, channel)
	return r.readPart(layer, b, at, at+int64(r.layout.RowBytes(b)), buffer)
}

// readPart reads the bytes from first to last-1 of the bundle that has a layer's rows,
// with those of the pages in which they start and end.
func (r *Rows) readPart(layer int, b Bundle, first, last int64, buffer []byte) ([]byte, error) {
	group := layer / r.layout.GroupLayers
	page := first &^ (blockAlign - 1)
	end := align(last, blockAlign) - page
	if int64(len(buffer)) < end {
		return nil, fmt.Errorf("read rows: a buffer of %d bytes for %d", len(buffer), end)
	}
	if err := r.read(buffer[:end], r.header.Blocks[bundlePlace(group, b)].Offset+page); err != nil {
		return nil, fmt.Errorf("rows of %s: %w", bundleBlock(group, b), err)
	}
	return buffer[first-page : last-page : last-page], nil
}

// ReadBundle reads all records of a bundle of a group into a buffer of BundleBuffer
// bytes that starts at a multiple of 4096, and compares their checksum. The error
// wraps ErrTruncated or ErrCorrupt when the file is no longer what was opened.
func (r *Rows) ReadBundle(group int, b Bundle, buffer []byte) ([]byte, error) {
	if group < 0 || group >= r.layout.Groups() || b < 0 || b >= Bundles {
		return nil, fmt.Errorf("read bundle: %v of group %d of %d", b, group, r.layout.Groups())
	}
	return r.readBlock(bundlePlace(group, b), buffer)
}

// verifyPiece is how many bytes Verify reads at a time.
const verifyPiece = 1 << 20

// Verify reads the whole file and compares the checksum of every block, as that of
// Pack does.
func (r *Rows) Verify(ctx context.Context) error {
	buffer := directio.AlignedBytes(verifyPiece)
	for i, b := range r.header.Blocks {
		sum := uint32(0)
		for at := int64(0); at < b.Length; at += verifyPiece {
			if err := ctx.Err(); err != nil {
				return err
			}
			n := min(verifyPiece, b.Length-at)
			if err := r.read(buffer[:align(n, blockAlign)], b.Offset+at); err != nil {
				return fmt.Errorf("block %s: %w", b.Name, err)
			}
			sum = crc32.Update(sum, castagnoli, buffer[:n])
		}
		if sum != r.header.Blocks[i].CRC {
			return fmt.Errorf("%w: the checksum of block %s differs", rowsKind.corrupt, b.Name)
		}
	}
	return nil
}
