package archive

import (
	"bytes"
	"regexp"
)

// joplinTail is what Joplin keeps behind each item of its exports (.jex): names and values, a line each, the kind last.
var joplinTail = regexp.MustCompile(`(?s)(?:^|\n\n)id: [0-9a-f]{32}\n(?:[a-z_]+:[^\n]*\n)*type_: (\d+)\s*$`)

// maxTail bounds where it is looked for.
const maxTail = 8 << 10

// withoutJoplin returns a member of an export by Joplin without what the program keeps in it, nil for one in which
// no person wrote: which note has which tag, and what a note was before.
func withoutJoplin(data []byte) []byte {
	start := max(len(data)-maxTail, 0)
	m := joplinTail.FindSubmatchIndex(data[start:])
	if m == nil {
		return data
	}
	switch string(data[start+m[2] : start+m[3]]) {
	case "6", "13": // note_tag, revision
		return nil
	}
	return bytes.TrimSpace(data[:start+m[0]])
}
