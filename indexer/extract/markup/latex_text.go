package markup

import (
	"strings"

	"golang.org/x/text/unicode/norm"

	"dowse/indexer/document"
	"dowse/internal/pattern"
)

// dropped are the commands of which so many arguments are no text that a reader sees: names, lengths,
// colours, addresses.
var dropped = map[string]int{
	"label": 1, "ref": 1, "eqref": 1, "pageref": 1, "autoref": 1, "cref": 1, "Cref": 1, "nameref": 1, "cite": 1, "citep": 1, "citet": 1, "nocite": 1,
	"parencite": 1, "textcite": 1, "autocite": 1, "includegraphics": 1, "input": 1, "include": 1, "bibliography": 1, "bibliographystyle": 1, "usepackage": 1,
	"documentclass": 1, "vspace": 1, "hspace": 1, "setlength": 2, "pagestyle": 1, "thispagestyle": 1, "newcommand": 2, "renewcommand": 2, "providecommand": 2, "index": 1,
	"cline": 1, "cmidrule": 1, "setcounter": 2, "addcontentsline": 2, "hypersetup": 1, "definecolor": 3, "color": 1, "textcolor": 1,
	"bibitem": 1, "fontsize": 2, "selectlanguage": 1, "foreignlanguage": 1, "phantomsection": 1, "href": 1, "hyperlink": 1, "hypertarget": 1,
	"colorbox": 1, "fcolorbox": 2, "multicolumn": 2, "multirow": 2, "resizebox": 2, "scalebox": 1, "rotatebox": 1, "raisebox": 1, "parbox": 1, "rule": 2,
}

// apart are the commands whose argument is read apart from the word before.
var apart = map[string]bool{
	"footnote": true, "footnotetext": true, "thanks": true, "marginpar": true, "marginnote": true, "sidenote": true, "todo": true, "caption": true,
}

// addresses are the commands whose argument is an address or a path, which stays as it is.
var addresses = map[string]bool{"url": true, "nolinkurl": true, "path": true}

// letters are the commands that stand for letters.
var letters = map[string]string{
	"ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "aa": "å", "AA": "Å", "l": "ł", "L": "Ł", "i": "i", "j": "j",
	"ldots": "…", "dots": "…", "textendash": "–", "textemdash": "—", "LaTeX": "LaTeX", "TeX": "TeX", "euro": "€", "pounds": "£", "S": "§", "copyright": "©",
	"textbackslash": `\`, "textasciitilde": "~", "quad": " ", "qquad": " ", "newline": " ", "par": " ", "and": " and ", "degree": "°", "textdegree": "°",
}

// lineSkip is a distance below a line.
var lineSkip = pattern.New(`^\*?\[[0-9. ]+[a-z]{2}\]`)

const maxSkip = 20 // bytes of it

const maxOption = 200 // bytes of what stands in brackets behind a command

// accents are the commands that change the letter that follows.
var accents = map[byte]string{
	'\'': "\u0301", '`': "\u0300", '^': "\u0302", '"': "\u0308", '~': "\u0303", '=': "\u0304", '.': "\u0307", 'u': "\u0306", 'v': "\u030c", 'H': "\u030b",
	'c': "\u0327", 'k': "\u0328", 'r': "\u030a", 'd': "\u0323", 'b': "\u0331",
}

// texText returns the words of a stretch of LaTeX. Formulas stay as they are written.
func texText(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); {
		switch c := s[i]; c {
		case '\\':
			i = texCommand(&out, s, i+1)
		case '{', '}':
			i++
		case '~':
			out.WriteByte(' ')
			i++
		case '$':
			end := strings.IndexByte(s[i+1:], '$')
			if end < 0 {
				end = len(s) - i - 2
			}
			out.WriteString(s[i : i+end+2])
			i += end + 2
		case '`', '\'', '-':
			n := 1
			for i+n < len(s) && s[i+n] == c && n < 3 {
				n++
			}
			out.WriteString(sign(c, n))
			i += n
		default:
			out.WriteByte(c)
			i++
		}
	}
	return norm.NFC.String(strings.ToValidUTF8(out.String(), "\ufffd"))
}

// sign returns what a sign means that is written n times.
func sign(c byte, n int) string {
	switch {
	case n == 1:
		return string(c)
	case c == '-':
		return [...]string{"–", "—"}[n-2]
	case n == 2:
		return `"`
	}
	return strings.Repeat(string(c), n)
}

// texCommand writes what a command stands for, whose name begins at i, and returns where reading goes on.
func texCommand(out *strings.Builder, s string, i int) int {
	if i >= len(s) {
		return i
	}
	end := i
	for end < len(s) && isLetter(s[end]) {
		end++
	}
	name := s[i:end]
	if mark, ok := accents[s[i]]; ok && len(name) <= 1 {
		return accented(out, s, i+1, mark, name != "")
	}
	if name == "" { // \%, \\, \[
		switch s[i] {
		case '\\': // a new line, and how far below
			out.WriteByte(' ')
			i += len(lineSkip.FindString(s[i+1 : min(len(s), i+maxSkip)]))
		case ',', ';', ' ':
			out.WriteByte(' ')
		case '(', '[': // a formula, as it is written
			end := strings.Index(s[i:], map[byte]string{'(': `\)`, '[': `\]`}[s[i]])
			if end < 0 {
				end = len(s) - i
			}
			out.WriteString("$" + s[i+1:i+end] + "$")
			return min(len(s), i+end+2)
		case '%', '&', '$', '#', '_', '{', '}':
			out.WriteByte(s[i])
		}
		return i + 1
	}
	if letter, ok := letters[name]; ok {
		out.WriteString(letter)
		if strings.HasPrefix(s[end:], "{}") {
			return end + 2
		}
		for end < len(s) && s[end] == ' ' && len(name) <= 2 {
			end++
		}
		return end
	}
	if end < len(s) && s[end] == '*' {
		end++
	}
	if end < len(s) && s[end] == '[' {
		if j := strings.IndexByte(s[end:min(len(s), end+maxOption)], ']'); j >= 0 {
			end += j + 1
		}
	}
	for n := dropped[name]; n > 0 && end < len(s); {
		next := end
		switch s[end] {
		case '{':
			next = min(len(s), end+len(argument(s[end+1:]))+2)
			n--
		case '[': // how many arguments a new command has
			next = end + 1 + strings.IndexByte(s[end:min(len(s), end+maxOption)], ']')
		}
		if next <= end+1 {
			break
		}
		end = next
	}
	switch {
	case apart[name]:
		out.WriteByte(' ')
	case addresses[name] && end < len(s) && s[end] == '{':
		value := argument(s[end+1:])
		out.WriteString(strings.TrimSpace(value))
		end = min(len(s), end+len(value)+2)
	case end < len(s) && s[end] == '{':
		out.WriteString(document.ShiftNamed(strings.TrimPrefix(name, "text")).Mark(out.String(), s[end+1:]))
	}
	return end
}

// accented writes the letter at i with a mark above or below.
func accented(out *strings.Builder, s string, i int, mark string, isName bool) int {
	start := i
	for i < len(s) && (s[i] == '{' || isName && s[i] == ' ') {
		i++
	}
	if strings.HasPrefix(s[i:], `\i`) || strings.HasPrefix(s[i:], `\j`) {
		i++
	}
	if i >= len(s) || !isLetter(s[i]) {
		return start
	}
	out.WriteByte(s[i])
	out.WriteString(mark)
	return i + 1
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
