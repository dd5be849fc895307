package passage

import "strings"

// farthestColumns bounds how far above a chunk the head of its table is looked for, in bytes.
const farthestColumns = 256 << 10

// columnsAbove is the row that names the columns of the Markdown table within which a
// chunk begins, "" where it begins in none or with that row: a long table is several
// chunks, and the cells of the later ones say little without it.
func columnsAbove(body string, start int) string {
	if !isTableRow(firstLine(body[start:])) {
		return ""
	}
	var first, second string // rows of the table, from its top
	for at, least := start, start-farthestColumns; at > 0; {
		begin := strings.LastIndexByte(body[:at-1], '\n') + 1
		line := body[begin:at]
		if begin < least || !isTableRow(line) {
			break
		}
		first, second, at = line, first, begin
	}
	if second == "" {
		second = firstLine(body[start:])
	}
	if first == "" || strings.Trim(second, "|-: \t\r\n") != "" {
		return ""
	}
	return strings.TrimSpace(first)
}

// isTableRow reports whether a line is a row of a table.
func isTableRow(line string) bool { return strings.HasPrefix(strings.TrimLeft(line, " "), "|") }

// firstLine is the first line of a text, its end included.
func firstLine(text string) string {
	if end := strings.IndexByte(text, '\n'); end >= 0 {
		return text[:end+1]
	}
	return text
}
