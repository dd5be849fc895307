package indexer

import (
	"path/filepath"
	"sync"
	"time"

	"dowse/indexer/document"
	"dowse/indexer/extract"
	"dowse/indexer/kept"
	"dowse/store"
)

// sources are the files of the index by what was read of them and by their names: a program that took
// an hour for a film is not asked again when the film is moved to another folder.
type sources struct {
	once  sync.Once
	files map[sourceKey]uint32
	err   error
}

// sourceKey is what a text depends on, where programs say it: the name is its heading.
type sourceKey struct {
	hash [6]byte
	name string
}

// moved returns the text that is kept of a file with the same name and contents as another one, nil
// where there is none. It may be called by several goroutines.
func (d *donors) moved(file store.File) (doc *document.Document) {
	err := d.store.View(func(tx *store.Tx) error {
		d.sources.once.Do(func() {
			d.sources.files = map[sourceKey]uint32{}
			d.sources.err = tx.Files(func(f store.File) error {
				if document.Kind(f.Kind) == document.Converted && !f.Doubted() {
					d.sources.files[sourceKey{f.Hash, filepath.Base(f.Path)}] = f.ID
				}
				return nil
			})
		})
		id, found := d.sources.files[sourceKey{file.Hash, filepath.Base(file.Path)}]
		if d.sources.err != nil || !found {
			return d.sources.err
		}
		f, err := tx.File(id)
		if err != nil || f.Hash != file.Hash || filepath.Base(f.Path) != filepath.Base(file.Path) { // it was replaced since
			return err
		}
		packed, err := tx.Text(id)
		if err != nil {
			return err
		}
		facts, err := tx.Facts(id)
		if err != nil {
			return err
		}
		if doc, err = kept.Unpack(packed); err != nil {
			return err
		}
		if doc.Secret && !extract.Sparse(doc.Format) {
			doc = nil
			return nil
		}
		doc.Slow, doc.Secret = true, false
		doc.Meta = document.Meta{Title: facts.Title, Authors: facts.Authors, To: facts.To, Tags: facts.Tags}
		if f.Date != 0 {
			doc.Meta.Date = time.Unix(f.Date, 0)
		}
		return nil
	})
	if err != nil { // it is read from the file, then
		return nil
	}
	return doc
}
