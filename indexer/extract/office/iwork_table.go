package office

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"time"

	"dowse/indexer/document"
)

// Kinds of cells of a table of iWork.
const (
	iwaNumber   = 2
	iwaDate     = 5
	iwaBool     = 6
	iwaDuration = 7
	iwaMoney    = 10
)

// tileRows is how many rows stand in a part of a table where it does not say.
const tileRows = 256

// iworkTable is a table that is read.
type iworkTable struct {
	strings map[uint32]string
	rich    map[uint32]string
	rows    []row
	cells   int
}

// table writes a table of a sheet ("" of none), once.
func (w *iwork) table(id uint64, sheet string) {
	model := w.objects[id]
	if model.kind != iwaTable || w.written[id] {
		return
	}
	w.written[id] = true
	store := model.data.bytes(4)
	t := iworkTable{strings: map[uint32]string{}, rich: map[uint32]string{}}
	w.list(store.bytes(4).number(1), t.strings)
	w.list(store.bytes(17).number(1), t.rich)
	tiles := store.bytes(3)
	size := int(tiles.number(2))
	if size <= 0 || size > 1<<16 {
		size = tileRows
	}
	for tile := range tiles.each(1) {
		first := int(min(tile.number(1), 1<<20)) * size
		for info := range w.objects[tile.bytes(2).number(1)].data.each(5) {
			t.row(first, info)
		}
	}
	slices.SortStableFunc(t.rows, func(a, b row) int { return cmp.Compare(a.number, b.number) })
	if len(t.rows) == 0 {
		return
	}
	name := string(model.data.bytes(8))
	if sheet == "" {
		sheet = name
	}
	w.b.Place(document.Part{Unit: document.Sheet, Name: sheet})
	w.b.Heading(2, name)
	out := &rows{b: w.b, place: sheetPlace(sheet)}
	for _, r := range t.rows {
		if w.b.Full() {
			break
		}
		out.add(r)
	}
	out.flush()
}

// list reads the texts that cells refer to by a key.
func (w *iwork) list(id uint64, to map[uint32]string) {
	lists := []message{w.objects[id].data}
	for segment := range lists[0].each(4) {
		lists = append(lists, w.objects[segment.number(1)].data)
	}
	for _, list := range lists {
		for entry := range list.each(3) {
			if len(to) >= maxCells {
				return
			}
			text := string(entry.bytes(3))
			if payload := w.objects[entry.bytes(9).number(1)]; payload.kind == iwaPayload {
				text = w.text(payload.data.bytes(1).number(1))
			}
			to[uint32(entry.number(1))] = text
		}
	}
}

// row takes a row. Its cells stand in one buffer, and where each begins in another.
func (t *iworkTable) row(first int, info message) {
	buffer, offsets := info.bytes(6), info.bytes(7)
	scale := 1
	if info.number(8) != 0 {
		scale = 4
	}
	next := row{number: first + int(min(info.number(1), 1<<20)) + 1}
	for column := 0; column < len(offsets)/2 && column < maxColumns && t.cells < maxCells; column++ {
		at := int(binary.LittleEndian.Uint16(offsets[2*column:]))
		if at == math.MaxUint16 || at*scale >= len(buffer) {
			continue
		}
		if text, number := t.cell(buffer[at*scale:]); text != "" {
			next.cells = append(next.cells, cell{column: column, text: text, number: number})
			t.cells++
		}
	}
	if len(next.cells) > 0 {
		t.rows = append(t.rows, next)
	}
}

// cell returns what a cell of version 5 shows: a version, a kind, flags of what it has, and that in the order
// of the flags.
func (t *iworkTable) cell(data []byte) (text string, number bool) {
	const flagsAt, valuesAt = 8, 12
	if len(data) < valuesAt || data[0] != 5 {
		return "", false
	}
	kind, flags := data[1], binary.LittleEndian.Uint32(data[flagsAt:])
	data = data[valuesAt:]
	value := func(flag uint32, size int) []byte {
		if flags&flag == 0 || len(data) < size {
			return make([]byte, size)
		}
		v := data[:size]
		data = data[size:]
		return v
	}
	decimal := value(1, 16)
	double := math.Float64frombits(binary.LittleEndian.Uint64(value(2, 8)))
	seconds := math.Float64frombits(binary.LittleEndian.Uint64(value(4, 8)))
	key, rich := binary.LittleEndian.Uint32(value(8, 4)), binary.LittleEndian.Uint32(value(16, 4))
	switch {
	case flags&8 != 0:
		return t.strings[key], false
	case flags&16 != 0:
		return t.rich[rich], false
	case kind == iwaDate:
		return day(seconds), true
	case kind == iwaBool:
		return map[bool]string{true: "TRUE", false: "FALSE"}[double != 0], false
	case kind == iwaDuration:
		return strconv.FormatFloat(double, 'f', -1, 64) + " s", true
	case (kind == iwaNumber || kind == iwaMoney) && flags&1 != 0:
		return parseNumberFormat("").show(decimal128(decimal), false), true
	case kind == iwaNumber || kind == iwaMoney:
		return parseNumberFormat("").show(double, false), true
	}
	return "", false
}

// day returns a moment that is counted in seconds from 2001 on, without its clock at midnight.
func day(seconds float64) string {
	const most = 1e11 // some 3,000 years
	if !(math.Abs(seconds) < most) {
		return ""
	}
	at := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(int64(seconds)) * time.Second)
	if at.Hour() == 0 && at.Minute() == 0 && at.Second() == 0 {
		return at.Format(time.DateOnly)
	}
	return at.Format("2006-01-02 15:04")
}

// decimal128 returns a number of IEEE 754-2008 in the binary form, as near as a float comes.
func decimal128(b []byte) float64 {
	const bias = 6176
	exponent := (int(b[15]&0x7f)<<7 | int(b[14]>>1)) - bias
	high := float64(uint64(b[14]&1)<<48|binary.LittleEndian.Uint64(b[8:])&(1<<48-1)) * (1 << 32) * (1 << 32)
	low := binary.LittleEndian.Uint64(b)
	digits := strconv.FormatUint(low, 10)
	if high != 0 {
		digits = strconv.FormatFloat(high+float64(low), 'f', 0, 64)
	}
	f, err := strconv.ParseFloat(digits+"e"+strconv.Itoa(exponent), 64)
	if err != nil {
		return 0
	}
	if b[15]&0x80 != 0 {
		f = -f
	}
	return f
}
