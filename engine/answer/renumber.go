package answer

import (
	"strconv"
	"strings"
)

// Renumber maps the citations of a text; it removes numbers without a target,
// and empty citations.
func Renumber(text string, to map[int]int) string {
	var out strings.Builder
	at := 0
	for _, m := range citationMarks(text, Range{Start: 0, End: len(text)}) {
		var numbers []string
		same := true
		for _, n := range m.numbers {
			given, known := to[n]
			if known {
				numbers = append(numbers, strconv.Itoa(given))
			}
			same = same && known && given == n
		}
		if same {
			continue
		}
		before := text[at:m.Start]
		if len(numbers) == 0 {
			out.WriteString(strings.TrimRight(before, " "))
		} else {
			out.WriteString(before + "[" + strings.Join(numbers, ", ") + "]")
		}
		at = m.End
	}
	if at == 0 {
		return text
	}
	return out.String() + text[at:]
}
