package markup

import (
	"context"
	"strings"

	"dowse/indexer/document"
	"dowse/internal/pattern"
)

// verbatim are the environments whose content stays as it is: code, and formulas.
var verbatim = map[string]string{
	"verbatim": "", "Verbatim": "", "lstlisting": "", "minted": "", "alltt": "", "equation": "latex", "equation*": "latex", "align": "latex", "align*": "latex",
	"gather": "latex", "gather*": "latex", "eqnarray": "latex", "multline": "latex", "displaymath": "latex", "tikzpicture": "-", "comment": "-", "filecontents": "-",
	"pgfpicture": "-",
}

// levels are the commands that are headings.
var levels = map[string]int{"part": 1, "chapter": 1, "section": 1, "subsection": 2, "subsubsection": 3, "paragraph": 4, "subparagraph": 5}

// texLevel is a command that is a heading, with its short form.
const texLevel = `(part|chapter|section|subsection|subsubsection|paragraph|subparagraph)\*?\s*(?:\[[^\]]*\])?`

var (
	texBegin   = pattern.New(`^\s*\\begin\s*\{([A-Za-z*]+)\}(?:\[[^\]]*\])?`)
	texEnd     = pattern.New(`\\end\s*\{([A-Za-z*]+)\}`)
	texSection = pattern.New(`^\s*\\` + texLevel + `\s*\{`)
	texInner   = pattern.New(`\\(?:begin|end|` + texLevel + `)\s*\{|\\verb`)
	texMeta    = pattern.New(`\\(title|author)\s*(?:\[[^\]]*\])?\s*\{`)
)

// latex reads a file of LaTeX line by line.
type latex struct {
	w        *writer
	meta     document.Meta
	verbatim string // the environment whose end is waited for
	inside   []string
	from     int // line on which what is open began
	para     []string
	depth    int  // of lists
	item     bool // the paragraph is an item
	table    bool
	names    []string
	rows     int
}

// readLaTeX reads the text of a document: sections, paragraphs, lists, tables; formulas and listings as they are.
func readLaTeX(ctx context.Context, in *document.Input) (*document.Document, error) {
	text, err := in.Text(ctx, in.Data)
	if err != nil {
		return nil, err
	}
	l := latex{w: newWriter(in)}
	var head strings.Builder // the preamble
	inHead := strings.Contains(text, `\begin{document}`)
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\r\n")
		if l.verbatim == "" {
			if strings.HasPrefix(strings.TrimSpace(line), "%") {
				continue
			}
			line = withoutComment(line)
		}
		if inHead {
			before, after, begins := strings.Cut(line, `\begin{document}`)
			head.WriteString(before + "\n")
			if inHead = !begins; inHead {
				continue
			}
			l.about(head.String())
			line = after
		}
		ends := false
		if l.verbatim == "" {
			line, _, ends = strings.Cut(line, `\end{document}`)
		}
		if l.line(line, number); ends {
			break
		}
	}
	l.close()
	l.flush()
	return l.w.document("latex", l.meta), nil
}

// texAddress is the beginning of an address, in which a percent sign is one.
var texAddress = pattern.New(`^\\(?:url|href|nolinkurl|path)\{`)

// withoutComment cuts a line at a "%" that is not escaped.
func withoutComment(line string) string {
	if strings.IndexByte(line, '%') < 0 {
		return line
	}
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			if m := texAddress.FindString(line[i:]); m != "" {
				i += len(m) + len(argument(line[i+len(m):]))
			} else {
				i++
			}
		case '%':
			return line[:i]
		}
	}
	return line
}

// about reads what the preamble says of the document.
func (l *latex) about(preamble string) {
	for _, m := range texMeta.FindAllStringSubmatchIndex(preamble, maxTags) {
		value := spaced(texText(argument(preamble[m[1]:])))
		if preamble[m[2]:m[3]] == "title" {
			l.meta.Title = value
			l.w.Heading(1, value)
			continue
		}
		for _, a := range strings.FieldsFunc(strings.ReplaceAll(value, " and ", ","), func(r rune) bool { return r == ',' || r == ';' }) {
			if a = spaced(a); a != "" && len(l.meta.Authors) < maxTags {
				l.meta.Authors = append(l.meta.Authors, a)
			}
		}
	}
}

// argument returns what stands before the brace that closes the one before s.
func argument(s string) string {
	open := 1
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '{':
			open++
		case '}':
			if open--; open == 0 {
				return s[:i]
			}
		}
	}
	return s
}

// line reads one line of the body.
func (l *latex) line(line string, number int) {
	for blank := true; blank || strings.TrimSpace(line) != ""; blank = false {
		line = l.step(line, number)
	}
}

// step reads the beginning of a line, and returns the rest.
func (l *latex) step(line string, number int) string {
	switch {
	case l.verbatim != "":
		return l.code(line)
	case strings.TrimSpace(line) == "":
		if !l.table {
			l.flush()
		}
	case texSection.MatchString(line):
		l.flush()
		m := texSection.FindString(line)
		title := argument(line[len(m):])
		l.w.from(number)
		l.w.Heading(levels[texSection.FindStringSubmatch(m)[1]]+1, texText(title))
		return line[min(len(line), len(m)+len(title)+1):]
	case texBegin.MatchString(line):
		return l.begin(line, number)
	case strings.HasPrefix(strings.TrimSpace(line), `\end`) && texEnd.MatchString(line):
		return l.end(line)
	default:
		words, rest := line, ""
		if m := texInner.FindStringIndex(line[1:]); m != nil && line[1+m[0]:1+m[1]] != `\verb` {
			words, rest = line[:1+m[0]], line[1+m[0]:]
		}
		l.words(words, number)
		return rest
	}
	return ""
}

// code reads a line of an environment that stays as it is.
func (l *latex) code(line string) string {
	m := texEnd.FindStringSubmatchIndex(line)
	if m == nil || line[m[2]:m[3]] != l.verbatim {
		l.inside = append(l.inside, line)
		return ""
	}
	l.inside = append(l.inside, line[:m[0]])
	l.close()
	return line[m[1]:]
}

// begin reads the beginning of an environment.
func (l *latex) begin(line string, number int) string {
	m := texBegin.FindStringSubmatch(line)
	rest := line[len(m[0]):]
	l.flush()
	if _, ok := verbatim[m[1]]; ok {
		l.verbatim, l.from = m[1], number
		return rest
	}
	switch m[1] {
	case "itemize", "enumerate", "description":
		l.depth++
	case "tabular", "tabularx", "longtable", "tabular*":
		l.table, l.names, l.rows = true, nil, 0
		for strings.HasPrefix(rest, "{") { // how the columns look
			rest = rest[min(len(rest), len(argument(rest[1:]))+2):]
		}
	}
	return rest
}

// end reads the end of an environment.
func (l *latex) end(line string) string {
	m := texEnd.FindStringSubmatchIndex(line)
	l.flush()
	switch name := line[m[2]:m[3]]; {
	case name == "itemize" || name == "enumerate" || name == "description":
		l.depth = max(0, l.depth-1)
	case strings.HasPrefix(name, "tabular") || name == "longtable":
		l.table = false
	}
	return line[m[1]:]
}

// words adds words to the paragraph, the item or the table that is open.
func (l *latex) words(line string, number int) {
	for {
		i := strings.Index(line, `\item`)
		if i < 0 || i+5 < len(line) && isLetter(line[i+5]) {
			break
		}
		l.add(line[:i], number)
		l.flush()
		l.item = true
		line = line[i+5:]
	}
	l.add(line, number)
}

func (l *latex) add(line string, number int) {
	if strings.TrimSpace(line) == "" {
		return
	}
	if len(l.para) == 0 {
		l.from = number
	}
	l.para = append(l.para, line)
	if l.table && strings.HasSuffix(strings.TrimSpace(line), `\\`) {
		l.flush()
	}
}

// flush writes what is open.
func (l *latex) flush() {
	raw := strings.Join(l.para, "\n")
	l.para = nil
	item := l.item
	if strings.TrimSpace(raw) != "" {
		l.w.from(l.from)
	}
	switch {
	case l.table:
		l.row(raw)
	case item:
		if label, rest, ok := strings.Cut(strings.TrimSpace(raw), "]"); ok && strings.HasPrefix(label, "[") {
			raw = label[1:] + " " + rest // what is described
		}
		l.w.Item(max(0, l.depth-1), texText(raw))
	default:
		l.w.Paragraph(texText(raw))
	}
	l.item = false
}

// row writes a row of a table, the first of which names the columns.
func (l *latex) row(raw string) {
	raw = strings.TrimSuffix(strings.TrimSpace(raw), `\\`)
	raw = strings.ReplaceAll(raw, `\&`, "\x00")
	var cells []string
	words := false
	for c := range strings.SplitSeq(raw, "&") {
		c = texText(strings.ReplaceAll(c, "\x00", `\&`))
		words = words || strings.TrimSpace(c) != ""
		cells = append(cells, c)
	}
	if !words {
		return
	}
	if l.rows++; l.rows == 1 && len(cells) > 1 {
		l.names = cells
		l.w.Row(nil, cells)
		return
	}
	l.w.Row(l.names, cells)
}

// close writes the environment whose end has come.
func (l *latex) close() {
	if l.verbatim == "" {
		return
	}
	if language := verbatim[l.verbatim]; language != "-" {
		l.w.from(l.from)
		l.w.Code(language, strings.Join(l.inside, "\n"))
	}
	l.verbatim, l.inside = "", nil
}
