package indexer

import (
	"context"
	"errors"
	"time"

	"dowse/engine/layout"
	"dowse/store"
)

// meaningStep gives some chunks their vectors.
type meaningStep struct {
	*Indexer
	files   []stepFile
	texts   []string       // each once: a file may say one thing a million times
	at      map[string]int // in texts
	vectors []float32      // of the first texts: [n, Dim]
	stale   bool           // a file is not as it was indexed
}

// stepFile is a file of a step.
type stepFile struct {
	store.File
	chunks  []store.Chunk
	lacking []int       // its chunks without a vector, by place
	texts   map[int]int // what was read of these: their places in meaningStep.texts
	whole   bool        // all of them were looked at
}

// newMeaningStep copies the records of the next files.
func (ix *Indexer) newMeaningStep(ctx context.Context) (*meaningStep, error) {
	s := &meaningStep{Indexer: ix, at: map[string]int{}}
	chunks := 0
	err := ix.opts.Store.View(func(tx *store.Tx) error {
		for _, of := range ix.behind.files {
			if chunks >= stepChunks {
				break
			}
			f, err := tx.File(of.id)
			if errors.Is(err, store.ErrNotFound) { // it was replaced, or removed
				s.files = append(s.files, stepFile{whole: true})
				continue
			}
			if err != nil {
				return err
			}
			file := stepFile{File: f, texts: map[int]int{}}
			if file.lacking, err = ix.lackingOf(tx, f); err != nil {
				return err
			}
			if file.chunks, err = tx.Chunks(f); err != nil {
				return err
			}
			s.files = append(s.files, file)
			chunks += len(file.lacking)
		}
		return ctx.Err()
	})
	return s, err
}

// lackingOf lists the chunks of a file that lack a vector, by place.
func (ix *Indexer) lackingOf(tx *store.Tx, f store.File) (places []int, err error) {
	ids := make([]uint32, 0, f.Chunks)
	for _, id := range f.IDs.All() {
		ids = append(ids, id)
	}
	has, err := ix.index().HasCodes(layout.VectorIndex{Tx: tx}, ids)
	if err != nil {
		return nil, err
	}
	err = tx.VectorsOf(f, func(chunk uint32, _ []float32) error {
		has[chunk] = true
		return nil
	})
	if err != nil {
		return nil, err
	}
	for place, id := range ids {
		if !has[id] {
			places = append(places, place)
		}
	}
	return places, nil
}

// read reads the texts of the step, as far as it has room for them.
func (s *meaningStep) read(ctx context.Context) error {
	defer s.opts.Clock.add(clockPrepare, time.Now())
	for i := range s.files {
		f := &s.files[i]
		if len(f.lacking) == 0 {
			f.whole = true
			continue
		}
		if s.behind.open == nil || s.behind.open.file != f.ID {
			text, _ := s.rereading().Text(f.Path) // nil where it cannot be read now
			s.behind.open = &openText{f.ID, text}
		}
		for _, place := range f.lacking {
			if len(s.texts) >= stepChunks {
				return nil
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			text := embeddedOf(s.behind.open.text, f.chunks[place])
			if text == "" {
				s.stale = true
				continue
			}
			at, known := s.at[text]
			if !known {
				at, s.at[text] = len(s.texts), len(s.texts)
				s.texts = append(s.texts, text)
			}
			f.texts[place] = at
		}
		f.whole = true
	}
	return nil
}

// embed embeds the texts until that took stepTime.
func (s *meaningStep) embed(ctx context.Context, prog *progress) error {
	start := time.Now()
	defer s.opts.Clock.add(clockEmbed, start)
	for from := 0; from < len(s.texts) && (from == 0 || time.Since(start) < stepTime); from += embedSlice {
		slice := s.texts[from:min(from+embedSlice, len(s.texts))]
		vectors, err := s.opts.Embedder.EmbedDocuments(ctx, slice)
		if err != nil {
			return err
		}
		s.vectors = append(s.vectors, vectors...)
		prog.embedded(len(slice))
	}
	return nil
}

// embedded is how many of the texts have a vector.
func (s *meaningStep) embedded() int { return len(s.vectors) / s.opts.Embedder.Dim() }

// put stores the vectors, and returns how many chunks have got one.
func (s *meaningStep) put(tx *store.Tx) (given int, err error) {
	dim := s.opts.Embedder.Dim()
	for i := range s.files {
		f, vectors := &s.files[i], map[int][]float32{}
		for place, at := range f.texts {
			if at < s.embedded() {
				vectors[place] = s.vectors[at*dim : (at+1)*dim]
			}
		}
		if err := putVectors(tx, f.File, vectors); err != nil {
			return given, err
		}
		given += len(vectors)
	}
	return given, nil
}

// done is how many of the first files lack nothing more that can be had.
func (s *meaningStep) done() int {
	for i := range s.files {
		f := &s.files[i]
		if !f.whole {
			return i
		}
		for _, at := range f.texts {
			if at >= s.embedded() {
				return i
			}
		}
	}
	return len(s.files)
}
