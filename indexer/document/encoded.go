package document

import (
	"sort"
	"strings"

	"dowse/indexer/encoded"

	"github.com/dustin/go-humanize"
)

// Omission stands in a text where an encoded run was.
const Omission = "…"

// CutEncoded takes the encoded runs out of the text, and returns how many bytes it has less. Lacking says how much went.
func (d *Document) CutEncoded() int {
	runs := encoded.Runs(d.Text)
	if len(runs) == 0 {
		return 0
	}
	cuts := make([]Cut, len(runs))
	went, secrets := 0, [encoded.Token + 1]bool{}
	for i, r := range runs {
		cuts[i] = Cut{Start: r.Start, End: r.End}
		if !r.Vector { // its brackets show that it is empty, and what reads JSON goes on
			cuts[i].Instead = Omission
		}
		if r.What == encoded.Data {
			went += r.End - r.Start
		}
		secrets[r.What] = true
	}
	before := len(d.Text)
	d.Cut(cuts)
	if went > 0 {
		d.Lack(humanize.IBytes(uint64(went)) + " of encoded data")
	}
	for what := encoded.Ciphertext; what <= encoded.Token; what++ {
		if secrets[what] {
			d.Lack(what.String())
		}
	}
	return before - len(d.Text)
}

// Cut is a stretch of a text, in bytes, that is taken out of it.
type Cut struct {
	Start, End int
	Instead    string // what stands there then; no line end
}

// Cut takes stretches out of the text, which ascend and do not overlap. Lines, places and messages are those of what is left.
func (d *Document) Cut(cuts []Cut) {
	if len(cuts) == 0 {
		return
	}
	c := cutting{cuts: cuts, shift: make([]int, len(cuts))}
	var text strings.Builder
	from := 0
	for i, cut := range cuts {
		text.WriteString(d.Text[from:cut.Start])
		text.WriteString(cut.Instead)
		from = cut.End
		c.shift[i] = from - text.Len()
	}
	text.WriteString(d.Text[from:])
	marks := d.Marks()
	if marks == nil && d.Kind != Converted {
		marks = d.lineStarts()
	}
	for i := range d.Places {
		d.Places[i].Offset = c.moved(d.Places[i].Offset)
	}
	for i := range d.Entries {
		d.Entries[i].Offset = c.moved(d.Entries[i].Offset)
	}
	d.Text, d.Plain = text.String(), false
	if marks == nil {
		d.CountLines()
	} else {
		d.MarkLines(c.movedMarks(marks))
	}
}

// Lack adds to what the document lacks, in words that follow "without"; "" adds nothing.
func (d *Document) Lack(what string) {
	switch {
	case what == "":
		return
	case d.Lacking != "":
		what = d.Lacking + " and " + what
	}
	d.Lacking = what
}

// cutting maps offsets of a text to those of the text without what was cut out.
type cutting struct {
	cuts  []Cut
	shift []int // how much further to the front stands what comes behind a cut
}

// moved maps an offset; one within a cut goes behind what stands instead.
func (c *cutting) moved(offset int) int {
	i := sort.Search(len(c.cuts), func(i int) bool { return c.cuts[i].Start >= offset }) - 1
	if i < 0 {
		return offset
	}
	return max(offset, c.cuts[i].End) - c.shift[i]
}

// movedMarks maps line marks.
func (c *cutting) movedMarks(marks []LineMark) []LineMark {
	moved := make([]LineMark, 0, len(marks))
	for _, m := range marks {
		m.Offset = int32(c.moved(int(m.Offset)))
		if n := len(moved); n > 0 && moved[n-1].Offset == m.Offset {
			moved[n-1] = m
			continue
		}
		moved = append(moved, m)
	}
	return moved
}

// lineStarts marks each line of the text.
func (d *Document) lineStarts() []LineMark {
	marks := make([]LineMark, 1, 1+strings.Count(d.Text, "\n"))
	marks[0].Line = 1
	for i := range len(d.Text) {
		if d.Text[i] == '\n' && i+1 < len(d.Text) {
			marks = append(marks, LineMark{Offset: int32(i + 1), Line: int32(len(marks) + 1)})
		}
	}
	return marks
}

// inLines returns the text with as many line ends as the file has: those that stood in what was cut
// out of it stand behind its omission.
func (d *Document) inLines() string {
	if d.Marks() == nil {
		return d.Text
	}
	var text strings.Builder
	from, line := 0, 1
	for _, m := range d.Marks() {
		text.WriteString(d.Text[from:m.Offset])
		line += strings.Count(d.Text[from:m.Offset], "\n")
		if more := int(m.Line) - line; more > 0 {
			text.WriteString(strings.Repeat("\n", more))
			line += more
		}
		from = int(m.Offset)
	}
	return text.String() + d.Text[from:]
}
