package answer

import (
	"strconv"
	"strings"

	"dowse/internal/pattern"
)

// citationMark is [1], [1, 2], [1-3] and variants of models: [passage 1].
var citationMark = pattern.New(`(?i)\[\s*(?:passages?|sources?)?\s*#?([0-9]{1,4}(?:\s*[,;–-]\s*[0-9]{1,4})*)\s*\]`)

// mark is a citation in a text.
type mark struct {
	Range
	numbers []int
}

// maxCitedRange bounds ranges such as [1-3].
const maxCitedRange = 20

// citationMarks finds the citations of a text outside code.
func citationMarks(text string, r Range) []mark {
	var found []mark
	for _, at := range citationMark.FindAllStringSubmatchIndex(text[r.Start:r.End], -1) {
		start := r.Start + at[0]
		if start > r.Start && isIndexed(text[start-1]) || inCode(text[r.Start:start]) {
			continue
		}
		found = append(found, mark{Range{Start: start, End: r.Start + at[1]}, citedNumbers(text[r.Start+at[2] : r.Start+at[3]])})
	}
	return found
}

// isIndexed reports whether a bracket after c is an index, as in argv[1];
// models do put citations right after words.
func isIndexed(c byte) bool { return c == '_' || c == '$' || c == '}' }

// inCode reports whether a backtick is open at the end of a text.
func inCode(before string) bool {
	open := false
	for i := range len(before) {
		if before[i] == '`' {
			open = !open
		}
	}
	return open
}

// citedNumbers reads "1", "1, 2" and "1-3".
func citedNumbers(list string) []int {
	var numbers []int
	last, through := 0, false
	for i := 0; i < len(list); {
		if !isASCIIDigit(list[i]) {
			through = through && list[i] == ' ' || list[i] == '-' || list[i] == 0xE2 // –
			for i++; i < len(list) && list[i] >= 0x80; {
				i++
			}
			continue
		}
		end := i
		for end < len(list) && isASCIIDigit(list[end]) {
			end++
		}
		n, err := strconv.Atoi(list[i:end])
		if err != nil { // impossible: four digits at most
			return numbers
		}
		if through && n > last && n-last <= maxCitedRange {
			for k := last + 1; k < n; k++ {
				numbers = append(numbers, k)
			}
		}
		numbers = append(numbers, n)
		last, through, i = n, false, end
	}
	return numbers
}

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
