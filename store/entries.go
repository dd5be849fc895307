package store

import (
	"encoding/binary"
	"errors"
	"math"
)

// Entry is a part of a file with facts of its own: a message, an event, a dated
// heading. Filters ask it instead of the file. It reaches to the next entry,
// the last one to the end.
type Entry struct {
	Chunk  int   // number of the chunk in which it begins
	Offset int   // of its first byte in that chunk; 0 where only white space stands before it
	Date   int64 // unix seconds; 0: no date
	Clock  bool  // Date names no zone: a clock's time, counted as if in UTC
	About  int   // index in Entries.About
}

// Said is what entries say of themselves beside their dates.
type Said struct {
	Title   string
	Authors []string
	To      []string
	Tags    []string
}

func (s *Said) lists() [3]*[]string { return [3]*[]string{&s.Authors, &s.To, &s.Tags} }

// Entries are the entries of one file: they tile its text behind the first.
type Entries struct {
	About []Said
	List  []Entry // ascending by where they begin
}

// End returns the last chunk that holds a part of entry i in a file of so many
// chunks.
func (e *Entries) End(i, chunks int) int {
	switch next := i + 1; {
	case next == len(e.List):
		return chunks - 1
	case e.List[next].Offset > 0:
		return e.List[next].Chunk
	default:
		return e.List[next].Chunk - 1
	}
}

// entriesFormat begins a value. An earlier format begins with a number above 0;
// its files are read again and have no entries until then.
const entriesFormat = 0

// maxSeconds bounds a date to leave room for the clock's mark.
const maxSeconds = math.MaxInt64 / 4

// encode writes each text once, since entries of a file share authors.
func (e *Entries) encode() []byte {
	var texts, about []byte
	numbers := map[string]uint64{}
	number := func(text string) {
		n, known := numbers[text]
		if !known {
			n = uint64(len(numbers))
			numbers[text] = n
			texts = appendString(texts, text)
		}
		about = binary.AppendUvarint(about, n)
	}
	for i := range e.About {
		s := &e.About[i]
		number(s.Title)
		for _, list := range s.lists() {
			about = binary.AppendUvarint(about, uint64(len(*list)))
			for _, text := range *list {
				number(text)
			}
		}
	}
	value := binary.AppendUvarint([]byte{entriesFormat}, uint64(len(numbers)))
	value = binary.AppendUvarint(append(value, texts...), uint64(len(e.About)))
	value = append(value, about...)
	last := Entry{}
	for _, n := range e.List {
		if n.Chunk > last.Chunk {
			last.Offset = 0
		}
		value = binary.AppendUvarint(value, uint64(n.Chunk-last.Chunk))
		value = binary.AppendUvarint(value, uint64(n.Offset-last.Offset))
		n.Date = min(max(n.Date, -maxSeconds), maxSeconds)
		mark := int64(0)
		if n.Clock {
			mark = 1
		}
		value = binary.AppendVarint(value, (n.Date-last.Date)*2+mark)
		value = binary.AppendUvarint(value, uint64(n.About))
		last = n
	}
	return value
}

func decodeEntries(value []byte) (e Entries, err error) {
	d := decoder{rest: value}
	if d.byte() != entriesFormat {
		return Entries{}, d.err
	}
	texts := make([]string, 0, d.count(1))
	for range cap(texts) {
		texts = append(texts, d.string())
	}
	text := func() string {
		n := d.uvarint()
		if n >= uint64(len(texts)) {
			d.fail("a text that is not there")
			return ""
		}
		return texts[n]
	}
	e.About = make([]Said, d.count(1+len((&Said{}).lists())))
	for i := range e.About {
		e.About[i].Title = text()
		for _, list := range e.About[i].lists() {
			for range d.count(1) {
				*list = append(*list, text())
			}
		}
	}
	last := Entry{}
	for len(d.rest) > 0 {
		n := Entry{Chunk: last.Chunk + int(d.uint32()), Offset: int(d.uint32())}
		if n.Chunk == last.Chunk {
			n.Offset += last.Offset
		}
		date := d.varint()
		n.Date, n.Clock = last.Date+date>>1, date&1 == 1
		about := d.uvarint()
		if about >= uint64(len(e.About)) || n.Chunk > math.MaxUint32 {
			d.fail("an entry that says nothing")
		}
		n.About = int(about)
		e.List, last = append(e.List, n), n
	}
	return e, d.end()
}

// PutEntries stores the entries of an existing file that has none yet.
func (tx *Tx) PutEntries(file uint32, e Entries) error {
	if _, err := tx.entryAt(file); err != nil {
		return err
	}
	if len(e.List) == 0 {
		return nil
	}
	return tx.putIn(tableEntries, file, e.encode())
}

// Entries reads the entries of a file; empty where it has none.
func (tx *Tx) Entries(file uint32) (Entries, error) {
	value, err := tx.in(tableEntries, file)
	if errors.Is(err, ErrNotFound) {
		return Entries{}, nil
	}
	if err != nil {
		return Entries{}, err
	}
	e, err := decodeEntries(value)
	if err != nil {
		return e, locatedIn(tableEntries, file, err)
	}
	return e, nil
}

// EachWithEntries calls fn for the files with entries by ascending id; read
// decodes them.
func (tx *Tx) EachWithEntries(fn func(file uint32, read func() (Entries, error)) error) error {
	return tx.eachIn(tableEntries, 0, func(file uint32, value []byte) error {
		return fn(file, func() (Entries, error) {
			e, err := decodeEntries(value)
			if err != nil {
				err = locatedIn(tableEntries, file, err)
			}
			return e, err
		})
	})
}

func (tx *Tx) dropEntries(file uint32) error {
	if _, err := tx.in(tableEntries, file); err != nil {
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		return err
	}
	return tx.deleteIn(tableEntries, file)
}

// entries checks that entries belong to chunks of existing files.
func (c *check) entries(tx *Tx) error {
	err := tx.EachWithEntries(func(file uint32, read func() (Entries, error)) error {
		list, err := read()
		if err != nil {
			return err
		}
		e, err := tx.entryAt(file)
		if err != nil {
			c.wrong([]byte("entries"), "of file %d: %v", file, err)
			return c.ctx.Err()
		}
		if n := len(list.List); n > 0 && list.List[n-1].Chunk >= int(e.Chunks) {
			c.wrong([]byte("entries"), "the last of file %d begins in chunk %d of %d", file, list.List[n-1].Chunk, e.Chunks)
		}
		return c.ctx.Err()
	})
	if errors.Is(err, ErrCorrupt) {
		c.wrong([]byte("entries"), "%v", err)
		return nil
	}
	return err
}

// entries removes entries of missing files, and doubts files whose entries do
// not decode.
func (r *repair) entries() error {
	var bad []uint32
	err := r.eachIn(tableEntries, 0, func(file uint32, value []byte) error {
		list, wrong := decodeEntries(value)
		e, err := r.entryAt(file)
		if err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
		if err == nil && wrong == nil {
			if n := len(list.List); n == 0 || list.List[n-1].Chunk < int(e.Chunks) {
				return r.ctx.Err()
			}
		}
		bad = append(bad, file)
		return r.ctx.Err()
	})
	if err != nil {
		return err
	}
	for _, file := range bad {
		if err := r.deleteIn(tableEntries, file); err != nil {
			return err
		}
	}
	r.textless = append(r.textless, bad...)
	return nil
}
