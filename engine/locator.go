package engine

import (
	"errors"
	"strconv"
	"strings"

	"dowse/internal/fold"
)

// Locator names a part of a file that has no lines: page 3, sheet Budget. It is the
// locator of citations.
type Locator struct {
	Label string        `json:"label"` // for people, not yet safe for a terminal
	Parts []LocatorPart `json:"parts"` // outermost first: message 17, its attachment, page 3
}

// LocatorPart is one step on the way to a place in a file.
type LocatorPart struct {
	Unit   string `json:"unit"`             // page, slide, sheet, row, chapter, message, ...
	Number int    `json:"number,omitempty"` // from 1; 0 where parts are not counted
	Name   string `json:"name,omitempty"`   // "Budget", "docs/a.txt"; "" where it has none
}

// LocatorMark says that a text is at another place from Offset on.
type LocatorMark struct {
	Offset int `json:"offset"` // in bytes
	Locator
}

// Where is the place of a text in its file, beside its lines.
type Where struct {
	// Locator is the part of the file in which the text begins; nil where lines are all
	// that can be said.
	Locator *Locator `json:"place,omitempty"`
	// Extracted says that lines are those of the text that was taken out of the file, as
	// a preview shows it: the file has none, and no editor can go there.
	Extracted bool `json:"extracted,omitempty"`
	// Pack is the index pack that keeps the text; nothing stands at the path of the file. Empty where the file is one of
	// this machine.
	Pack string `json:"pack,omitempty"`
}

// Behind returns what stands behind the path of a text that begins on a line: ":12",
// ", page 3", or nothing where a line would lead nowhere.
func (w Where) Behind(line int) string {
	switch {
	case w.Locator != nil:
		return ", " + w.Locator.Label
	case w.Extracted:
		return ""
	}
	return ":" + strconv.Itoa(line)
}

// Page returns the page of the file itself, from 1; 0 where it has none, or where the
// page is one of a file within it.
func (w Where) Page() int {
	if w.Locator != nil && len(w.Locator.Parts) > 0 && w.Locator.Parts[0].Unit == "page" {
		return w.Locator.Parts[0].Number
	}
	return 0
}

// ErrNoPart says that a place is in no file within the file.
var ErrNoPart = errors.New("no file lies there")

// InFile reports whether the place may be in a file within the file: a message of a mailbox,
// an attachment, a member of an archive.
func (w Where) InFile() bool {
	if w.Locator == nil || len(w.Locator.Parts) == 0 {
		return false
	}
	switch w.Locator.Parts[0].Unit {
	case "message", "attachment", "member":
		return true
	}
	return false
}

// On returns where the text of a passage is that stands on one of its lines.
func (p Passage) On(line int) Where {
	at := len(p.Text) - len(strings.TrimLeft(p.Text, " \t\r\n\f\v")) // LineStart is of what follows
	for n := p.LineStart; n < line; n++ {
		next := strings.IndexByte(p.Text[at:], '\n')
		if next < 0 {
			break
		}
		at += next + 1
	}
	return p.At(p.Places, at)
}

// Telling returns where the part of a passage is that has most of the matched words, and of
// parts that have as many the first: several short sheets, messages or records share a passage.
// Where no words are matched it is where the passage begins.
func (p Passage) Telling() Where {
	if len(p.Places) == 0 { // the screen asks for each row that it draws
		return p.Where
	}
	best, most := p.Where, 0
	words, part := map[string]bool{}, 0
	for _, h := range p.Highlights {
		for part < len(p.Places) && p.Places[part].Offset <= h.Start {
			clear(words)
			part++
		}
		words[fold.String(p.Text[h.Start:h.End])] = true
		if len(words) > most {
			best, most = p.At(p.Places[:part], h.Start), len(words)
		}
	}
	return best
}

// At returns the place of a byte of a text that begins at w, where marks say what
// begins within it.
func (w Where) At(marks []LocatorMark, offset int) Where {
	for i := range marks {
		if marks[i].Offset > offset {
			break
		}
		at := marks[i].Locator // a copy: who made the marks may change them
		w.Locator = &at
	}
	return w
}
