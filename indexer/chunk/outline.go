package chunk

import (
	"slices"
	"strings"
	"unicode/utf8"

	"dowse/indexer/document"
)

// atom is a stretch of text that is not cut: a line or a part of one, with the
// blank lines behind it. Atoms tile the text.
type atom struct {
	start   int
	tokens  int32
	penalty uint8  // of a cut before it
	jitter  uint8  // tells equal penalties apart by content
	apart   bool   // a document of its own begins here, such as a message of a mailbox
	section uint32 // index into outline.sections
}

// section is a heading and what stands below it, or a unit of code. Section 0
// is the whole text.
type section struct {
	title    string // shortened; "" when there is none
	level    int    // of the heading; 0 for the whole text
	parent   uint32
	tokens   int // of title, with a separator
	first    int // atom
	body     int // atom behind what stands before the first sub-section
	last     int // atom behind everything
	children []uint32
	headed   bool // the first atom is the heading itself
}

// outline is a text taken apart.
type outline struct {
	opts     Options
	atoms    []atom
	sums     []int // sums[i] is the number of tokens before atom i
	sections []section
	root     uint32
	aparts   []int // the atoms that are apart, ascending
}

// Limits of the headings put before a chunk.
const (
	maxTitle     = 120 // bytes
	contextShare = 4   // a context has at most this part of MaxTokens
)

// read takes a document apart.
func read(doc *document.Document, opts Options) *outline {
	if len(doc.Text) >= longText {
		opts.Count = remembered(opts.Count)
	}
	o := &outline{opts: opts, sections: []section{{}}, atoms: make([]atom, 0, 1+strings.Count(doc.Text, "\n"))} // most are lines
	s := &scanner{outline: o, text: doc.Text}
	switch doc.Kind {
	case document.Markdown, document.HTML, document.Converted:
		s.markdown(doc.Kind == document.Markdown)
	case document.Code:
		s.code()
	case document.Log: // nothing stands above its lines
	default:
		s.plain()
	}
	if len(o.atoms) == 0 { // nothing but white space
		o.atoms = append(o.atoms, atom{})
	}
	o.atoms[0].start = 0 // blank lines at the beginning belong to it
	o.setApart(doc)
	o.close(0)
	o.sums = make([]int, len(o.atoms)+1)
	for i, a := range o.atoms {
		o.sums[i+1] = o.sums[i] + int(a.tokens)
	}
	return o
}

// open begins a section at the next atom; sections of the same or a deeper level
// end there.
func (o *outline) open(level int, title string, headed bool) {
	o.openAt(len(o.atoms), level, title, headed)
}

func (o *outline) openAt(first, level int, title string, headed bool) {
	parent := uint32(len(o.sections) - 1)
	for o.sections[parent].level >= level && parent != 0 {
		parent = o.sections[parent].parent
	}
	title = shorten(title)
	s := section{title: title, level: level, parent: parent, first: first, headed: headed}
	if title != "" {
		s.tokens = o.opts.Count(title) + 1
	}
	id := uint32(len(o.sections))
	o.sections = append(o.sections, s)
	o.sections[parent].children = append(o.sections[parent].children, id)
	for i := first; i < len(o.atoms); i++ {
		o.atoms[i].section = id
	}
}

// close sets the ends of all sections, when all atoms are known.
func (o *outline) close(id uint32) {
	type visit struct {
		id   uint32
		last int
	}
	stack := []visit{{id, len(o.atoms)}}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		s := &o.sections[v.id]
		s.last, s.body = v.last, v.last
		for i := len(s.children) - 1; i >= 0; i-- {
			stack = append(stack, visit{s.children[i], s.body})
			s.body = o.sections[s.children[i]].first
		}
	}
}

// tokens returns the number of tokens of some atoms.
func (o *outline) tokens(first, last int) int { return o.sums[last] - o.sums[first] }

// sectionAbove returns the section whose heading is the first that does not stand in a
// chunk that begins at an atom.
func (o *outline) sectionAbove(first int) uint32 {
	id := o.atoms[first].section
	if s := &o.sections[id]; s.first == first && id != 0 {
		return s.parent
	}
	return id
}

// contextTokens returns the tokens of the context of a chunk that begins at an
// atom.
func (o *outline) contextTokens(first int) int {
	sum := 0
	o.eachInContext(first, func(s *section) { sum += s.tokens })
	return sum
}

// eachInContext calls f for the sections of the context, the innermost first,
// until they have too many tokens together.
func (o *outline) eachInContext(first int, f func(*section)) {
	if first == 0 {
		return // nothing stands above
	}
	o.eachAbove(o.sectionAbove(first), f)
}

// eachAbove calls f for a section and those it lies in, the innermost first,
// until they have too many tokens together.
func (o *outline) eachAbove(id uint32, f func(*section)) {
	budget := o.opts.MaxTokens / contextShare
	for ; ; id = o.sections[id].parent {
		s := &o.sections[id]
		if budget -= s.tokens; budget < 0 {
			return
		}
		if s.title != "" {
			f(s)
		}
		if id == 0 {
			return
		}
	}
}

// headings returns the context of a chunk that begins at an atom, and the path
// of headings in force there: that with the headings the chunk begins with.
func (o *outline) headings(first int) (context, path []string) {
	o.eachInContext(first, func(s *section) { context = append(context, s.title) })
	slices.Reverse(context)
	path = o.path(o.sectionAbove(first))
	for i := first; i < len(o.atoms); i++ {
		s := &o.sections[o.atoms[i].section]
		if o.atoms[i].section == 0 || s.first != i || i > first && (!s.headed || o.sections[s.parent].first != i-1) {
			break
		}
		if s.title != "" {
			path = append(path, s.title)
		}
	}
	return context, path
}

// path returns the titles of a section and of those it lies in, outermost
// first.
func (o *outline) path(id uint32) (titles []string) {
	for ; ; id = o.sections[id].parent {
		if title := o.sections[id].title; title != "" {
			titles = append(titles, title)
		}
		if id == 0 {
			break
		}
	}
	slices.Reverse(titles)
	return titles
}

// shorten makes a title of a heading: without white space around it and of a
// bounded length, cut between words where there are some.
func shorten(title string) string {
	title = strings.Trim(title, blanks)
	if len(title) <= maxTitle {
		return title
	}
	cut := maxTitle
	for cut > 0 && !utf8.RuneStart(title[cut]) {
		cut--
	}
	if space := strings.LastIndexAny(title[:cut], " \t"); space > maxTitle/2 {
		cut = space
	}
	return strings.TrimRight(title[:cut], blanks)
}
