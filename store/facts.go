package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// Facts are what a document says of itself, as far as results and filters use
// it. Its date is File.Date.
type Facts struct {
	Format  string // of other formats than text: "pdf", "eml"
	Title   string
	Authors []string
	To      []string // recipients of a message
	Tags    []string
	Lacking string // what of the file is not in the index; mostly ""
}

// Empty reports whether there is nothing to store.
func (f *Facts) Empty() bool {
	return f.Format == "" && f.Title == "" && len(f.Authors) == 0 && len(f.To) == 0 && len(f.Tags) == 0 && f.Lacking == ""
}

func (f *Facts) encode() []byte {
	value := appendString(nil, f.Format)
	value = appendString(value, f.Title)
	for _, list := range [][]string{f.Authors, f.To, f.Tags} {
		value = appendStrings(value, list)
	}
	if f.Lacking != "" {
		value = appendString(value, f.Lacking)
	}
	return value
}

func decodeFacts(value []byte) (f Facts, err error) {
	d := decoder{rest: value}
	f.Format, f.Title = d.string(), d.string()
	for _, list := range []*[]string{&f.Authors, &f.To, &f.Tags} {
		if *list = d.strings(); len(*list) == 0 {
			*list = nil
		}
	}
	if len(d.rest) > 0 {
		f.Lacking = d.string()
	}
	return f, d.end()
}

// PutFacts stores the facts of an existing file that has none yet.
func (tx *Tx) PutFacts(file uint32, f Facts) error {
	if _, err := tx.entryAt(file); err != nil {
		return err
	}
	if _, err := tx.in(tableFacts, file); !errors.Is(err, ErrNotFound) {
		return errors.Join(err, fmt.Errorf("file %d has facts already", file))
	}
	if f.Empty() {
		return nil
	}
	for _, m := range f.marks() {
		if err := tx.addMark(m, file); err != nil {
			return err
		}
	}
	return tx.putIn(tableFacts, file, f.encode())
}

// Facts reads the facts of a file; empty where it has none.
func (tx *Tx) Facts(file uint32) (Facts, error) {
	value, err := tx.in(tableFacts, file)
	if errors.Is(err, ErrNotFound) {
		return Facts{}, nil
	}
	if err != nil {
		return Facts{}, err
	}
	f, err := decodeFacts(value)
	if err != nil {
		return f, locatedIn(tableFacts, file, err)
	}
	return f, nil
}

// EachFacts calls fn for the files with facts by ascending id.
func (tx *Tx) EachFacts(fn func(file uint32, f Facts) error) error {
	return tx.eachIn(tableFacts, 0, func(file uint32, value []byte) error {
		f, err := decodeFacts(value)
		if err != nil {
			return locatedIn(tableFacts, file, err)
		}
		return fn(file, f)
	})
}

func (tx *Tx) dropFacts(file uint32) error {
	f, err := tx.Facts(file)
	if err != nil || f.Empty() {
		return err
	}
	for _, m := range f.marks() {
		if err := tx.dropMark(m, file); err != nil {
			return err
		}
	}
	return tx.deleteIn(tableFacts, file)
}

// facts checks that facts belong to existing files and agree with marks.
func (c *check) facts(tx *Tx) error {
	want := map[mark][]uint32{}
	err := tx.EachFacts(func(file uint32, f Facts) error {
		if _, err := tx.entryAt(file); err != nil {
			c.wrong([]byte("facts"), "of file %d: %v", file, err)
		}
		for _, m := range f.marks() {
			want[m] = append(want[m], file)
		}
		return c.ctx.Err()
	})
	if err == nil {
		err = tx.eachMark(mark{}, func(m mark, files []uint32) error {
			if n := len(files); len(want[m]) < n || !slices.Equal(want[m][:n], files) {
				c.wrong(bucketMarks, "%q leads to files %v, not %v", m.value, files, want[m])
			} else {
				want[m] = want[m][n:]
			}
			return c.ctx.Err()
		})
	}
	for m, files := range want {
		if err == nil && len(files) > 0 {
			c.wrong(bucketMarks, "%q does not lead to files %v", m.value, files)
		}
	}
	if errors.Is(err, ErrCorrupt) {
		c.wrong([]byte("facts"), "%v", err)
		return nil
	}
	return err
}

// facts removes facts of missing files and builds all marks anew.
func (r *repair) facts() error {
	var bad []uint32
	marked := map[mark][]uint32{}
	err := r.eachIn(tableFacts, 0, func(file uint32, value []byte) error {
		f, wrong := decodeFacts(value)
		_, err := r.entryAt(file)
		if err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
		if wrong != nil || err != nil {
			bad = append(bad, file)
			return r.ctx.Err()
		}
		for _, m := range f.marks() {
			marked[m] = append(marked[m], file)
		}
		return r.ctx.Err()
	})
	if err != nil {
		return err
	}
	for _, file := range bad {
		if err := r.deleteIn(tableFacts, file); err != nil {
			return err
		}
	}
	var keys [][]byte
	err = r.each(bucketMarks, nil, func(key, _ []byte) error {
		keys = append(keys, slices.Clone(key))
		return r.ctx.Err()
	})
	for _, key := range keys {
		if err == nil {
			err = r.delete(bucketMarks, key)
		}
	}
	for m, files := range marked { // each mark has blocks of its own: any order will do
		for _, file := range files {
			if err == nil {
				err = r.addMark(m, file)
			}
		}
	}
	return err
}

// saidBy returns the file whose facts or entries a key of the main bucket
// holds.
func saidBy(key []byte) (file uint32, ok bool) {
	t, number, inTable := tableOf(key)
	return number, inTable && (t == tableFacts || t == tableEntries) && len(key) == tableKeyBytes
}

// appendMarked appends the files after the first, which the block's key names.
func appendMarked(dst []byte, files []uint32) []byte {
	for i := 1; i < len(files); i++ {
		dst = binary.AppendUvarint(dst, uint64(files[i]-files[i-1]))
	}
	return dst
}

func marked(first uint32, value []byte) ([]uint32, error) {
	d := decoder{rest: value}
	files := []uint32{first}
	for len(d.rest) > 0 && d.err == nil {
		step := d.uint32()
		next := files[len(files)-1] + step
		if step == 0 || next < step {
			d.fail("files out of order")
			break
		}
		files = append(files, next)
	}
	return files, d.err
}
