package lexical

import (
	"strings"
	"unicode"
)

// Conditions for a text to be a list of what stands elsewhere.
const (
	leastEntries = 5
	listingShare = .6 // of the lines that hold something
)

// ListingTerm annotates chunks that are contents or an index: mostly lines that point to other
// files of the folder, or to pages.
const ListingTerm = listingMark + "listing"

// isListing reports whether a text is mostly lines that point elsewhere.
func isListing(text string) bool {
	if !strings.Contains(text, "](") && !strings.Contains(text, "[[") && !strings.Contains(text, "...") && !strings.Contains(text, ". . .") {
		return false
	}
	lines, entries := 0, 0
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		lines++
		if isEntry(line) {
			entries++
		}
	}
	return entries >= leastEntries && float64(entries) >= listingShare*float64(lines)
}

// isEntry reports whether a line of a list is little but a link within the folder, or a title with
// dots up to the number of a page. What links lead to on the web is no file of the folder.
func isEntry(line string) bool {
	if dots := strings.LastIndex(line, ". ."); dots > 0 || strings.Contains(line, "....") {
		last := line[max(dots, strings.LastIndex(line, "..")):]
		page := strings.TrimLeft(last, ". ")
		return page != "" && len(page) <= 5 && strings.Trim(page, "0123456789ivxlc") == ""
	}
	entry := strings.TrimLeftFunc(line, func(r rune) bool {
		return r == '-' || r == '*' || r == '+' || r == '.' || r == ')' || unicode.IsDigit(r) || unicode.IsSpace(r)
	})
	if len(entry) == len(line) || strings.Contains(line, "](http") {
		return false
	}
	if link, ok := strings.CutPrefix(entry, "[["); ok {
		end := strings.Index(link, "]]")
		return end > 0 && len(link)-end-2 <= end
	}
	if link, ok := strings.CutPrefix(entry, "["); ok {
		if start := strings.Index(link, "]("); start > 0 {
			end := strings.IndexByte(link[start:], ')')
			return end > 0 && len(link)-start-end-1 <= start
		}
	}
	return false
}
