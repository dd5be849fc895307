package office

import (
	"encoding/binary"
	"slices"

	"dowse/indexer/document"
)

// Changes of formats ([MS-DOC] 2.6) that matter.
const (
	sprmDeleted   = 0x0800
	sprmShift     = 0x2a48 // of characters: 1 raised, 2 lowered
	sprmLevel     = 0x260a // of an item
	sprmList      = 0x460b
	sprmInTable   = 0x2416
	sprmRowEnd    = 0x2417
	sprmOutline   = 0x2640
	sprmHeaderRow = 0x3404
	sprmTableDef  = 0xd608
	sprmTabs      = 0xc615
)

// readRuns reads the formats of paragraphs or of characters, from the pages that a table names.
func readRuns(main, plc []byte, paragraphs bool) wordRuns {
	n := (len(plc) - 4) / 8
	seen := map[int]bool{}
	var runs wordRuns
	for i := range max(n, 0) {
		number := int(binary.LittleEndian.Uint32(plc[4*(n+1)+4*i:]) & 0x3fffff)
		page := stretch(main, number*wordPlcPage, wordPlcPage)
		if len(page) < wordPlcPage || seen[number] {
			continue
		}
		seen[number] = true
		count, width := int(page[wordPlcPage-1]), 1
		if paragraphs {
			width = 13
		}
		for k := range count {
			at := 4*(count+1) + width*k
			if at >= wordPlcPage-1 {
				break
			}
			run := wordRun{from: int(binary.LittleEndian.Uint32(page[4*k:])), to: int(binary.LittleEndian.Uint32(page[4*k+4:]))}
			run.format = formatAt(page, 2*int(page[at]), paragraphs)
			if run.to > run.from && (paragraphs || run.format.deleted || run.format.shift != document.OnLine) {
				runs = append(runs, run)
			}
		}
	}
	slices.SortStableFunc(runs, func(a, b wordRun) int { return a.from - b.from })
	for i := 1; i < len(runs); i++ { // so that they ascend, whatever the file says
		runs[i-1].to = min(runs[i-1].to, runs[i].from)
	}
	return slices.DeleteFunc(runs, func(r wordRun) bool { return r.to <= r.from })
}

// formatAt reads a format of a page.
func formatAt(page []byte, at int, paragraph bool) wordFormat {
	f := wordFormat{known: true}
	if at == 0 || at+2 > len(page) {
		return f
	}
	size := int(page[at])
	at++
	if paragraph {
		if size == 0 {
			size = 2 * int(page[at])
			at++
		} else {
			size = 2*size - 1
		}
	}
	changes := stretch(page, at, size)
	if paragraph {
		if len(changes) < 2 {
			return f
		}
		if style := int(binary.LittleEndian.Uint16(changes)); style >= 1 && style <= 9 { // those of headings are the same in all files
			f.kind, f.level = heading, style
		}
		changes = changes[2:]
	}
	f.change(changes)
	return f
}

// change applies changes to a format.
func (f *wordFormat) change(changes []byte) {
	for len(changes) >= 3 {
		code := int(binary.LittleEndian.Uint16(changes))
		value := int(changes[2])
		switch code {
		case sprmDeleted:
			f.deleted = value == 1
		case sprmShift:
			f.shift = [...]document.Shift{document.OnLine, document.Raised, document.Lowered, document.OnLine}[value&3]
		case sprmLevel:
			if f.kind == item {
				f.level = min(value, 8)
			}
		case sprmList:
			if f.kind == paragraph && len(changes) >= 4 && binary.LittleEndian.Uint16(changes[2:]) > 0 {
				f.kind = item
			}
		case sprmInTable:
			f.inTable = value == 1
		case sprmRowEnd:
			f.rowEnd = value == 1
		case sprmOutline:
			if value < 9 {
				f.kind, f.level = heading, value+1
			}
		case sprmHeaderRow:
			f.header = value == 1
		}
		changes = changes[min(sprmSize(code, changes), len(changes)):]
	}
}

// sprmSize returns how many bytes a change has, which its code says.
func sprmSize(code int, change []byte) int {
	switch code >> 13 {
	case 0, 1:
		return 3
	case 2, 4, 5:
		return 4
	case 3:
		return 6
	case 7:
		return 5
	}
	if code == sprmTableDef && len(change) >= 4 {
		return 3 + int(binary.LittleEndian.Uint16(change[2:]))
	}
	return 3 + int(change[2])
}
