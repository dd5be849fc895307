package snapshot

import (
	"errors"
	"fmt"

	"dowse/engine/layout"
	"dowse/engine/leann"
	"dowse/engine/lexical"
	"dowse/store"
)

// soundFiles calls fn for the files whose records can be read. That there are
// others must be known, so that the search says so.
func soundFiles(tx *store.Tx, fn func(store.File) error) error {
	damaged, err := tx.SoundFiles(fn)
	if err == nil && damaged && !tx.Damage().Files {
		err = fmt.Errorf("%w: files", store.ErrCorrupt)
	}
	return err
}

// soundErrors reads the error model of estimates; what stands for a measurement that was
// never made does for one that is damaged too.
func soundErrors(tx *store.Tx) (leann.ErrorModel, error) {
	m, err := layout.Errors(tx)
	if errors.Is(err, store.ErrCorrupt) && tx.Damage().Any() {
		return layout.DefaultErrors, nil
	}
	return m, err
}

// soundCollection reads the headers of the postings; an empty collection stands
// for damaged ones, which a search by meaning does not look at.
func soundCollection(tx *store.Tx, live *lexical.Set) (*lexical.Collection, error) {
	c, err := lexical.NewCollection(tx.Postings(), live)
	if errors.Is(err, store.ErrCorrupt) && tx.Damage().Terms {
		return lexical.NewCollection(noPostings{}, live)
	}
	return c, err
}

// noPostings is an index without any.
type noPostings struct{ lexical.Reader }

func (noPostings) Segments() ([]uint32, error) { return nil, nil }
