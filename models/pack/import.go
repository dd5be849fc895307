package pack

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
)

// Import makes a pack at dst of the Hugging Face folder. It refuses by name an
// architecture, activation, tensor type or tokenizer that it does not know.
// progress, when not nil, is told the bytes of the pack written and in all. dst
// is replaced at once when everything is on the disk, or not at all.
func Import(ctx context.Context, folder, dst string, progress func(done, total int64)) error {
	s, err := openSource(folder)
	if err != nil {
		return fmt.Errorf("import %s: %w", folder, err)
	}
	err = writeAtomically(dst, func(f *os.File) error {
		w := &writer{ctx: ctx, f: f, source: s, progress: progress}
		return w.write()
	})
	if err := errors.Join(err, s.close()); err != nil {
		return fmt.Errorf("import %s: %w", folder, err)
	}
	return nil
}

// writeAtomically gives write a temporary file beside dst, and renames it to
// dst once it is on the disk.
func writeAtomically(dst string, write func(*os.File) error) error {
	folder := filepath.Dir(dst)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(folder, "."+filepath.Base(dst)+".*.tmp")
	if err != nil {
		return err
	}
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Chmod(f.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(f.Name(), dst)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return syncFolder(folder)
}

// writer writes one pack, block by block, and the header last.
type writer struct {
	ctx      context.Context
	f        *os.File
	source   *source
	progress func(done, total int64)
	header   header
	total    int64
}

func (w *writer) write() error {
	sum, err := w.source.fingerprint()
	if err != nil {
		return err
	}
	compact := w.source.tokenizer.AppendCompact(nil)
	w.header = header{Config: w.source.config, Fingerprint: hex.EncodeToString(sum)}
	w.plan(len(compact))
	if err := w.block(tokenizerPlace, compact); err != nil {
		return err
	}
	if err := w.embeddings(); err != nil {
		return err
	}
	for i := range w.source.config.Layers {
		if err := w.layer(i); err != nil {
			return err
		}
	}
	if w.source.config.Head != NoHead {
		if err := w.head(); err != nil {
			return err
		}
	}
	text, err := w.header.encode(w.total)
	if err != nil {
		return err
	}
	if int64(len(text)) > w.header.Blocks[0].Offset {
		return fmt.Errorf("a header of %d bytes overruns its place", len(text))
	}
	_, err = w.f.WriteAt(text, 0)
	return err
}

// plan lays the blocks out after room for the header.
func (w *writer) plan(tokenizerLength int) {
	w.header.Blocks = blockSizes(w.source.config)
	w.header.Blocks[tokenizerPlace].Length = int64(tokenizerLength)
	const perBlock = 128 // more than a directory entry takes
	at := align(fixedHeader+1024+perBlock*int64(len(w.header.Blocks)), blockAlign)
	for i := range w.header.Blocks {
		b := &w.header.Blocks[i]
		b.Offset = at
		at = align(at+b.Length, blockAlign)
	}
	w.total = at
}

// block writes block i and its padding.
func (w *writer) block(i int, data []byte) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	b := &w.header.Blocks[i]
	b.CRC = crc32.Checksum(data, castagnoli)
	if _, err := w.f.WriteAt(data, b.Offset); err != nil {
		return err
	}
	end := align(b.Offset+b.Length, blockAlign)
	padding := make([]byte, end-b.Offset-b.Length)
	if _, err := w.f.WriteAt(padding, b.Offset+b.Length); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if w.progress != nil {
		w.progress(end, w.total)
	}
	return nil
}
