package tui

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"dowse/engine"
)

// whereText is what is drawn behind a path, safe to draw, in half of w cells: names of
// messages and members may be long.
func whereText(where engine.Where, line, w int) string {
	return fit(sanitize(where.Behind(line)), w/2)
}

// placeText is path:line as one would paste it: behind an editor's name into a
// shell, mostly. There it is one word that means the path itself, whatever stands
// in it; a path that is such a word already stays as it is.
func placeText(path string, line int) string { return pathText(path + ":" + strconv.Itoa(line)) }

// pathText is a path so.
func pathText(place string) string {
	switch {
	case !strings.ContainsFunc(place, needsQuotes):
		return place
	case runtime.GOOS == "windows": // no name there has a quotation mark
		return `"` + place + `"`
	case strings.ContainsFunc(place, needsEscape) || !utf8.ValidString(place):
		return escapeQuoted(place)
	}
	return "'" + strings.ReplaceAll(place, "'", `'\''`) + "'"
}

// needsQuotes reports whether a shell could take r for more than a letter of a word.
func needsQuotes(r rune) bool {
	return r == utf8.RuneError || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune(`_-./:+,@%=`, r) && (r != '\\' || runtime.GOOS != "windows")
}

// needsEscape reports whether r cannot be pasted: it ends the line, steers the
// terminal, or is not to be seen.
func needsEscape(r rune) bool { return !unicode.IsPrint(r) }

// escapeQuoted quotes text by $'...', which shells know since POSIX.1-2024 and most
// have known for long. What is not to be seen stands there as the octal digits of
// its bytes.
func escapeQuoted(text string) string {
	var b strings.Builder
	b.WriteString("$'")
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1 || needsEscape(r):
			for _, c := range []byte(text[i : i+size]) {
				fmt.Fprintf(&b, `\%03o`, c)
			}
		case r == '\'' || r == '\\':
			b.WriteString(`\` + string(r))
		default:
			b.WriteRune(r)
		}
		i += size
	}
	return b.String() + "'"
}
