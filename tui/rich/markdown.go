package rich

import (
	"strings"

	"dowse/engine"
	"dowse/internal/pattern"
)

// Source is a line of a file, safe to draw, with its matched words.
type Source struct {
	Text  string
	Hits  []engine.Range
	Marks []Mark
}

// Markdown returns lines as they are meant. first says that they begin the
// file, so that rules at the top enclose its head. plain leaves out what only structures:
// fences, rules, addresses of links.
func Markdown(lines []Source, first, plain bool) []Line {
	r := reader{lines: lines, out: make([]Line, len(lines)), plain: plain}
	at := 0
	if first {
		at = r.frontMatter()
	}
	if !first && beginsInFence(lines[at:]) {
		at = r.code(at, "")
	}
	for at < len(lines) {
		at = r.block(at)
	}
	return r.out
}

// Headings returns lines of which only headings are markup, as of text that was taken out of
// other formats.
func Headings(lines []Source) []Line {
	out := make([]Line, len(lines))
	for i, line := range lines {
		m := makerOf(line)
		if of := headingForm.FindStringSubmatchIndex(line.Text); of != nil {
			m.keep(of[2], of[3], Heading)
		} else {
			m.keep(0, len(line.Text), 0)
		}
		out[i] = m.line()
	}
	return out
}

var (
	headingForm = pattern.New(`^ {0,3}#{1,6}[ ]+(.*?)(?: +#+)? *$`)
	fenceForm   = pattern.New("^ *(```+|~~~+)[ ]*([^`]*)$")
	ruleForm    = pattern.New(`^ {0,3}(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,}|={3,} *)$`)
	itemForm    = pattern.New(`^( *)(?:[-*+]|(\d{1,9}[.)])) +(\[[ xX]\] )?`)
	quoteForm   = pattern.New(`^ {0,3}> ?`)
	tableForm   = pattern.New(`^ *\|?(?: *:?-+:? *\|)+ *:?-* *:? *$`)
)

// reader reads the blocks of a text.
type reader struct {
	lines  []Source
	out    []Line
	plain  bool
	inList bool
}

func (r *reader) maker(i int) *maker { return makerOf(r.lines[i]) }

// whole shows a line as it is written.
func (r *reader) whole(i int, look Look) {
	m := r.maker(i)
	m.keep(0, len(m.src), look)
	r.out[i] = m.line()
}

// frontMatter shows the head of a file, between two rules, and returns the line
// behind it.
func (r *reader) frontMatter() int {
	if len(r.lines) == 0 || r.lines[0].Text != "---" {
		return 0
	}
	for i := 1; i < len(r.lines); i++ {
		if r.lines[i].Text == "---" {
			for j := range i + 1 {
				r.whole(j, Faint)
			}
			return i + 1
		}
	}
	return 0
}

// beginsInFence guesses whether the first line is within code: the fences are
// odd in number, and neither the first nor the last names a language.
func beginsInFence(lines []Source) bool {
	var named []bool
	for _, line := range lines {
		if of := fenceForm.FindStringSubmatch(line.Text); of != nil {
			named = append(named, strings.TrimSpace(of[2]) != "")
		}
	}
	n := len(named)
	return n%2 == 1 && !named[0] && !named[n-1]
}

// block shows what begins at line i, and returns the line behind it.
func (r *reader) block(i int) int {
	text := r.lines[i].Text
	if of := fenceForm.FindStringSubmatch(text); of != nil {
		r.fence(i, of[2])
		return r.code(i+1, of[2])
	}
	if i+1 < len(r.lines) && strings.Contains(text, "|") && tableForm.MatchString(r.lines[i+1].Text) {
		return r.table(i)
	}
	if r.plain && strings.HasPrefix(strings.TrimLeft(text, " "), "|") { // the rest of one
		r.out[i] = r.row(r.cells(i), nil, tableForm.MatchString(text))
		return i + 1
	}
	blank := strings.TrimSpace(text) == ""
	switch {
	case blank:
		r.whole(i, 0)
	case ruleForm.MatchString(text):
		r.inList = false
		if !r.plain {
			r.out[i] = Line{Text: rule, Spans: []Span{{0, len(rule), Faint}}}
		}
	case strings.HasPrefix(text, "    ") && !r.inList && !itemForm.MatchString(text):
		r.whole(i, Code)
	default:
		r.text(i)
	}
	return i + 1
}

const rule = "────────────"

// fence shows the name of a language in the place of a fence.
func (r *reader) fence(i int, language string) {
	if language = strings.TrimSpace(language); language != "" && !r.plain {
		r.out[i] = Line{Text: language, Spans: []Span{{0, len(language), Faint}}}
	}
}

// code shows code up to its fence, from line i on, and returns the line behind
// the fence.
func (r *reader) code(i int, language string) int {
	end := i
	for end < len(r.lines) && !fenceForm.MatchString(r.lines[end].Text) {
		end++
	}
	language, _, _ = strings.Cut(strings.TrimSpace(language), " ")
	if made, ok := CodeLines(language, r.lines[i:end]); ok && !r.plain {
		copy(r.out[i:end], made)
	} else {
		for j := i; j < end; j++ {
			r.whole(j, Code)
		}
	}
	return end + 1
}

// text shows a line of quotation, list, heading or paragraph.
func (r *reader) text(i int) {
	m := r.maker(i)
	in, at := inliner{m, r.plain}, 0
	for {
		n := len(quoteForm.FindString(m.src[at:]))
		if n == 0 {
			break
		}
		if !r.plain {
			m.put("│ ", Faint)
		}
		at += n
	}
	if of := headingForm.FindStringSubmatchIndex(m.src[at:]); of != nil {
		r.inList = false
		in.inline(at+of[2], at+of[3], Heading)
	} else if of := itemForm.FindStringSubmatchIndex(m.src[at:]); of != nil {
		r.inList = true
		in.item(at, of)
	} else {
		r.inList = r.inList && strings.HasPrefix(m.src[at:], " ")
		in.inline(at, len(m.src), 0)
	}
	r.out[i] = m.line()
}

// item shows a list's item at at, which itemForm found.
func (in inliner) item(at int, of []int) {
	in.keep(at, at+of[3], 0)
	switch {
	case of[4] >= 0:
		in.keep(at+of[4], at+of[5], 0)
		in.put(" ", 0)
	case of[6] < 0:
		in.put("• ", Faint)
	}
	if of[6] >= 0 {
		box := "☐ "
		if in.src[at+of[6]+1] != ' ' {
			box = "☑ "
		}
		in.put(box, Faint)
	}
	in.inline(at+of[1], len(in.src), 0)
}
