package office

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"dowse/indexer/document"
	"dowse/indexer/extract/htmltext"

	"github.com/dustin/go-humanize"
)

// maxChapter is the size above which a chapter is none.
const maxChapter = 32 << 20

// readEPUB reads an e-book, chapter by chapter in the order of its spine.
func readEPUB(ctx context.Context, in *document.Input) (*document.Document, error) {
	p, err := openParts(in)
	if err != nil {
		return nil, err
	}
	opf := ""
	err = p.each(ctx, "META-INF/container.xml", func(e element) {
		if e.name == "rootfile" && opf == "" {
			opf = resolve("", e.attribute("full-path"))
		}
	})
	if err != nil {
		return nil, err
	}
	book := bookReader{opf: opf, items: map[string]bookItem{}, named: map[string]bool{}}
	if err := p.events(ctx, opf, &book); err != nil {
		return nil, err
	}
	locked, err := lockedParts(ctx, p)
	if err != nil {
		return nil, err
	}
	marks, err := book.contents(ctx, p)
	if err != nil {
		return nil, err
	}
	b := in.Builder()
	for i, id := range book.spine {
		item := book.items[id]
		if locked[item.part] {
			return nil, document.ErrEncrypted
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		err := page(ctx, b, p, item, i+1, marks[item.part])
		if errors.Is(err, document.ErrBounds) && b.Len() > 0 { // the chapters before are whole
			b.Meet(document.Met(err))
			break
		}
		if err != nil {
			return nil, err
		}
	}
	return b.Document("epub", book.said.result()), nil
}

// page writes a part of the spine, the one of some number.
func page(ctx context.Context, b *document.Builder, p *parts, item bookItem, number int, marks []bookmark) error {
	isDrawing := strings.HasPrefix(item.media, "image/svg")
	if !isDrawing && !strings.Contains(item.media, "html") || b.Full() {
		return nil
	}
	data, err := p.read(item.part)
	if missing(err) { // books that list what they lack are common
		return nil
	}
	if err != nil {
		return err
	}
	if len(data) > maxChapter {
		return fmt.Errorf("%s: %w", item.part, document.Bounds(humanize.IBytes(maxChapter)+" of a chapter"))
	}
	before := b.Len()
	if !isDrawing {
		chapter(b, string(cleanXML(data)), number, marks)
	}
	if b.Len() > before {
		return nil
	}
	return drawn(ctx, b, data, number, marks)
}

// lockedParts returns the parts that want a key. Fonts are often among them, in books
// that are open otherwise.
func lockedParts(ctx context.Context, p *parts) (map[string]bool, error) {
	const name = "META-INF/encryption.xml"
	locked := map[string]bool{}
	if !p.has(name) {
		return locked, nil
	}
	err := p.each(ctx, name, func(e element) {
		if e.name == "CipherReference" {
			locked[resolve("", e.attribute("URI"))] = true
		}
	})
	return locked, err
}

// bookItem is a part that a book lists.
type bookItem struct{ part, media, properties string }

// bookReader reads the package document of a book.
type bookReader struct {
	opf    string
	said   properties
	inSaid bool
	items  map[string]bookItem
	spine  []string // ids of items
	named  map[string]bool
	toc    string // the item that is the table of contents of EPUB 2
}

func (b *bookReader) start(e element) (skip bool) {
	switch e.name {
	case "metadata":
		b.inSaid = true
	case "item":
		if href := e.attribute("href"); href != "" && len(b.items) < maxMarks {
			b.items[e.attribute("id")] = bookItem{resolve(b.opf, href), e.attribute("media-type"), " " + e.attribute("properties") + " "}
		}
	case "spine":
		b.toc = e.attribute("toc")
	case "itemref":
		if id := e.attribute("idref"); len(b.spine) < maxMarks && !b.named[id] { // EPUB 3.3, 5.7.2: each once
			b.named[id] = true
			b.spine = append(b.spine, id)
		}
	}
	return b.said.start(e)
}

func (b *bookReader) text(s string) {
	if b.inSaid {
		b.said.text(s)
	}
}

func (b *bookReader) end(name string) {
	if name == "metadata" {
		b.inSaid = false
	}
	b.said.end(name)
}

// contents returns the entries of the table of contents by the part that they lead into. One
// that cannot be read costs the names of chapters, not the book.
func (b *bookReader) contents(ctx context.Context, p *parts) (map[string][]bookmark, error) {
	name := b.items[b.toc].part
	for _, item := range b.items {
		if strings.Contains(item.properties, " nav ") && (name == "" || !strings.HasSuffix(name, "html") || item.part < name) {
			name = item.part
		}
	}
	r := contentsReader{from: name, marks: map[string][]bookmark{}}
	if name == "" {
		return r.marks, nil
	}
	if err := p.events(ctx, name, &r); errors.Is(err, document.ErrBounds) || errors.Is(err, document.ErrEncrypted) || ctx.Err() != nil {
		return nil, err
	}
	return r.marks, nil
}

// chapter writes a part of a book, with a place at each entry of the contents.
func chapter(b *document.Builder, source string, number int, marks []bookmark) {
	for _, piece := range cut(body(source), marks) {
		text, _ := htmltext.Read(piece.source)
		if strings.TrimSpace(text) == "" {
			continue
		}
		place := document.Part{Unit: document.Chapter, Name: piece.label}
		if piece.label == "" {
			place.Number = number
		}
		if piece.begins && !hasHeading(piece.source) {
			text = "# " + piece.label + "\n\n" + text
		}
		b.Append(&document.Document{Text: text, Kind: document.HTML}, place)
	}
}

// hasHeading reports whether a chapter names itself.
func hasHeading(source string) bool {
	for _, tag := range []string{"<h1", "<h2", "<h3", "<h4"} {
		if htmltext.HasTag(source, tag) {
			return true
		}
	}
	return false
}
