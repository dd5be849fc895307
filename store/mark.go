package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
)

// Mark is a kind of fact by whose value files are found without reading their
// facts.
type Mark byte

// The kinds. They are part of the format.
const (
	FormatMark Mark = 1 + iota
	AuthorMark
	RecipientMark
	TagMark
	LackingMark
)

// mark is a value, in small letters.
type mark struct {
	kind  Mark
	value string
}

const (
	// maxMark is how many bytes of a value are indexed.
	maxMark = 200
	// markBlock is the length of a block of files: a changed file rewrites a
	// block for each of its marks.
	markBlock = 1 << 10
)

func (f *Facts) marks() (all []mark) {
	add := func(kind Mark, values ...string) {
		for _, value := range values {
			value = strings.ReplaceAll(strings.ToLower(value), "\x00", "")
			m := mark{kind, value[:min(len(value), maxMark)]}
			if m.value != "" && !slices.Contains(all, m) {
				all = append(all, m)
			}
		}
	}
	add(FormatMark, f.Format)
	add(AuthorMark, f.Authors...)
	add(RecipientMark, f.To...)
	add(TagMark, f.Tags...)
	add(LackingMark, f.Lacking)
	return all
}

// prefix begins the keys of a mark's blocks; the block's first file follows.
func (m mark) prefix() []byte { return append(append([]byte{byte(m.kind)}, m.value...), 0) }

func (m mark) key(file uint32) []byte { return binary.BigEndian.AppendUint32(m.prefix(), file) }

func splitMark(key []byte) (m mark, first uint32, err error) {
	n := len(key) - 4
	if n < 3 || key[n-1] != 0 {
		return m, 0, located(bucketMarks, key, corrupt("its key is none of a mark"))
	}
	return mark{Mark(key[0]), string(key[1 : n-1])}, binary.BigEndian.Uint32(key[n:]), nil
}

// blockFor finds the block of a mark that holds a file or would hold it.
func (tx *Tx) blockFor(m mark, file uint32) (key []byte, files []uint32, size int, err error) {
	key, value, err := tx.floor(bucketMarks, m.key(file))
	if err != nil {
		return nil, nil, 0, err
	}
	if !bytes.HasPrefix(key, m.prefix()) || len(key) != len(m.value)+6 {
		return nil, nil, 0, ErrNotFound
	}
	files, err = marked(binary.BigEndian.Uint32(key[len(key)-4:]), value)
	if err != nil {
		return nil, nil, 0, located(bucketMarks, key, err)
	}
	return slices.Clone(key), files, len(value), nil
}

// addMark notes that a file has a mark. Nearly always its id is the greatest.
func (tx *Tx) addMark(m mark, file uint32) error {
	key, files, size, err := tx.blockFor(m, file)
	if errors.Is(err, ErrNotFound) || err == nil && size >= markBlock && file > files[len(files)-1] {
		return tx.putMarked(m.key(file), []uint32{file})
	}
	if err != nil {
		return err
	}
	i, found := slices.BinarySearch(files, file)
	if found {
		return nil
	}
	return tx.putMarked(key, slices.Insert(files, i, file))
}

func (tx *Tx) putMarked(key []byte, files []uint32) error {
	return tx.put(bucketMarks, key, appendMarked(make([]byte, 0, 2*len(files)+checksumBytes), files))
}

func (tx *Tx) dropMark(m mark, file uint32) error {
	key, files, _, err := tx.blockFor(m, file)
	if err != nil {
		if errors.Is(err, ErrNotFound) {
			err = corrupt("the mark %q of file %d is missing", m.value, file)
		}
		return err
	}
	i, found := slices.BinarySearch(files, file)
	if !found {
		return located(bucketMarks, key, corrupt("file %d is missing", file))
	}
	files = slices.Delete(files, i, i+1)
	if i == 0 { // the key names the first file
		if err := tx.delete(bucketMarks, key); err != nil || len(files) == 0 {
			return err
		}
		key = m.key(files[0])
	}
	return tx.putMarked(key, files)
}

func (tx *Tx) eachMark(from mark, fn func(m mark, files []uint32) error) error {
	start := append([]byte{byte(from.kind)}, from.value...)
	return tx.each(bucketMarks, start, func(key, value []byte) error {
		m, first, err := splitMark(key)
		if err != nil {
			return err
		}
		files, err := marked(first, value)
		if err != nil {
			return located(bucketMarks, key, err)
		}
		return fn(m, files)
	})
}

// Marked returns, ascending, the ids of files with a mark whose value, in small
// letters, begins with from and matches. It looks at each value once and at no
// file.
func (tx *Tx) Marked(kind Mark, from string, matches func(value string) bool) ([]uint32, error) {
	var all []uint32
	err := tx.eachMark(mark{kind, from}, func(m mark, files []uint32) error {
		if m.kind != kind || !strings.HasPrefix(m.value, from) {
			return errEnd
		}
		if matches(m.value) {
			all = append(all, files...)
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnd) {
		return nil, err
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// Marks calls fn for the values of a kind, in small letters, in order and each
// once, with its files ascending.
func (tx *Tx) Marks(kind Mark, fn func(value string, files []uint32) error) error {
	var last mark
	var all []uint32
	err := tx.eachMark(mark{kind, ""}, func(m mark, files []uint32) error {
		switch {
		case m.kind != kind:
			return errEnd
		case m == last: // its next block
			all = append(all, files...)
			return nil
		}
		before, of := last.value, all
		last, all = m, files
		if of == nil {
			return nil
		}
		return fn(before, of)
	})
	if err != nil && !errors.Is(err, errEnd) {
		return err
	}
	if all == nil {
		return nil
	}
	return fn(last.value, all)
}
