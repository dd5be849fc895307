package pack

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"dowse/internal/atomicfile"
	"dowse/models/prompt"
)

// Import is ImportWith without prompts.
func Import(ctx context.Context, path, dst string, progress func(done, total int64)) error {
	return ImportWith(ctx, path, dst, prompt.Embedding{}, progress)
}

// ImportWith makes a pack at dst of a Hugging Face folder or GGUF file at path. It refuses by
// name an architecture, activation, tensor type or tokenizer that it does not know. usual
// are the prompts of a model of vectors whose files name none. progress, unless nil, is told
// the bytes of the pack written and in all. dst is replaced when the pack is complete, or
// not at all.
func ImportWith(ctx context.Context, path, dst string, usual prompt.Embedding, progress func(done, total int64)) error {
	s, err := openSource(path)
	if err != nil {
		return fmt.Errorf("import %s: %w", path, err)
	}
	if c := &s.config; c.Dim() > 0 && c.QueryPrompt == "" && c.PassagePrompt == "" {
		c.QueryPrompt, c.PassagePrompt = usual.Query, usual.Passage
	}
	err = Write(dst, func(f *os.File) error {
		w := &writer{blockFile: blockFile{f: f, progress: progress}, source: s}
		return w.write(ctx)
	})
	if err := errors.Join(err, s.close()); err != nil {
		return fmt.Errorf("import %s: %w", path, err)
	}
	return nil
}

// Write makes the file dst with atomicfile, and its folder. Everybody may read a pack.
func Write(dst string, write func(*os.File) error) error {
	if err := os.MkdirAll(filepath.Dir(dst), 0o755); err != nil {
		return err
	}
	return atomicfile.Write(dst, 0o644, write)
}

// writer writes one pack, block by block, and the header last.
type writer struct {
	blockFile
	source *source
}

func (w *writer) write(ctx context.Context) error {
	sum, err := w.source.fingerprint()
	if err != nil {
		return err
	}
	compact := w.source.tokenizer.AppendCompact(nil)
	w.header = header{
		Config: w.source.config, Fingerprint: hex.EncodeToString(sum),
		Stop: w.source.stop, ChatTemplate: w.source.chatTemplate,
	}
	if err := w.header.checkPrompting(); err != nil {
		return err
	}
	if err := w.plan(len(compact)); err != nil {
		return err
	}
	if err := w.block(tokenizerPlace, func(b *blockWriter, _ *tensorReader) { b.write(compact) }); err != nil {
		return err
	}
	if err := w.weights(ctx); err != nil {
		return err
	}
	return w.finish()
}

// weights writes all blocks but that of the tokenizer.
func (w *writer) weights(ctx context.Context) error {
	embeddings, layer, last := w.embeddings, w.layer, w.head
	switch c := &w.source.config; {
	case c.Decoder:
		embeddings, layer, last = w.decoderWords, w.decoderLayer, w.output
	case c.Static():
		embeddings = w.staticEmbeddings
	case c.Rotates():
		embeddings, layer = w.rotaryEmbeddings, w.rotaryLayer
	}
	if err := embeddings(ctx); err != nil {
		return err
	}
	for i := range w.source.config.Layers {
		if err := layer(ctx, i); err != nil {
			return err
		}
	}
	if err := w.experts(ctx); err != nil {
		return err
	}
	if len(w.header.Blocks) == lastPlace(w.source.config) {
		return nil
	}
	return last(ctx)
}

// block writes block i, for which fill reads tensors.
func (w *writer) block(i int, fill func(*blockWriter, *tensorReader)) error {
	r := &tensorReader{source: w.source}
	return w.blockFile.block(i, func(b *blockWriter) error {
		fill(b, r)
		return r.err
	})
}
