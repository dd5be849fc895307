package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"dowse/engine"
	"dowse/engine/search/passage"
	"dowse/engine/search/snapshot"
	"dowse/store"
)

// Files implements engine.Library, over all indexes: of a file that two hold it tells once.
func (e *Engine) Files(ctx context.Context, req engine.FilesRequest) (*engine.Files, error) {
	engines, leave := e.engines()
	defer leave()
	out := &engine.Files{Files: []engine.IndexedFile{}}
	err := snapshot.ViewAll(indexesOf(engines), func(txs []*store.Tx) error {
		found, err := heldFiles(ctx, txs, req)
		if err != nil {
			return err
		}
		slices.SortFunc(found, func(a, b held) int { return cmp.Compare(a.file.Path, b.file.Path) })
		if req.Limit > 0 && len(found) > req.Limit {
			out.More, found = len(found)-req.Limit, found[:req.Limit]
		}
		for _, f := range found {
			told, err := f.tell()
			if err != nil {
				return err
			}
			out.Files = append(out.Files, told)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// held is a file of one of the indexes.
type held struct {
	tx   *store.Tx
	file store.File
}

// heldFiles returns the files that count, in any order.
func heldFiles(ctx context.Context, txs []*store.Tx, req engine.FilesRequest) (found []held, err error) {
	masks, err := snapshot.Masks(txs)
	if err != nil {
		return nil, err
	}
	below := func(path string) bool {
		return len(req.In) == 0 || slices.ContainsFunc(req.In, func(dir string) bool { return snapshot.Below(path, dir) })
	}
	for i, tx := range txs {
		err := tx.Files(func(f store.File) error {
			if f.Path > req.After && below(f.Path) && masks[i].Admits(f.Path) {
				found = append(found, held{tx, f})
			}
			return ctx.Err()
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// tell returns what is known of a file.
func (h *held) tell() (engine.IndexedFile, error) {
	about, lacking, err := passage.AboutFile(h.tx, &h.file)
	if err != nil && !errors.Is(err, store.ErrCorrupt) {
		return engine.IndexedFile{}, err
	}
	if about.Date.IsZero() {
		about.Date = time.Unix(0, h.file.ModTime)
	}
	return engine.IndexedFile{
		Path: h.file.Path, Format: about.Format, Title: about.Title, Date: about.Date,
		TextBytes: h.file.TextBytes, Chunks: int(h.file.Chunks), Lacking: lacking,
	}, nil
}

// Read implements engine.Library.
func (e *Engine) Read(ctx context.Context, req engine.ReadRequest) (*engine.FileText, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	engines, leave := e.engines()
	defer leave()
	of, err := mayRead(engines, req.Path)
	if errors.Is(err, engine.ErrFileGone) {
		return nil, fmt.Errorf("%s is %w", req.Path, engine.ErrNotIndexed)
	}
	if err != nil {
		return nil, err
	}
	text, err := of.opts.Texts.Text(req.Path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", engine.ErrFileGone, err)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out, err := passage.FileText(text, req)
	if err != nil {
		return nil, err
	}
	err = of.index.View(func(tx *store.Tx) error {
		file, err := tx.FileByPath(req.Path)
		if err == nil {
			out.About, _, err = passage.AboutFile(tx, &file)
		}
		if errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrCorrupt) {
			return nil // the text is what was asked for
		}
		return err
	})
	return out, err
}
