package indexer

import (
	"context"
	"errors"
	"fmt"

	"dowse/engine"
	"dowse/engine/layout"
	"dowse/engine/leann"
	"dowse/indexer/chunk"
	"dowse/indexer/document"
	"dowse/indexer/kept"
	"dowse/indexer/paths"
	"dowse/store"
)

// Packing says what of an index goes into a pack.
type Packing struct {
	Folder string // absolute: what lies in it stays
	Name   string // that it has in the pack
	Texts  Texts  // reads the files
	NoText bool   // the pack keeps no text
	Secret bool   // the index may have files that hold secrets, which stay out
}

// packBatch is how many bytes of packed text are written in one transaction.
const packBatch = 8 << 20

// Pack makes the index, which is a copy that nobody else uses, one of a folder alone, whose files have
// the paths that they have in there, below its name: with the text of all of them, and no trace of
// others. Files whose text is not the indexed one any more, or holds secrets, are left out and counted.
func (ix *Indexer) Pack(ctx context.Context, p Packing) (done engine.PackReport, err error) {
	if err := ix.turn.Acquire(ctx, 1); err != nil {
		return done, err
	}
	defer ix.turn.Release(1)
	files, err := ix.packed(p.Folder)
	if err != nil {
		return done, err
	}
	s := &session{Indexer: ix, prog: newProgress(ix.opts.Emit, false)}
	s.prog.phase(engine.Indexing)
	if err := ix.packTexts(ctx, &p, files, &done); err != nil {
		return done, err
	}
	if done.Files == 0 {
		return done, fmt.Errorf("nothing of %s can be packed: %s", p.Folder, nothingWhy(&done))
	}
	if err := s.embedRest(ctx); err != nil {
		return done, err
	}
	err = ix.opts.Store.Update(func(tx *store.Tx) error {
		return errors.Join(tx.Rebase(p.Folder, p.Name), tx.KeepMeta(layout.Lasting()), leann.DropKept(layout.VectorIndex{Tx: tx}))
	})
	if err != nil {
		return done, err
	}
	err = s.erase(ctx)
	s.prog.phase(engine.Idle)
	if err != nil {
		return done, err
	}
	if left, err := ix.hasTraces(); err != nil || left {
		return done, errors.Join(err, errors.New("traces of other folders could not be erased from the pack; it was not written"))
	}
	return done, nil
}

// embedRest embeds what still lacks a vector: who searches the pack cannot.
func (s *session) embedRest(ctx context.Context) error {
	if err := s.embedAll(ctx); err != nil || s.done.embedded == 0 {
		return err
	}
	_, err := s.quantize(ctx, true)
	return err
}

// nothingWhy says why a pack would be empty.
func nothingWhy(done *engine.PackReport) string {
	if done.Stale+done.Secrets == 0 {
		return "no file of it is in the index; run dowse index on it first"
	}
	return fmt.Sprintf("of its files, %d have changed since they were indexed or cannot be read, and %d hold secrets; run dowse index, and try again", done.Stale, done.Secrets)
}

// packed deletes the files outside of a folder, and returns those in it.
func (ix *Indexer) packed(folder string) (files []store.File, err error) {
	err = ix.opts.Store.Update(func(tx *store.Tx) error {
		var gone []uint32
		files = nil
		err := tx.Files(func(f store.File) error {
			if f.Path != folder && paths.Within(f.Path, folder) {
				files = append(files, f)
			} else {
				gone = append(gone, f.ID)
			}
			return nil
		})
		if err != nil {
			return err
		}
		return errors.Join(deleteFiles(tx, gone), noteTraces(tx))
	})
	return files, err
}

func deleteFiles(tx *store.Tx, ids []uint32) error {
	for _, id := range ids {
		if err := tx.DeleteFile(id); err != nil {
			return err
		}
	}
	return nil
}

// packTexts puts the texts of files into the index, or takes all out of it.
func (ix *Indexer) packTexts(ctx context.Context, p *Packing, files []store.File, done *engine.PackReport) error {
	for len(files) > 0 {
		texts, gone, size, next := map[uint32][]byte{}, []uint32{}, 0, 0
		for ; next < len(files) && size < packBatch; next++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			f := &files[next]
			packed, left, err := ix.packText(p, f)
			if err != nil {
				return err
			}
			switch left {
			case packedStale:
				done.Stale++
			case packedSecret:
				done.Secrets++
			default:
				texts[f.ID], size = packed, size+len(packed)
				done.Files, done.Chunks, done.TextBytes = done.Files+1, done.Chunks+int(f.Chunks), done.TextBytes+f.TextBytes
				continue
			}
			gone = append(gone, f.ID)
		}
		err := ix.opts.Store.Update(func(tx *store.Tx) error {
			for _, f := range files[:next] {
				switch packed, stays := texts[f.ID]; {
				case !stays:
				case p.NoText:
					if err := tx.DropText(f.ID); err != nil {
						return err
					}
				default:
					if err := tx.PutText(f.ID, packed); err != nil {
						return err
					}
				}
			}
			return deleteFiles(tx, gone)
		})
		if err != nil {
			return err
		}
		files = files[next:]
	}
	return nil
}

// unpacked is why a file does not go into a pack.
type unpacked int

const (
	packedWhole unpacked = iota
	packedStale          // the file has another text than was indexed, or none
	packedSecret
)

// packText returns what a pack keeps of the text of a file.
func (ix *Indexer) packText(p *Packing, f *store.File) (packed []byte, left unpacked, err error) {
	if p.NoText && !p.Secret {
		return nil, packedWhole, nil // an index without secrets has nothing to look for
	}
	doc, err := p.Texts.document(f.Path)
	if err != nil {
		return nil, packedStale, nil //nolint:nilerr // what cannot be read is counted
	}
	if doc.Secret {
		return nil, packedSecret, nil
	}
	if packed, err = kept.Pack(doc); err != nil {
		return nil, packedStale, err
	}
	if doc, err = kept.Unpack(packed); err != nil {
		return nil, packedStale, err
	}
	var chunks []store.Chunk
	err = ix.opts.Store.View(func(tx *store.Tx) (err error) {
		chunks, err = tx.Chunks(*f)
		return err
	})
	if err != nil || !p.holds(doc, chunks) {
		return nil, packedStale, err
	}
	if p.NoText {
		packed = nil
	}
	return packed, packedWhole, nil
}

// holds reports whether a text has all chunks as they were indexed.
func (p *Packing) holds(doc *document.Document, chunks []store.Chunk) bool {
	headings := chunk.ReadHeadings(doc, chunk.Options{Count: p.Texts.Count, MaxTokens: chunk.MaxTokens(p.Texts.Room)})
	for _, c := range chunks {
		if c.End > int64(len(doc.Text)) || layout.ChunkHash(headings.EmbedText(int(c.Start), int(c.End))) != c.Hash {
			return false
		}
	}
	return true
}
