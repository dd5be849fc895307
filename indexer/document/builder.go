package document

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/dustin/go-humanize"
)

// Builder puts together the text of a Converted document, in the structure of
// Markdown: blocks with a blank line between them. What exceeds Limits.Text is
// left out, which Full tells.
type Builder struct {
	text    strings.Builder
	places  []Place
	entries []Entry
	left    *budget
	inRows  bool
	full    bool
	lacks   []string
}

// maxLacks is how many things are named that a document lacks.
const maxLacks = 3

// Lack says what of the file is not written, in words that follow "without".
func (b *Builder) Lack(what string) {
	if len(b.lacks) < maxLacks && !slices.Contains(b.lacks, what) {
		b.lacks = append(b.lacks, what)
	}
}

// Full reports whether something was left out for a limit, so that nothing more is to be read.
func (b *Builder) Full() bool { return b.full || b.left.over() }

// Meet remembers a limit that was met; see Input.Meet.
func (b *Builder) Meet(limit string) { _ = b.left.meet(limit) }

// Step counts n elements, and reports whether they may be read; see Limits.Elements.
func (b *Builder) Step(n int) bool { return b.left.step(n) }

// Len returns the bytes of text so far.
func (b *Builder) Len() int { return b.text.Len() }

// Place says where in the file that comes from which is written next.
func (b *Builder) Place(parts ...Part) {
	n := len(b.places)
	if n > 0 && b.places[n-1].Offset == b.text.Len() {
		b.places[n-1].Parts = parts
		return
	}
	b.places = append(b.places, Place{Offset: b.text.Len(), Parts: parts})
}

// Entry says that what is written next says this of itself, until the next one. Of neighbours that say the same one is kept, and
// none before something is said.
func (b *Builder) Entry(meta Meta) {
	n := len(b.entries)
	if n > 0 && b.entries[n-1].Offset == b.text.Len() {
		b.entries, n = b.entries[:n-1], n-1
	}
	if n == 0 && meta.Empty() || n > 0 && b.entries[n-1].Meta.Equal(&meta) {
		return
	}
	b.entries = append(b.entries, Entry{Offset: b.text.Len(), Meta: meta})
}

// Heading writes a heading of level 1 to 6.
func (b *Builder) Heading(level int, text string) {
	if text = oneLine(text); text != "" {
		b.block(strings.Repeat("#", min(max(level, 1), 6)) + " " + text)
	}
}

// Paragraph writes a paragraph; line ends within it stay, blank lines do not.
func (b *Builder) Paragraph(text string) {
	var lines strings.Builder
	for line := range strings.Lines(text) {
		if line = oneLine(line); line == "" {
			continue
		}
		if lines.Len() > 0 {
			lines.WriteByte('\n')
		}
		if lines.WriteString(escape(line)); lines.Len() > b.left.Text+maxUndivided {
			break // the rest is left out
		}
	}
	if lines.Len() > 0 {
		b.block(lines.String())
	}
}

// Item writes an item of a list; depth is 0 for the outermost.
func (b *Builder) Item(depth int, text string) {
	if text = oneLine(text); text != "" {
		b.row(strings.Repeat("  ", min(max(depth, 0), 8)) + "- " + text)
	}
}

// Row writes a row of a table whose columns are named, "Item: desk; Cost: 30", so
// that it says by itself what it is about. Cells that are empty are left out; a
// column without a name has its cell alone.
func (b *Builder) Row(names, cells []string) {
	parts := make([]string, 0, len(cells))
	for i, cell := range cells {
		if cell = oneLine(cell); cell == "" {
			continue
		}
		if i < len(names) && oneLine(names[i]) != "" && oneLine(names[i]) != cell {
			cell = oneLine(names[i]) + ": " + cell
		}
		parts = append(parts, cell)
	}
	if len(parts) > 0 {
		b.row(escape(strings.Join(parts, "; ")))
	}
}

// EndRows says that what is written next belongs to no item or row before it: a
// table after a list, or after another one.
func (b *Builder) EndRows() { b.inRows = false }

// Code writes a block of code, as it is.
func (b *Builder) Code(language, text string) {
	if text = strings.Trim(text, "\n"); strings.TrimSpace(text) != "" {
		fence := "```"
		for strings.Contains(text, fence) {
			fence += "`"
		}
		b.block(fence + language + "\n" + text + "\n" + fence)
	}
}

// Append writes the text of a file within this one, and says where it comes from. What
// has another structure than Markdown is written so that it is not read as that. What it says of itself
// this file does not.
func (b *Builder) Append(d *Document, within ...Part) { b.append(d, within) }

// Include is Append for a file of which nothing but itself says when it is of and by whom: a member of an
// archive. Its entries are those of this file, and what stands before them since the last Entry is one too.
func (b *Builder) Include(d *Document, within ...Part) {
	if start := b.append(d, within); start >= 0 {
		b.adopt(d.Entries, start)
	}
}

// adopt takes over entries of a text that begins at start.
func (b *Builder) adopt(entries []Entry, start int) {
	for _, e := range entries {
		if e.Offset += start; e.Offset < b.text.Len() {
			b.entries = append(b.entries, e)
		}
	}
}

// append writes the text of a file within this one, and returns where it begins; -1 where it is written otherwise.
func (b *Builder) append(d *Document, within []Part) (start int) {
	b.Place(within...)
	if d.Lacking != "" {
		b.Lack(d.Lacking + " of " + Label(within))
	}
	switch d.Kind {
	case Code:
		b.Code(d.Language, d.Text)
		return -1
	case Text:
		for paragraph := range strings.SplitSeq(strings.ReplaceAll(d.Text, "\r\n", "\n"), "\n\n") {
			b.Paragraph(paragraph)
		}
		return -1
	case Converted: // its own Builder has counted it
		b.left.Text += len(d.Text)
	}
	if b.text.Len() > 0 {
		b.write("\n\n")
	}
	start = b.text.Len()
	b.write(strings.TrimRight(d.Text, "\n"))
	b.inRows = false
	for _, p := range d.Places {
		if at := start + p.Offset; at < b.text.Len() {
			b.places = append(b.places, Place{Offset: at, Parts: append(append([]Part(nil), within...), p.Parts...)})
		}
	}
	return start
}

// Join writes what another Builder of the same file has written, as if it had been written here.
func (b *Builder) Join(d *Document) {
	b.left.Text += len(d.Text) // counted by that one
	before := b.text.Len()
	if before > 0 {
		b.write("\n\n")
	}
	start := b.text.Len()
	b.write(d.Text)
	b.inRows = false
	for _, p := range d.Places {
		offset := start + p.Offset
		if p.Offset == 0 {
			offset = before
		}
		if offset < b.text.Len() {
			b.places = append(b.places, Place{Offset: offset, Parts: p.Parts})
		}
	}
	if len(b.entries) > 0 && (len(d.Entries) == 0 || d.Entries[0].Offset > 0) { // its beginning says nothing
		b.entries = append(b.entries, Entry{Offset: start})
	}
	b.adopt(d.Entries, start)
}

// Resume goes on behind what another Builder has written of the same file when it was shorter: its text and places, entries, and so
// many elements that it counted.
func (b *Builder) Resume(d *Document, entries []Entry, elements int) {
	b.write(d.Text)
	b.places, b.entries = slices.Clip(d.Places), entries
	b.Step(elements)
}

// Document returns the text and its structure.
func (b *Builder) Document(format string, meta Meta) *Document {
	d := &Document{Text: b.text.String(), Kind: Converted, Format: format, Charset: "UTF-8", Places: b.places, Entries: b.entries, Meta: meta}
	if b.full {
		b.Lack("what comes behind the first " + humanize.IBytes(uint64(b.text.Len())) + " of its text")
	}
	d.Lacking = strings.Join(b.lacks, " and ")
	d.CountLines()
	return d
}

// block writes text after a blank line.
func (b *Builder) block(text string) {
	if b.text.Len() > 0 {
		b.write("\n\n")
	}
	b.write(text)
	b.inRows = false
}

// row writes a line that belongs to the rows before it.
func (b *Builder) row(line string) {
	if !b.inRows {
		b.block(line)
	} else {
		b.write("\n" + line)
	}
	b.inRows = true
}

// maxUndivided is how much longer a paragraph may be than what of it is written: characters that Undivided drops.
const maxUndivided = 1 << 20

// write appends what the limit allows, as valid UTF-8, Undivided.
func (b *Builder) write(s string) {
	s = Undivided(strings.ToValidUTF8(s, "\ufffd"))
	if len(s) > b.left.Text {
		end := max(b.left.Text, 0)
		for end > 0 && !utf8.RuneStart(s[end]) {
			end--
		}
		s, b.full, b.left.full = s[:end], true, true
	}
	b.left.Text -= len(s)
	b.text.WriteString(s)
}

// oneLine makes white space and control characters single spaces.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(Undivided(s), func(r rune) bool {
		return r <= ' ' || r == 0x7f || r == '\u00a0' || r == '\u2028' || r == '\u2029'
	}), " ")
}

// escape keeps a line of prose from being read as a heading, as the line under
// one, or as the edge of a block of code.
func escape(line string) string {
	rest := strings.TrimLeft(line, "#")
	switch {
	case rest != line && (rest == "" || rest[0] == ' '),
		strings.HasPrefix(line, "```"), strings.HasPrefix(line, "~~~"),
		strings.Trim(line, "=") == "", strings.Trim(line, "-") == "":
		return "\\" + line
	}
	return line
}
