package media

import (
	"context"
	"errors"
	"strings"

	"dowse/indexer/document"
	"dowse/indexer/extract/markup"
)

// document writes what a file says of itself, and what programs of the person's say of it.
func (w *words) document(ctx context.Context, k kind, format string, in *document.Input) (*document.Document, error) {
	var found []part
	var err error
	if !w.icon {
		found, err = k.programs(ctx, format, in)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if errors.Is(err, document.ErrChanged) || len(found) == 0 && !w.worth(k) {
		if err != nil {
			return nil, err
		}
		return nil, k.wordless()
	}
	b := in.Builder()
	title := w.title
	if title == "" {
		title = stem(in.Name)
	}
	if len(found) > 0 && found[0].timed && len(w.captions) == 0 {
		if from := markup.SpokenFrom(found[0].text); from != nil { // headings are no part of what is said, and a passage begins with them
			b.Place(from...)
		}
	}
	b.Heading(1, title)
	for i, caption := range w.captions {
		if w.lines[i] != title {
			b.Paragraph(caption)
		}
	}
	w.rows(b, k)
	if w.lyrics != "" {
		b.Heading(2, "Lyrics")
		b.Paragraph(w.lyrics)
	}
	for _, part := range found {
		part.write(b)
	}
	d := b.Document(format, w.meta(k))
	d.Lacks = err
	return d, nil
}

// worth reports whether a file is found by what a person said of it.
func (w *words) worth(k kind) bool {
	switch k {
	case pictures:
		return w.picture()
	case sounds:
		return w.sound()
	}
	return w.video()
}

// wordless is why a file is left out.
func (k kind) wordless() error {
	return [...]error{document.ErrPicture, document.ErrSound, document.ErrVideo}[k]
}

// rows writes the short fields.
func (w *words) rows(b *document.Builder, k kind) {
	row := func(name string, values ...string) {
		b.Row([]string{name}, []string{strings.Join(values, ", ")})
	}
	if k == sounds {
		row("Artist", w.artists...)
		row("Album", w.album)
		row("Genre", w.genre)
	} else {
		row("By", append(w.artists, w.authors...)...)
	}
	row("Keywords", w.keywords...)
	row("People", w.people...)
	row("Place", w.places...)
	if k == pictures {
		if !w.taken.IsZero() {
			row("Taken", w.taken.Format("2006-01-02 15:04"))
		}
		row("Camera", w.device)
		if len(w.captions) > 0 && w.latitude != "" {
			row("Coordinates", w.latitude, w.longitude)
		}
	}
}

// meta returns what filters and results ask for.
func (w *words) meta(k kind) document.Meta {
	m := document.Meta{Title: w.title, Authors: append(w.artists, w.authors...), Tags: w.keywords}
	if !w.taken.IsZero() {
		m.Date = w.taken.UTC()
	}
	return m
}
