package pdf

import (
	"strings"
	"unicode"
)

// spoken is a part of a page of which the file says how it reads (ActualText), whatever its
// glyphs are: a ligature, a word of drawn outlines, a letter of a script that fonts take apart.
type spoken struct {
	text  string
	order int  // of its last object, among those of the page
	drawn bool // no object of it is text, or of characters that PDFium knows
	said  bool // it is in the text already
	keeps bool // what the page shows stays

	x0, y0, x1, y1 float64 // of its objects, on the page
}

// actual are the parts of a page that say how they read.
type actual struct {
	of    map[uint64]*spoken // by text object
	order map[uint64]int     // of text objects, nil where no part is drawn
	parts []*spoken          // in the order of the page
}

// silent finds the parts whose glyphs have no character but spaces: those are drawn, too. One
// of a single letter says nothing then: InDesign writes what leads a tab so, and the leaders behind.
func (a *actual) silent(p *instance, text uint64, chars int) {
	if len(a.of) == 0 {
		return
	}
	heard := map[*spoken]bool{}
	for i := range uint64(chars) {
		if s := a.of[p.call("FPDFText_GetTextObject", text, i)]; s != nil && !heard[s] {
			r := rune(p.call("FPDFText_GetUnicode", text, i))
			heard[s] = r != 0 && !unicode.IsSpace(r)
		}
	}
	for _, s := range a.parts {
		if !s.drawn && !heard[s] {
			s.drawn, s.said = true, !lacks("", nil, strings.FieldsFunc(s.text, notLetter), 2)
		}
	}
}

// drawnChars returns how long the texts of the parts are that have no glyphs.
func (a *actual) drawnChars() (n int) {
	for _, s := range a.parts {
		if s.drawn && !s.said {
			n += len(s.text)
		}
	}
	return n
}

// Kinds of FPDFPageObj_GetType.
const (
	objectText = 1
	objectForm = 5
)

// Bounds of the search for ActualText.
const (
	maxForms    = 8       // forms within forms
	maxElements = 100_000 // of the tree of one page
	maxTree     = 64
	maxMarks    = 16 // of one object
)

// actualReader reads the parts of a page that say how they read.
type actualReader struct {
	p      *instance
	left   *budget
	marked map[uint64]*spoken // by mark
	tree   map[int]*spoken    // by marked content
	all    actual
	remove [][2]uint64 // text objects, and marks of theirs
	n      int         // objects so far
}

// readActual reads them, before the text of the page is read: PDFium would put some of them
// in place of glyphs by itself, where the font has their letters, and says no longer what the
// page shows. It finds none then.
func readActual(p *instance, page uint64, left *budget) *actual {
	r := actualReader{p: p, left: left, marked: map[uint64]*spoken{}, tree: map[int]*spoken{}}
	r.all.of, r.all.order = map[uint64]*spoken{}, map[uint64]int{}
	r.readTree(page)
	r.objects("FPDFPage", page, nil, 0, 0)
	for _, of := range r.remove { // afterwards: objects share their marks
		p.call("FPDFPageObj_RemoveMark", of[0], of[1])
	}
	return &r.all
}

// objects reads those of a page or a form; top is the object of the page that the form is.
func (r *actualReader) objects(holder string, handle uint64, of *spoken, top uint64, deep int) {
	count, get := holder+"_CountObjects", holder+"_GetObject"
	for i := range r.p.count(count, handle) {
		if r.left.objects--; r.left.objects < 0 || r.p.err != nil {
			return
		}
		r.n++
		object := r.p.call(get, handle, uint64(i))
		kind := r.p.call("FPDFPageObj_GetType", object)
		s := r.spokenBy(object, kind == objectText)
		if of != nil {
			s = of
		}
		on := top
		if on == 0 {
			on = object
		}
		if kind == objectForm && deep < maxForms {
			r.objects("FPDFFormObj", object, s, on, deep+1)
			continue
		}
		r.note(object, s, on, kind == objectText)
	}
}

// note notes that an object is of a part, if that is not nil.
func (r *actualReader) note(object uint64, s *spoken, on uint64, isText bool) {
	if isText {
		r.all.order[object] = r.n
	}
	if s == nil {
		return
	}
	at := uint64(r.p.scratch)
	if r.p.call("FPDFPageObj_GetBounds", on, at, at+4, at+8, at+12) != 0 {
		x0, y0, x1, y1 := r.p.float(0), r.p.float(4), r.p.float(8), r.p.float(12)
		if s.order > 0 {
			x0, y0, x1, y1 = min(s.x0, x0), min(s.y0, y0), max(s.x1, x1), max(s.y1, y1)
		}
		s.x0, s.y0, s.x1, s.y1 = x0, y0, x1, y1
	}
	if s.order == 0 {
		s.drawn = true
		r.all.parts = append(r.all.parts, s)
	}
	s.order = r.n
	if isText {
		s.drawn = false
		r.all.of[object] = s
	}
}

// spokenBy returns the part that an object is of, by its marks or by the tree; nil of none.
func (r *actualReader) spokenBy(object uint64, isText bool) (s *spoken) {
	for i := range min(r.p.count("FPDFPageObj_CountMarks", object), maxMarks) {
		mark := r.p.call("FPDFPageObj_GetMark", object, uint64(i))
		of, known := r.marked[mark]
		if !known && r.left.chars >= 0 {
			of = r.newSpoken(r.markText(mark))
			r.marked[mark] = of
		}
		if of != nil {
			if s = of; isText {
				r.remove = append(r.remove, [2]uint64{object, mark})
			}
		}
	}
	if s == nil && len(r.tree) > 0 {
		s = r.tree[int(int32(uint32(r.p.call("FPDFPageObj_GetMarkedContentID", object))))]
	}
	return s
}

// newSpoken is a part that reads so, nil where the file says nothing.
func (r *actualReader) newSpoken(text string) *spoken {
	r.left.chars -= len(text)
	if text = readable(text); text == "" || r.left.chars < 0 {
		return nil
	}
	return &spoken{text: text}
}

// markText returns the ActualText of a mark. PDFium has a function that gives it as text, and
// takes what is UTF-16 in the file for UTF-8: this one gives its bytes.
func (r *actualReader) markText(mark uint64) (text string) {
	r.p.named("ActualText", func(key uint64) {
		length := r.p.scratch + scratchBytes
		text = textString(r.p.bytes(func(at, n uint64) int {
			if r.p.call("FPDFPageObjMark_GetParamBlobValue", mark, key, at, n, uint64(length)) == 0 {
				return 0
			}
			read, _ := r.p.memory.ReadUint32Le(length)
			return int(read)
		}))
	})
	return text
}

// readTree reads the elements of a page's tree that say how they read.
func (r *actualReader) readTree(page uint64) {
	tree := r.p.call("FPDF_StructTree_GetForPage", page)
	if tree == 0 {
		return
	}
	left := maxElements
	for i := range r.p.count("FPDF_StructTree_CountChildren", tree) {
		if left <= 0 || r.p.err != nil {
			break
		}
		r.element(r.p.call("FPDF_StructTree_GetChildAtIndex", tree, uint64(i)), nil, &left, 0)
	}
	r.p.call("FPDF_StructTree_Close", tree)
}

// element reads an element and those below it, which are of the part that it is.
func (r *actualReader) element(element uint64, of *spoken, left *int, deep int) {
	if *left--; element == 0 || *left < 0 || deep > maxTree || r.p.err != nil {
		return
	}
	if of == nil {
		of = r.newSpoken(r.p.text("FPDF_StructElement_GetActualText", element))
	}
	if of != nil {
		for i := range r.p.count("FPDF_StructElement_GetMarkedContentIdCount", element) {
			if *left--; *left < 0 {
				return
			}
			id := int(int32(uint32(r.p.call("FPDF_StructElement_GetMarkedContentIdAtIndex", element, uint64(i)))))
			if id >= 0 {
				r.tree[id] = of
			}
		}
	}
	for i := range r.p.count("FPDF_StructElement_CountChildren", element) {
		r.element(r.p.call("FPDF_StructElement_GetChildAtIndex", element, uint64(i)), of, left, deep+1)
		if *left < 0 {
			return
		}
	}
}
