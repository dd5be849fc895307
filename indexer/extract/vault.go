package extract

import (
	"cmp"
	"slices"
	"strings"

	"dowse/indexer/document"
	"dowse/internal/pattern"
)

// What Obsidian and Logseq write into notes for themselves: ids of blocks, references to them, properties of the program,
// and sizes of pictures. No person wrote them, and no one reads them.
var (
	// blockID ends a block of Obsidian's, and stands alone below a table; the second is where a link leads to one.
	blockID   = pattern.New(`(?:^|[ \t]+)\^[0-9-]*[A-Za-z][A-Za-z0-9-]{2,}[ \t\r]*$`)
	blockLink = pattern.New(`(\[\[[^\[\]|#]*)#\^[A-Za-z0-9-]+`)
	// callout is what makes a quotation a box of some kind, before its title. comment is what the reading view does not show: a person's words
	// between marks, or lines between two of the marks alone.
	callout = pattern.New(`^[ \t]*(?:>[ \t]?)+(\[![A-Za-z][\w-]*(?:\|[^\]\n]*)?\][+-]?[ \t]*)`)
	comment = pattern.New(`(?:^|[ \t(])(%%[ \t]?)[^%\n]+?([ \t]?%%)(?:$|[ \t.,;:!?)\r])`)
	// pastedPicture is one that Obsidian or Logseq named.
	pastedPicture = pattern.New(`!\[\[Pasted image \d+\.\w+(?:\|[^\]]*)?\]\]|!\[[^\]]*\]\([^)]*/image_\d{10,}_\d+\.\w+\)`)
	// blockProperty is a line of Logseq's below a block, or at the beginning of a page; idLine the id that others refer to.
	blockProperty = pattern.New(`^[ \t]*(?:id:: ` + blockUUID + `|(?:collapsed|public|heading):: (?:true|false|\d)|(?:background-color|icon|(?:hl|ls|logseq|query|card)[.-][\w.-]+):: .*)\s*$`)
	idLine        = pattern.New(`^[ \t]*id:: (` + blockUUID + `)\s*$`)
	logbook       = pattern.New(`^[ \t]*(:LOGBOOK:|:END:|CLOCK: \[.*)\s*$`)
	// blockRef is a reference: the target of a link, within an embedding, or alone.
	blockRef = pattern.New(`\(\(\((?:` + blockUUID + `)\)\)\)|\{\{embed \(\((` + blockUUID + `)\)\)\}\}|\(\((` + blockUUID + `)\)\)`)
	sizes    = pattern.New(`\)\{:[a-z]+ [\w., :]*\}`)
	// marker is what stands before the words of a block.
	marker = pattern.New(`^[ \t]*(?:[-*+] )?(?:(?:TODO|DOING|DONE|NOW|LATER|WAITING|CANCELED) )?`)
)

const blockUUID = `[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`

// maxBlock is how many bytes of a block stand where another one refers to it.
const maxBlock = 200

// signsOfApps returns what of a note in Markdown no person wrote. A reference to a block of the same file is replaced by its words.
func signsOfApps(text string) (cuts []document.Cut) {
	if !strings.Contains(text, "^") && !strings.Contains(text, ":: ") && !strings.Contains(text, "((") && !strings.Contains(text, "![") && !strings.Contains(text, ":LOGBOOK:") && !strings.Contains(text, "[!") && !strings.Contains(text, "%%") {
		return nil
	}
	var blocks map[string]string
	at, fence := 0, ""
	for line := range strings.Lines(text) {
		start := at
		at += len(line)
		bare := strings.TrimSpace(line)
		if mark := fenceOf(strings.TrimLeft(bare, "-*+ ")); mark != "" && (fence == "" || strings.HasPrefix(mark, fence)) {
			if fence == "" {
				fence = mark
			} else {
				fence = ""
			}
		}
		if fence != "" {
			continue
		}
		line = strings.TrimRight(line, "\n")
		if blockProperty.MatchString(line) || logbook.MatchString(line) {
			cuts = append(cuts, document.Cut{Start: start, End: at})
			continue
		}
		within := func(found []int, instead string) {
			cuts = append(cuts, document.Cut{Start: start + found[0], End: start + found[1], Instead: instead})
		}
		before := len(cuts)
		if strings.Contains(line, "((") {
			if blocks == nil {
				blocks = blocksOf(text)
			}
			for _, m := range blockRef.FindAllStringSubmatchIndex(line, -1) {
				within(m, blocks[group(line, m, 1)+group(line, m, 2)])
			}
		}
		if strings.Contains(line, "^") {
			for _, m := range blockLink.FindAllStringSubmatchIndex(line, -1) {
				within([]int{m[3], m[1]}, "")
			}
			if m := blockID.FindStringIndex(line); m != nil {
				within(m, "")
			}
		}
		if m := callout.FindStringSubmatchIndex(line); m != nil {
			within(m[2:], "")
		}
		if bare == "%%" {
			within([]int{0, len(line)}, "")
		} else if strings.Contains(line, "%%") {
			for _, m := range comment.FindAllStringSubmatchIndex(line, -1) {
				within(m[2:], "")
				within(m[4:], "")
			}
		}
		if strings.Contains(line, "![") {
			for _, m := range pastedPicture.FindAllStringIndex(line, -1) {
				within(m, "")
			}
			for _, m := range sizes.FindAllStringIndex(line, -1) {
				within([]int{m[0] + 1, m[1]}, "")
			}
		}
		slices.SortFunc(cuts[before:], func(a, b document.Cut) int { return cmp.Compare(a.Start, b.Start) })
		cuts = apart(cuts, before)
	}
	return cuts
}

// apart leaves out the cuts from an index on that begin within the one before.
func apart(cuts []document.Cut, from int) []document.Cut {
	kept := cuts[:from]
	for _, c := range cuts[from:] {
		if n := len(kept); n == from || c.Start >= kept[n-1].End {
			kept = append(kept, c)
		}
	}
	return kept
}

// group returns what a group of a match holds, "" where it has no part in it.
func group(text string, match []int, n int) string {
	if match[2*n] < 0 {
		return ""
	}
	return text[match[2*n]:match[2*n+1]]
}

// fenceOf returns the mark that begins or ends a block of code.
func fenceOf(line string) string {
	n := len(line) - len(strings.TrimLeft(line, "`"))
	if n < 3 {
		if n = len(line) - len(strings.TrimLeft(line, "~")); n < 3 {
			return ""
		}
	}
	return line[:n]
}

// blocksOf returns the words of the blocks that have an id, by it. The id stands in a line below the words.
func blocksOf(text string) map[string]string {
	blocks := map[string]string{}
	words := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if m := idLine.FindStringSubmatch(line); m != nil {
			if len(words) <= maxBlock && !blockRef.MatchString(words) { // one that refers on leads nowhere
				blocks[m[1]] = words
			}
		} else if !blockProperty.MatchString(line) {
			words = strings.TrimSpace(marker.ReplaceAllString(line, ""))
		}
	}
	return blocks
}
