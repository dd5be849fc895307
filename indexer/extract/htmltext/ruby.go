package htmltext

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// ruby tells the readings above words from the words. These stay one text, as a reader sees them and as people search
// them: the readings follow their paragraph.
type ruby struct {
	open  bool
	in    atom.Atom // Rt within a reading, Rp within what stands for its brackets, 0 within the words
	found strings.Builder
}

// start sees a tag. The end tags of readings may be left out.
func (r *ruby) start(tag atom.Atom) {
	switch {
	case tag == atom.Ruby:
		r.open, r.in = true, 0
	case !r.open:
	case tag == atom.Rt || tag == atom.Rp:
		r.in = tag
	case tag == atom.Rb || isBlock[tag]:
		r.in = 0
	}
}

// end sees an end tag.
func (r *ruby) end(tag atom.Atom) {
	switch {
	case tag == atom.Ruby || isBlock[tag]: // which hides nothing where no tag ends the ruby
		r.open, r.in = false, 0
	case tag == r.in:
		r.in = 0
	}
}

// takes keeps text that is not of the words, and reports whether it is that.
func (r *ruby) takes(raw string) bool {
	if r.in == atom.Rt {
		r.found.WriteString(" " + raw)
	}
	return r.in != 0
}

// readings writes those of a paragraph at its end.
func (r *htmlReader) readings() {
	if r.ruby.found.Len() == 0 {
		return
	}
	line := r.line
	r.out.words(" ("+strings.Join(strings.Fields(r.ruby.found.String()), " ")+")", &line)
	r.ruby.found.Reset()
}
