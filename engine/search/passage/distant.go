package passage

import (
	"context"
	"slices"
	"strings"

	"dowse/engine"
	"dowse/engine/search/snapshot"
	"dowse/store"
)

// Distant are chunks of an index on another machine. They are called by their places in Of; their texts
// come when they are wanted.
type Distant struct {
	Files []*store.File
	Of    []int // place in Files of the file of each chunk
	// Fetch returns the texts of chunks, nil where one is gone.
	Fetch func(ctx context.Context, chunks []uint32) ([]*Text, error)

	asked map[uint32]bool // chunks whose text came, or is gone
}

// NewDistant returns a part of a commit that is on another machine.
func (s *Source) NewDistant(d *Distant) *Commit {
	d.asked = map[uint32]bool{}
	return &Commit{Source: &Source{Analyzer: s.Analyzer}, distant: d, kept: map[uint32]*Text{}}
}

// File is the file of a chunk; nil of one that there is not.
func (d *Distant) File(chunk uint32) *store.File {
	if int(chunk) >= len(d.Of) {
		return nil
	}
	return d.Files[d.Of[chunk]]
}

// Gather has the texts of chunks on other machines come, from all of them at once. Those that do not come
// are gone.
func (v *Commit) Gather(ctx context.Context, chunks []uint32) error {
	var waits []func() error
	for n, p := range v.Parts {
		if p.distant == nil {
			continue
		}
		var wanted []uint32
		for _, id := range chunks {
			of, chunk := snapshot.SplitID(id)
			if of == n && !p.distant.asked[chunk] {
				wanted = append(wanted, chunk)
				p.distant.asked[chunk] = true
			}
		}
		if len(wanted) == 0 {
			continue
		}
		done := make(chan error, 1)
		go func() { done <- p.gather(ctx, wanted) }()
		waits = append(waits, func() error { return <-done })
	}
	var failed error
	for _, wait := range waits {
		if err := wait(); err != nil {
			failed = err
		}
	}
	return failed
}

// gather is Gather of one part.
func (v *Commit) gather(ctx context.Context, chunks []uint32) error {
	texts, err := v.distant.Fetch(ctx, chunks)
	if err != nil {
		return err
	}
	for i, text := range texts {
		if text != nil {
			text.id = chunks[i]
			v.kept[chunks[i]] = text
		}
	}
	return nil
}

// Arrived makes a text of what another machine sent of it.
func Arrived(r *engine.RankedText) *Text {
	t := &Text{
		Body: r.Text, Ranked: r.Before + r.Text, Line: r.LineStart, Last: r.LineEnd, Heading: r.Heading, columns: r.Columns,
		Stale: r.Stale, Secret: r.Secret, Where: r.Where, places: r.Places, about: &r.About,
	}
	if r.Other != "" {
		t.Ranked = r.Other
	}
	return t
}

// Sent is what another machine gets of a text; about is what its document says of itself.
func (t *Text) Sent(about engine.About) engine.RankedText {
	r := engine.RankedText{
		Text: t.Body, LineStart: t.Line, LineEnd: t.Last, Heading: t.Heading, Columns: t.columns,
		Stale: t.Stale, Secret: t.Secret, Where: t.Where, Places: t.places, About: about,
	}
	r.Pack = "" // is of that machine
	if before, ends := strings.CutSuffix(t.Ranked, t.Body); ends {
		r.Before = before
	} else if t.Ranked != "" {
		r.Other = t.Ranked
	}
	return r
}

// HashOf is the hash of a chunk's text; false where it is gone.
func (v *Commit) HashOf(id uint32) (hash uint32, ok bool, err error) {
	if v.Parts != nil {
		n, chunk := snapshot.SplitID(id)
		if n >= len(v.Parts) {
			return 0, false, nil
		}
		return v.Parts[n].HashOf(chunk)
	}
	file, place, ok := v.Snap.Place(id)
	if !ok {
		return 0, false, nil
	}
	records, err := v.RecordsOf(*file)
	if err != nil || place >= len(records) {
		return 0, false, err
	}
	return records[place].Hash, true, nil
}

// compare orders chunks by file.
func (d *Distant) compare(a, b uint32) int {
	return slices.Compare([]int{d.Of[a], int(a)}, []int{d.Of[b], int(b)})
}

// DistantFile is the file of a chunk of a part on another machine; nil of one that there is not.
func (v *Commit) DistantFile(chunk uint32) *store.File { return v.distant.File(chunk) }
