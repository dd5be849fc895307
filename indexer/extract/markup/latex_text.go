package markup

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// dropped are the commands whose argument is no text that a reader sees.
var dropped = map[string]bool{
	"label": true, "ref": true, "eqref": true, "pageref": true, "autoref": true, "cref": true, "Cref": true, "cite": true, "citep": true, "citet": true, "nocite": true,
	"includegraphics": true, "input": true, "include": true, "bibliography": true, "bibliographystyle": true, "usepackage": true, "documentclass": true,
	"vspace": true, "hspace": true, "setlength": true, "pagestyle": true, "thispagestyle": true, "newcommand": true, "renewcommand": true, "index": true,
	"cline": true, "cmidrule": true, "setcounter": true, "addcontentsline": true, "hypersetup": true, "definecolor": true, "color": true, "textcolor": true,
	"bibitem": true, "fontsize": true, "selectlanguage": true, "phantomsection": true,
}

// letters are the commands that stand for letters.
var letters = map[string]string{
	"ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "aa": "å", "AA": "Å", "l": "ł", "L": "Ł", "i": "i", "j": "j",
	"ldots": "…", "dots": "…", "textendash": "–", "textemdash": "—", "LaTeX": "LaTeX", "TeX": "TeX", "euro": "€", "pounds": "£", "S": "§", "copyright": "©",
	"textbackslash": `\`, "textasciitilde": "~", "quad": " ", "qquad": " ", "newline": " ", "par": " ", "and": " and ", "degree": "°", "textdegree": "°",
}

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
		case '\\', ',', ';', ' ':
			out.WriteByte(' ')
		case '(', ')', '[', ']':
			out.WriteByte('$')
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
	if dropped[name] && end < len(s) && s[end] == '{' {
		end = min(len(s), end+len(argument(s[end+1:]))+2)
		return end
	}
	switch name {
	case "footnote", "href", "url":
		out.WriteByte(' ')
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
