package store

import (
	"bytes"
	"encoding/binary"
)

// The table of files stores files and their chunks in blocks by ascending file
// id; a block's number is at most its first id. A block is the number of its
// files, their records, then the chunk records of each file in turn. Records
// store differences to the one before where they can.

// entry is a file in a block.
type entry struct {
	File          // without path and root, which follow from:
	folder uint32 // number of the folder
	name   string // within the folder
	chunks []byte // chunk records
	next   uint32 // the chunk id behind its own and those of the files before it in the block
}

// behind sets next of a file that comes after another.
func (e *entry) behind(before *entry) {
	e.next = before.next
	if last := len(e.IDs) - 1; last >= 0 {
		e.next = uint32(e.IDs[last].end())
	}
}

// follows reports whether the file's id and its chunks' ids, in one run,
// continue those of another.
func (e *entry) follows(before *entry) bool {
	return e.ID == before.ID+1 && (len(e.IDs) == 0 || len(e.IDs) == 1 && e.IDs[0].First == before.next)
}

// Bits of the first byte of a file's record. The three bits above them are its
// kind, or manyKinds if the kind follows in a byte with bits of its own.
const (
	flagPlain      = 1 << iota // File.Plain
	flagSameSize               // Size is TextBytes
	flagNext                   // its id and its chunks' ids follow those of the file before
	flagSameFolder             // its folder is that of the file before
	flagDated                  // it has a Date

	kindShift = 5
	manyKinds = 7
)

// Bits of the byte of the kind.
const (
	kindBits    = 1<<6 - 1
	flagChanged = 1 << 6 // its Changed follows, as the difference to that of the file before
	flagWritten = 1 << 7 // its Changed is its ModTime; with flagChanged it is Unsettled
)

// minFileBytes is the least length of a record: first byte, number of chunks,
// two bytes of name, hash, size, time.
const minFileBytes = 1 + 1 + 2 + hashBytes + 1 + 1

// head returns the first byte of a record.
func (e *entry) head(before *entry) byte {
	head := min(e.Kind, manyKinds) << kindShift
	if e.Changed != 0 {
		head = manyKinds << kindShift
	}
	if e.Plain {
		head |= flagPlain
	}
	if e.Size == e.TextBytes {
		head |= flagSameSize
	}
	if e.follows(before) {
		head |= flagNext
	}
	if e.folder == before.folder {
		head |= flagSameFolder
	}
	if e.Date != 0 {
		head |= flagDated
	}
	return head
}

func (e *entry) kind() byte {
	switch e.Changed {
	case 0:
		return e.Kind
	case Unsettled:
		return e.Kind | flagWritten | flagChanged
	case e.ModTime:
		return e.Kind | flagWritten
	}
	return e.Kind | flagChanged
}

// changedFrom is the base that Changed is stored as the difference to.
func (e *entry) changedFrom(before *entry) int64 {
	if before.Changed == 0 || before.Changed == Unsettled {
		return e.ModTime
	}
	return before.Changed
}

func appendFile(dst []byte, before, e *entry) []byte {
	head := e.head(before)
	dst = append(dst, head)
	kind := e.kind()
	if head>>kindShift == manyKinds {
		dst = append(dst, kind)
	}
	if head&flagNext == 0 {
		dst = binary.AppendUvarint(dst, uint64(e.ID-before.ID))
	}
	if head&flagSameFolder == 0 {
		dst = binary.AppendVarint(dst, int64(e.folder)-int64(before.folder))
	}
	dst = binary.AppendUvarint(dst, uint64(e.Chunks))
	if head&flagNext == 0 {
		dst = appendIDs(dst, before.next, e.IDs)
	}
	dst = appendName(dst, before.name, e.name)
	dst = append(dst, e.Hash[:]...)
	dst = binary.AppendUvarint(dst, uint64(e.TextBytes))
	if head&flagSameSize == 0 {
		dst = binary.AppendUvarint(dst, uint64(e.Size))
	}
	dst = binary.AppendVarint(dst, e.ModTime-before.ModTime)
	if kind&^kindBits == flagChanged {
		dst = binary.AppendVarint(dst, e.Changed-e.changedFrom(before))
	}
	if head&flagDated != 0 {
		dst = binary.AppendVarint(dst, e.Date)
	}
	return dst
}

func (d *decoder) file(before *entry) (e entry) {
	head := d.byte()
	kind := head >> kindShift
	if kind == manyKinds {
		kind = d.byte()
	}
	e.Kind, e.Plain = kind&kindBits, head&flagPlain != 0
	e.ID = before.ID + 1
	if head&flagNext == 0 {
		e.ID = before.ID + d.uint32()
	}
	e.folder = before.folder
	if head&flagSameFolder == 0 {
		e.folder = uint32(int64(before.folder) + d.varint())
	}
	e.Chunks = d.uint32()
	if head&flagNext == 0 {
		e.IDs = d.ids(before.next, e.Chunks)
	} else if e.Chunks > 0 {
		e.IDs = d.addRun(nil, uint64(before.next), e.Chunks)
	}
	e.behind(before)
	e.name = d.name(before.name)
	copy(e.Hash[:], d.bytes(uint64(len(e.Hash))))
	e.TextBytes = d.int63()
	e.Size = e.TextBytes
	if head&flagSameSize == 0 {
		e.Size = d.int63()
	}
	e.ModTime = before.ModTime + d.varint()
	switch kind &^ kindBits {
	case flagWritten | flagChanged:
		e.Changed = Unsettled
	case flagWritten:
		e.Changed = e.ModTime
	case flagChanged:
		e.Changed = e.changedFrom(before) + d.varint()
	}
	if head&flagDated != 0 {
		e.Date = d.varint()
	}
	return e
}

// appendIDs appends, of each run, its distance from the end of the one before,
// and its length.
func appendIDs(dst []byte, next uint32, ids Runs) []byte {
	for _, run := range ids {
		dst = binary.AppendVarint(dst, int64(run.First)-int64(next))
		dst = binary.AppendUvarint(dst, uint64(run.N))
		next = uint32(run.end())
	}
	return dst
}

func (d *decoder) ids(next, n uint32) (ids Runs) {
	for n > 0 && d.err == nil {
		first := int64(next) + d.varint()
		length := d.uint32()
		if length == 0 || length > n {
			d.fail("more ids than chunks")
			return nil
		}
		ids = d.addRun(ids, uint64(first), length)
		next, n = uint32(first)+length, n-length
	}
	return ids
}

// addRun appends a run; one that reaches 1<<32 is damaged.
func (d *decoder) addRun(ids Runs, first uint64, n uint32) Runs {
	if first >= 1<<32 || first+uint64(n) >= 1<<32 {
		d.fail("id out of range")
		return nil
	}
	return append(ids, Run{uint32(first), n})
}

// maxShared is how many bytes a name shares with the start and the end of the
// name before, at most.
const maxShared = 15

// appendName appends a name: one byte says how much it shares with the start
// and end of the name before; the bytes between follow.
func appendName(dst []byte, before, name string) []byte {
	start, end := 0, 0
	for start < min(maxShared, len(before), len(name)) && before[start] == name[start] {
		start++
	}
	for end < min(maxShared, len(before)-start, len(name)-start) && before[len(before)-1-end] == name[len(name)-1-end] {
		end++
	}
	return appendText(append(dst, byte(start<<4|end)), name[start:len(name)-end])
}

func (d *decoder) name(before string) string {
	shared := d.byte()
	start, end := int(shared>>4), int(shared&15)
	if start+end > len(before) {
		d.fail("name shares more than there is of the one before")
		return ""
	}
	var buffer [128]byte
	name := d.text(append(buffer[:0], before[:start]...))
	return string(append(name, before[len(before)-end:]...))
}

// firstEntry stands before the first file of a block.
func firstEntry(number uint32) entry { return entry{File: File{ID: number - 1}} }

// fileBlock builds a block.
type fileBlock struct {
	number        uint32
	n             int
	files, chunks []byte
	last          *entry
}

func newFileBlock(number uint32) *fileBlock {
	first := firstEntry(number)
	return &fileBlock{number: number, last: &first}
}

// add appends a file, whose id is above those in the block.
func (b *fileBlock) add(e *entry) {
	b.files = appendFile(b.files, b.last, e)
	b.chunks = append(b.chunks, e.chunks...)
	e.behind(b.last)
	b.n++
	b.last = e
}

// is reports whether the block, which was put as one value, is the one that has another value now.
func (b *fileBlock) is(number uint32, value, put []byte) bool {
	return b.number == number && bytes.Equal(value, put)
}

// size is about the length of the value.
func (b *fileBlock) size() int { return 2 + len(b.files) + len(b.chunks) }

func (b *fileBlock) encode() []byte {
	value := make([]byte, 0, b.size()+checksumBytes)
	value = binary.AppendUvarint(value, uint64(b.n))
	return append(append(value, b.files...), b.chunks...)
}

// fits reports whether one more file keeps the block short enough; a first one
// always fits.
func (b *fileBlock) fits(e *entry) bool {
	if b.n == 0 {
		return true
	}
	return 2+len(appendFile(b.files, b.last, e))+len(b.chunks)+len(e.chunks) <= tableBlock
}

// eachFile reads the files of a block in order, without their chunks, until fn
// returns false; after the last one, the chunk records come next. The entry is
// valid until fn returns.
func (d *decoder) eachFile(number uint32, fn func(e *entry) bool) {
	n := d.count(minFileBytes)
	before, least := firstEntry(number), uint64(number)
	for range n {
		e := d.file(&before)
		if uint64(e.ID) < least {
			d.fail("ids out of order")
		}
		least = uint64(e.ID) + 1
		if d.err != nil || !fn(&e) {
			return
		}
		before = e
	}
}

// decodeFileBlock reads a block; chunk records share memory with value.
func decodeFileBlock(number uint32, value []byte) ([]entry, error) {
	var list []entry
	d := decoder{rest: value}
	d.eachFile(number, func(e *entry) bool {
		list = append(list, *e)
		return true
	})
	for i := range list {
		list[i].chunks = d.chunkRecords(list[i].Chunks)
	}
	return list, d.end()
}

// findInBlock reads one file with its chunk records; nil when it is not there.
func findInBlock(number uint32, value []byte, id uint32) (*entry, error) {
	var found *entry
	var before []uint32 // chunks of each file before it
	d := decoder{rest: value}
	d.eachFile(number, func(e *entry) bool {
		switch {
		case e.ID < id:
			before = append(before, e.Chunks)
		case e.ID == id:
			copied := *e
			found = &copied
		}
		return true
	})
	if d.err != nil || found == nil {
		return nil, d.err
	}
	for _, n := range before {
		d.chunkRecords(n)
	}
	found.chunks = d.chunkRecords(found.Chunks)
	return found, d.err
}
