package indexer

import (
	"context"
	"errors"
	"slices"
	"time"

	"dowse/engine"
	"dowse/engine/layout"
	"dowse/store"
)

// meaningStep gives some chunks their vectors. It is computed without a transaction, and without the indexer's turn.
type meaningStep struct {
	*session
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

// openText is the text of a file; nil where it cannot be read.
type openText struct {
	file uint32
	text *engine.Text
}

// newMeaningStep copies the records of the next files.
func (s *session) newMeaningStep(ctx context.Context) (*meaningStep, error) {
	step := &meaningStep{session: s, at: map[string]int{}}
	chunks := 0
	err := s.opts.Store.View(func(tx *store.Tx) error {
		for _, of := range s.Indexer.behind.files {
			if chunks >= stepChunks {
				break
			}
			f, err := tx.File(of.id)
			if errors.Is(err, store.ErrNotFound) { // it was replaced, or removed
				step.files = append(step.files, stepFile{File: store.File{ID: of.id}})
				continue
			}
			if err != nil {
				return err
			}
			file := stepFile{File: f, texts: map[int]int{}}
			if file.lacking, err = s.lackingOf(tx, f); err != nil {
				return err
			}
			if file.chunks, err = tx.Chunks(f); err != nil {
				return err
			}
			step.files = append(step.files, file)
			chunks += len(file.lacking)
		}
		return ctx.Err()
	})
	return step, err
}

// lackingOf lists the chunks of a file that lack a vector, by place.
func (ix *Indexer) lackingOf(tx *store.Tx, f store.File) (places []int, err error) {
	ids := make([]uint32, 0, f.Chunks)
	for _, id := range f.IDs.All() {
		ids = append(ids, id)
	}
	lacking, err := ix.index().LackingOf(layout.VectorIndex{Tx: tx}, ids)
	if err != nil {
		return nil, err
	}
	for place, id := range ids {
		if len(lacking) > 0 && id == lacking[0] {
			places, lacking = append(places, place), lacking[1:]
		}
	}
	return places, nil
}

// compute reads the texts of the step and embeds them.
func (s *meaningStep) compute(ctx context.Context, prog *progress) error {
	if err := s.read(ctx); err != nil {
		return err
	}
	return s.embed(ctx, prog)
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
		if s.open == nil || s.open.file != f.ID {
			text, _ := s.rereading().Text(f.Path) // nil where it cannot be read now
			s.open = &openText{f.ID, text}
		}
		for _, place := range f.lacking {
			if len(s.texts) >= stepChunks {
				return nil
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			text := embeddedOf(s.open.text, f.chunks[place])
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
		s.embeddings.Add(int64(len(slice)))
	}
	return nil
}

// embedded is how many of the texts have a vector.
func (s *meaningStep) embedded() int { return len(s.vectors) / s.opts.Embedder.Dim() }

// put stores the vectors of chunks that still lack one, and returns how many these are. Since the step began a file
// may have been replaced, or the whole index.
func (s *meaningStep) put(tx *store.Tx) (given int, err error) {
	dim := s.opts.Embedder.Dim()
	for i := range s.files {
		f, vectors := &s.files[i], map[int][]float32{}
		if len(f.texts) == 0 {
			continue
		}
		now, err := tx.File(f.ID)
		if errors.Is(err, store.ErrNotFound) || err == nil && (now.Path != f.Path || now.Hash != f.Hash || !slices.Equal(now.IDs, f.IDs)) {
			continue
		}
		if err != nil {
			return given, err
		}
		lacking, err := s.lackingOf(tx, now)
		if err != nil {
			return given, err
		}
		for _, place := range lacking {
			if at, read := f.texts[place]; read && at < s.embedded() {
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

// done are the files, by id, that lack nothing more that can be had.
func (s *meaningStep) done() map[uint32]bool {
	done := map[uint32]bool{}
	for i := range s.files {
		f := &s.files[i]
		done[f.ID] = f.whole
		for _, at := range f.texts {
			done[f.ID] = done[f.ID] && at < s.embedded()
		}
	}
	return done
}
