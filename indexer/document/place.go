package document

import (
	"sort"
	"strconv"
	"strings"
)

// Unit is what a part of a file is called.
type Unit string

// The units. They are part of the output (JSON "place"): their text never changes.
const (
	Page       Unit = "page"
	Slide      Unit = "slide"
	Sheet      Unit = "sheet"
	Row        Unit = "row" // of a sheet or table
	Chapter    Unit = "chapter"
	Message    Unit = "message"
	Attachment Unit = "attachment"
	Member     Unit = "member" // of an archive
	Cell       Unit = "cell"   // of a notebook
	Record     Unit = "record" // of data
	Deck       Unit = "deck"   // of cards
	Card       Unit = "card"
	Note       Unit = "note"
	Time       Unit = "time" // of subtitles: Name is "00:12:05"

	Session      Unit = "session"      // of an agent: Name is the command that goes on with it
	Conversation Unit = "conversation" // with an assistant: Name is its title
	Branch       Unit = "branch"       // of a conversation, where somebody went back and asked otherwise
)

// Part is one step on the way to a place.
type Part struct {
	Unit   Unit
	Number int    // from 1; 0 where parts are not counted
	Name   string // "Budget", "Re: the roof", "docs/a.txt"; "" where it has none
}

// Place names the part of the file that the text from Offset on comes from.
type Place struct {
	Offset int    // of Document.Text, in bytes
	Parts  []Part // outermost first: message 17, its attachment, page 3
}

// String returns what a person calls the part: page 3, sheet Budget, a/b.txt.
func (p Part) String() string {
	number := ""
	if p.Number > 0 {
		number = " " + strconv.Itoa(p.Number)
	}
	switch {
	case p.Name == "":
		return string(p.Unit) + number
	case p.Unit == Message && p.Number > 0:
		return "message" + number + " (" + p.Name + ")"
	}
	return string(p.Unit) + " " + p.Name
}

// Label returns what a person calls the place, "" of none.
func Label(parts []Part) string {
	names := make([]string, len(parts))
	for i, p := range parts {
		names[i] = p.String()
	}
	return strings.Join(names, ", ")
}

// Place returns the parts of the file that hold the byte of Text at offset, nil
// where nothing is known. The caller does not change them.
func (d *Document) Place(offset int) []Part {
	i := d.PlaceAfter(offset)
	if i == 0 {
		return nil
	}
	return d.Places[i-1].Parts
}

// PlaceAfter returns the index in Places of the first that begins behind the byte of
// Text at offset, len(Places) where none does.
func (d *Document) PlaceAfter(offset int) int {
	return sort.Search(len(d.Places), func(i int) bool { return d.Places[i].Offset > offset })
}
