package office

import (
	"context"
	"encoding/binary"
	"errors"

	"dowse/indexer/document"
	"dowse/indexer/extract/cfb"
	"dowse/indexer/extract/codepage"
)

// How files of Word begin ([MS-DOC] 2.5.1), and what their beginning says.
const (
	wordMagic     = 0xa5ec
	wordMagic95   = 0xa5dc
	wordMagicAsia = 0xa697 // and the two after it
	wordMac       = 0x100
	wordEncrypted = 0x0100
	wordTable1    = 0x0200
	wordFirst97   = 0x69 + 1 // versions from here on have the head of Word 97
	wordHead      = 0x1aa    // bytes up to where the pieces are said
	wordHead95    = 0x168
	wordStories   = 8       // the text, footnotes, headers, macros, comments, endnotes, text boxes, text boxes of headers
	wordPlcPage   = 512     // bytes of a page of formats
	wordNarrow    = 1 << 30 // of a piece: a byte a letter
)

// wordPiece is a stretch of text and where it stands in the file.
type wordPiece struct {
	from, to int // characters
	at       int // byte of the main stream
	narrow   bool
}

// wordReader reads a document of Word.
type wordReader struct {
	main    []byte // the stream of the text
	page    int    // code page of narrow pieces
	pieces  []wordPiece
	stories [wordStories]int // characters of each, one after the other
	paras   wordRuns         // formats of paragraphs
	chars   wordRuns         // formats of characters
	size    int              // of what the stories hold, see maxFlow
}

// readWord reads a document of Word 6 to 2003.
func readWord(ctx context.Context, in *document.Input, root *cfb.Storage) (*document.Document, error) {
	r := &wordReader{main: root.Stream("WordDocument"), page: 1252}
	if err := r.head(root); err != nil {
		return nil, err
	}
	blocks, err := r.read(ctx)
	if err != nil {
		return nil, err
	}
	b := in.Builder()
	(&writer{b: b}).blocks(blocks)
	return b.Document("doc", summary(root).Said()), nil
}

// head reads where text and formats stand. The error is document.ErrEncrypted, or tells what is missing.
func (r *wordReader) head(root *cfb.Storage) error {
	if len(r.main) < wordHead95 {
		return errors.New("its head is missing")
	}
	magic, version := binary.LittleEndian.Uint16(r.main), binary.LittleEndian.Uint16(r.main[2:])
	flags := binary.LittleEndian.Uint16(r.main[10:])
	if magic != wordMagic && magic != wordMagic95 && (magic < wordMagicAsia || magic > wordMagicAsia+2) {
		return errors.New("it is of a Word before Word 6")
	}
	if flags&wordEncrypted != 0 {
		return document.ErrEncrypted
	}
	number := func(at int) int { return int(binary.LittleEndian.Uint32(r.main[at:])) }
	lengths, clx, table := 0x34, 0x160, r.main
	if version >= wordFirst97 {
		if len(r.main) < wordHead {
			return errors.New("its head is missing")
		}
		lengths, clx = 0x4c, 0x1a2
		name := "0Table"
		if flags&wordTable1 != 0 {
			name = "1Table"
		}
		table = root.Stream(name)
		r.chars = readRuns(r.main, stretch(table, number(0xfa), number(0xfe)), false)
		r.paras = readRuns(r.main, stretch(table, number(0x102), number(0x106)), true)
	} else {
		r.page95()
	}
	total := 0
	for i := range r.stories {
		r.stories[i] = min(max(number(lengths+4*i), 0), len(r.main))
		total += r.stories[i]
	}
	if r.pieces = readPieces(stretch(table, number(clx), number(clx+4)), version < wordFirst97); len(r.pieces) == 0 {
		r.pieces = []wordPiece{{0, total, number(0x18), true}}
	}
	return nil
}

// page95 finds the code page of a document of Word 6 or 95: of the Macintosh, of its language, or that of the letters of one of its
// fonts, where much of its text is beyond ASCII.
func (r *wordReader) page95() {
	if binary.LittleEndian.Uint16(r.main[0x14:]) == wordMac {
		r.page = 10000
		return
	}
	if page := codepage.OfLanguage(int(binary.LittleEndian.Uint16(r.main[6:]))); page != 0 {
		r.page = page
	}
	number := func(at int) int { return int(binary.LittleEndian.Uint32(r.main[at:])) }
	high, letters := 0, 0
	for _, c := range stretch(r.main, number(0x18), number(0x1c)-number(0x18)) {
		switch {
		case c >= 0xc0:
			high++
			letters++
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			letters++
		}
	}
	if r.page != 1252 || high*3 < letters || high == 0 {
		return
	}
	fonts := stretch(r.main, number(0xd0), number(0xd4))
	for fonts = fonts[min(2, len(fonts)):]; len(fonts) > 5; fonts = fonts[min(1+int(fonts[0]), len(fonts)):] {
		if page := codepage.NumberOfFont(int(fonts[4])); page != 0 && page != 1250 {
			r.page = page
			return
		}
	}
}

// stretch returns some bytes of a stream, as far as they are there.
func stretch(data []byte, at, size int) []byte {
	if at < 0 || at > len(data) || size < 0 {
		return nil
	}
	return data[at:min(at+size, len(data))]
}

// readPieces reads the table of pieces, behind what formats they have.
func readPieces(clx []byte, narrow bool) []wordPiece {
	for len(clx) >= 5 && clx[0] == 1 {
		size := 3 + int(binary.LittleEndian.Uint16(clx[1:]))
		clx = clx[min(size, len(clx)):]
	}
	if len(clx) < 5 || clx[0] != 2 {
		return nil
	}
	clx = stretch(clx, 5, int(binary.LittleEndian.Uint32(clx[1:])))
	n := (len(clx) - 4) / 12
	var pieces []wordPiece
	last := 0
	for i := range max(n, 0) {
		p := wordPiece{from: int(binary.LittleEndian.Uint32(clx[4*i:])), to: int(binary.LittleEndian.Uint32(clx[4*i+4:]))}
		p.at = int(binary.LittleEndian.Uint32(clx[4*(n+1)+8*i+2:]))
		if p.narrow = narrow; !narrow && p.at&wordNarrow != 0 {
			p.at, p.narrow = (p.at&^wordNarrow)/2, true
		}
		if p.from >= last && p.to > p.from { // they ascend
			pieces = append(pieces, p)
			last = p.to
		}
	}
	return pieces
}

// read reads all stories: headers and footers, once each, come last.
func (r *wordReader) read(ctx context.Context) ([]block, error) {
	var blocks, ends []block
	from := 0
	for i, size := range r.stories {
		story := wordStory{r: r}
		if err := story.read(ctx, from, from+size); err != nil {
			return nil, err
		}
		from += size
		said := story.flow.finish()
		switch i {
		case 3: // macros
		case 2, 7:
			ends = append(ends, said...)
		default:
			blocks = append(blocks, said...)
		}
		r.size = story.flow.size
	}
	return append(blocks, running{}.fresh(ends)...), nil
}
