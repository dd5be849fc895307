package office

import (
	"context"
	"encoding/binary"
	"errors"
	"sort"
	"strings"

	"dowse/indexer/document"
	"dowse/indexer/extract/cfb"
)

// Records of PowerPoint ([MS-PPT] 2.13.24) that matter.
const (
	pptDocument    = 1000
	pptSlide       = 1006
	pptSlideAtom   = 1007
	pptMaster      = 1016
	pptNotes       = 1008
	pptPersist     = 1011 // a slide of a list
	pptPlaceholder = 3011 // that the shape is one
	pptShape       = 0xf004
	pptTextRef     = 3998 // a text of the list, by its number
	pptTextKind    = 3999
	pptTextChars   = 4000
	pptTextBytes   = 4008
	pptString      = 4026
	pptList        = 4080
	pptEdit        = 4085
	pptDirectory   = 6002
	pptTagData     = 5003
	pptComment     = 12000
	pptEncrypted   = 0xf3d1c4df
	pptHead        = 8 // bytes before a record
	maxPPTEdits    = 10_000
)

// Kinds of texts.
const (
	textTitle  = 0
	textBody   = 1
	textNotes  = 2
	textCentre = 5 // a body
	textTitle2 = 6
	textHalf   = 7
	textQuart  = 8
)

// Placeholders of masters whose texts are no prompts.
const (
	placeFooter = 9
	placeHeader = 10
)

// pptText is a text of a slide.
type pptText struct {
	kind int
	text string
}

// pptEntry is a slide of a list: where it is, and its texts as the outline has them.
type pptEntry struct {
	object uint32
	id     uint32
	texts  []pptText
}

// pptReader reads a presentation of PowerPoint 97 to 2003.
type pptReader struct {
	data    []byte
	objects map[uint32]int // where objects begin
	left    int            // bytes that are looked at still
}

// readPowerPoint reads a presentation, slide by slide.
func readPowerPoint(ctx context.Context, in *document.Input, root *cfb.Storage) (*document.Document, error) {
	r := &pptReader{data: root.Stream("PowerPoint Document"), objects: map[uint32]int{}}
	r.left = 4 * len(r.data)
	user := root.Stream("Current User")
	if len(user) >= 16 && binary.LittleEndian.Uint32(user[12:]) == pptEncrypted {
		return nil, document.ErrEncrypted
	}
	lists, err := r.lists(user)
	if err != nil {
		return nil, err
	}
	b := in.Builder()
	for i, s := range lists.slides {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b.Place(document.Part{Unit: document.Slide, Number: i + 1})
		said, note := r.slide(s)
		if note > 0 {
			for _, n := range lists.notes {
				if n.id == note {
					more, _ := r.slide(n)
					said = append(said, onlyNotes(more)...)
					break
				}
			}
		}
		(&writer{b: b}).blocks(pptBlocks(said))
	}
	var above []block
	for _, master := range lists.masters {
		above = append(above, pptBlocks(r.master(master))...)
	}
	if above = (running{}).fresh(above); len(above) > 0 {
		b.Place()
		(&writer{b: b}).blocks(above)
	}
	return b.Document("ppt", summary(root).Said()), nil
}

// pptLists are the slides, what stands on all of them, and their notes.
type pptLists struct{ slides, masters, notes []pptEntry }

// lists reads which there are.
func (r *pptReader) lists(user []byte) (lists pptLists, err error) {
	edit := -1
	if len(user) >= 20 {
		edit = int(binary.LittleEndian.Uint32(user[16:]))
	}
	main, known := uint32(0), false
	for n := 0; n < maxPPTEdits; n++ { // from the last time that it was saved back to the first
		kind, _, body := r.record(edit)
		if kind != pptEdit || len(body) < 20 {
			break
		}
		if encrypted := len(body) >= 32 && binary.LittleEndian.Uint32(body[28:]) != 0; encrypted {
			return lists, document.ErrEncrypted
		}
		if !known {
			main, known = binary.LittleEndian.Uint32(body[16:]), true
		}
		if kind, _, list := r.record(int(binary.LittleEndian.Uint32(body[12:]))); kind == pptDirectory {
			r.directory(list)
		}
		before := int(binary.LittleEndian.Uint32(body[8:]))
		if before == 0 || before >= edit {
			break
		}
		edit = before
	}
	at, found := r.objects[main]
	if kind, _, _ := r.record(at); !known || !found || kind != pptDocument {
		return lists, errors.New("its list of slides is missing")
	}
	_, _, body := r.record(at)
	r.each(body, func(kind, instance int, body []byte) bool {
		if kind == pptList {
			switch instance {
			case 0:
				lists.slides = r.entries(body)
			case 1:
				lists.masters = r.entries(body)
			case 2:
				lists.notes = r.entries(body)
			}
		}
		return kind != pptList
	})
	return lists, nil
}

// directory reads where objects stand. What was saved later is known already.
func (r *pptReader) directory(list []byte) {
	for len(list) >= 4 {
		head := binary.LittleEndian.Uint32(list)
		list = list[4:]
		for id := head & 0xfffff; id < head&0xfffff+head>>20 && len(list) >= 4; id++ {
			if _, later := r.objects[id]; !later {
				r.objects[id] = int(binary.LittleEndian.Uint32(list))
			}
			list = list[4:]
		}
	}
}

// record returns the record at an offset; kind is 0 where there is none.
func (r *pptReader) record(at int) (kind, instance int, body []byte) {
	if at < 0 || at+pptHead > len(r.data) {
		return 0, 0, nil
	}
	return pptRecord(r.data[at:])
}

func pptRecord(data []byte) (kind, instance int, body []byte) {
	size := int64(binary.LittleEndian.Uint32(data[4:]))
	body = data[pptHead:min(pptHead+size, int64(len(data)))]
	return int(binary.LittleEndian.Uint16(data[2:])), int(binary.LittleEndian.Uint16(data) >> 4), body
}

// each calls f with all records, those within others after them where f says so. What stands in a record behind the last within it
// is passed over.
func (r *pptReader) each(data []byte, f func(kind, instance int, body []byte) (within bool)) {
	ends := []int{len(data)} // of the records that are gone through
	for at := 0; len(ends) > 0; {
		end := ends[len(ends)-1]
		if at+pptHead > end || r.left <= 0 {
			at, ends = end, ends[:len(ends)-1]
			continue
		}
		kind, instance, body := pptRecord(data[at:end])
		within := f(kind, instance, body) && (data[at]&15 == 15 || kind == pptTagData)
		at += pptHead
		r.left -= pptHead
		if within {
			ends = append(ends, at+len(body))
		} else {
			at += len(body)
			r.left -= len(body)
		}
	}
}

// entries reads a list of slides.
func (r *pptReader) entries(body []byte) []pptEntry {
	var all []pptEntry
	kind := 0
	r.each(body, func(record, _ int, body []byte) bool {
		switch {
		case record == pptPersist && len(body) >= 16:
			all = append(all, pptEntry{object: binary.LittleEndian.Uint32(body), id: binary.LittleEndian.Uint32(body[12:])})
		case record == pptTextKind && len(body) >= 4:
			kind = int(binary.LittleEndian.Uint32(body))
			if n := len(all); n > 0 {
				all[n-1].texts = append(all[n-1].texts, pptText{kind: kind})
			}
		default:
			text, ok := pptTextOf(record, body)
			if n := len(all); ok && n > 0 && len(all[n-1].texts) > 0 {
				all[n-1].texts[len(all[n-1].texts)-1].text = text
			}
		}
		return true
	})
	return all
}

// pptTextOf returns the text that a record is.
func pptTextOf(kind int, body []byte) (string, bool) {
	switch kind {
	case pptTextChars, pptString:
		return unicodeText(body), true
	case pptTextBytes:
		runes := make([]rune, len(body))
		for i, c := range body {
			runes[i] = rune(c)
		}
		return string(runes), true
	}
	return "", false
}

// slide returns the texts of a slide or of its notes, and which notes it has.
func (r *pptReader) slide(e pptEntry) (said []pptText, notes uint32) {
	at, found := r.objects[e.object]
	kind, _, body := r.record(at)
	if !found || kind != pptSlide && kind != pptNotes {
		return e.texts, 0
	}
	used := make([]bool, len(e.texts))
	textKind, comment := 4, 0
	r.each(body, func(record, instance int, body []byte) bool {
		switch {
		case record == pptSlideAtom && len(body) >= 20:
			notes = binary.LittleEndian.Uint32(body[16:])
		case record == pptTextKind && len(body) >= 4:
			textKind = int(binary.LittleEndian.Uint32(body))
		case record == pptTextRef && len(body) >= 4:
			if i := int(binary.LittleEndian.Uint32(body)); i >= 0 && i < len(used) && !used[i] {
				used[i] = true
				said = append(said, e.texts[i])
			}
		case record == pptComment:
			comment = 3 // who, what, initials
		case record == pptString:
			if comment > 0 && instance == 1 {
				said = append(said, pptText{4, unicodeText(body)})
			}
			comment--
		default:
			if text, ok := pptTextOf(record, body); ok {
				said = append(said, pptText{textKind, text})
			}
		}
		return true
	})
	for i, text := range e.texts {
		if !used[i] {
			said = append(said, text)
		}
	}
	return said, notes
}

// master returns what a person put onto a master: not its prompts ("Click to edit"), which slides fill.
func (r *pptReader) master(e pptEntry) (said []pptText) {
	at, found := r.objects[e.object]
	kind, _, body := r.record(at)
	if !found || kind != pptMaster && kind != pptSlide {
		return nil
	}
	place := byte(0)
	r.each(body, func(record, _ int, body []byte) bool {
		switch {
		case record == pptShape:
			place = 0
		case record == pptPlaceholder && len(body) >= 5:
			place = body[4]
		case record == pptString: // names of designs
		case place == 0 || place == placeFooter || place == placeHeader:
			if text, ok := pptTextOf(record, body); ok && len(said) < maxFooters {
				said = append(said, pptText{4, text})
			}
		}
		return true
	})
	return said
}

// onlyNotes leaves out what notes repeat of their slide.
func onlyNotes(said []pptText) []pptText {
	var notes []pptText
	for _, s := range said {
		if s.kind != textTitle && s.kind != textTitle2 {
			notes = append(notes, pptText{textNotes, s.text})
		}
	}
	return notes
}

// pptBlocks returns texts as blocks, the titles first.
func pptBlocks(said []pptText) []block {
	var blocks []block
	for _, s := range said {
		kind, level := paragraph, 0
		switch s.kind {
		case textTitle, textTitle2:
			kind, level = heading, 1
		case textBody, textCentre, textHalf, textQuart:
			kind = item
		}
		for line := range strings.SplitSeq(s.text, "\r") {
			line = strings.ReplaceAll(line, "\v", "\n")
			if strings.TrimSpace(line) != "" && strings.TrimSpace(line) != "*" { // "*" stands for the number of the slide, the day, ...
				blocks = append(blocks, block{kind: kind, level: level, text: line})
			}
		}
	}
	sort.SliceStable(blocks, func(i, j int) bool { return blocks[i].kind == heading && blocks[j].kind != heading })
	return blocks
}
