package passage

import (
	"errors"
	"time"

	"dowse/engine"
	"dowse/engine/layout"
	"dowse/engine/search/snapshot"
	"dowse/store"
)

// Describe has passages tell what their documents, or their entries, say of themselves.
func (v *Commit) Describe(passages []engine.Passage) error {
	if v.Parts == nil {
		return v.describeOwn(passages, func(id uint32) (uint32, bool) { return id, true })
	}
	for n, part := range v.Parts {
		own := func(id uint32) (chunk uint32, is bool) {
			of, chunk := snapshot.SplitID(id)
			return chunk, of == n
		}
		if err := part.describeOwn(passages, own); err != nil {
			return err
		}
	}
	return nil
}

// describeOwn is Describe for the passages whose chunks are in the index of the commit.
func (v *Commit) describeOwn(passages []engine.Passage, own func(id uint32) (chunk uint32, is bool)) error {
	if v.distant != nil {
		for i := range passages {
			if chunk, is := own(passages[i].ChunkID); is && v.kept[chunk] != nil {
				passages[i].About = *v.kept[chunk].about
			}
		}
		return nil
	}
	return v.Index.View(func(tx *store.Tx) error {
		for i := range passages {
			chunk, is := own(passages[i].ChunkID)
			if !is {
				continue
			}
			about, err := v.about(tx, chunk, &passages[i])
			if errors.Is(err, store.ErrCorrupt) {
				continue // it is worth no search
			}
			if err != nil {
				return err
			}
			passages[i].About = about
		}
		return nil
	})
}

// about returns what the document of a chunk says of itself, or, of entries, what those say that a passage of it shows.
func (v *Commit) about(tx *store.Tx, chunk uint32, shown *engine.Passage) (engine.About, error) {
	file, place, ok := v.Snap.Place(chunk)
	if !ok {
		return engine.About{}, nil
	}
	about, _, err := AboutFile(tx, file)
	if err != nil {
		return about, err
	}
	entries, err := v.Index.EntriesIn(tx, file.ID)
	if err != nil || len(entries.List) == 0 {
		return about, err
	}
	of, narrowed := v.narrowed[chunk]
	if !narrowed {
		of.end = toItsEnd
	}
	return aboutEntries(entries, place, of, shown, about), nil
}

// AboutFile returns what the document of a file says of itself, and what of it is not in the index.
func AboutFile(tx *store.Tx, file *store.File) (about engine.About, lacking string, err error) {
	facts, err := tx.Facts(file.ID)
	if err != nil {
		return engine.About{}, "", err
	}
	about = engine.About{Title: facts.Title, Authors: facts.Authors, To: facts.To, Tags: facts.Tags, Format: facts.Format}
	if about.Format == "" && int(file.Kind) < len(layout.Kinds) {
		about.Format = layout.Kinds[file.Kind]
	}
	if file.Date != 0 {
		about.Date = time.Unix(file.Date, 0)
		if day := about.Date.UTC(); day.Equal(day.Truncate(24 * time.Hour)) {
			about.Date = day // a day without a time of day, which is the same day everywhere
		}
	}
	return about, facts.Lacking, nil
}
