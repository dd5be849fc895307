package indexer

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/cespare/xxhash/v2"

	"dowse/store"
)

// A long file takes minutes to embed, and its record is not written before all
// of its chunks have a vector: the index never holds half of a file. What was
// embedded so far is kept beside it, in slices, and a run that comes after a
// kill embeds the rest.

// longFile is how many chunks a file has at least whose vectors are kept in
// slices of batchChunks, or of what keepTime is enough for. They are written
// twice for it.
const (
	longFile = 2 * batchChunks
	keepTime = 10 * time.Second
)

// isLong reports whether the vectors of a file are kept in slices.
func (p *prepared) isLong() bool { return len(p.chunks) >= longFile && !isLog(&p.file) }

// resumeKey is where the list of the files that have slices is kept: hashes of
// their bytes, as JSON. The slices of a file are numbered from 0.
const resumeKey = "resume"

func sliceKey(file string, number int) string {
	return resumeKey + "/" + file + "/" + strconv.Itoa(number)
}

// resume finds the vectors that earlier runs kept of files that they did not
// finish. Of another version of such a file what did not change serves as well.
type resume struct {
	files []string            // with slices, by hash
	at    map[uint64]sliceRow // by the hash of the text that was embedded
	next  map[string]int      // number of the next slice of each file
}

// sliceRow is a vector in a slice.
type sliceRow struct {
	key string
	row int
}

// readResume reads which vectors are kept.
func (ix *Indexer) readResume() (*resume, error) {
	r := &resume{at: map[uint64]sliceRow{}, next: map[string]int{}}
	err := ix.opts.Store.View(func(tx *store.Tx) (err error) {
		if r.files, err = resumable(tx); err != nil {
			return err
		}
		for _, file := range r.files {
			for ; ; r.next[file]++ {
				key := sliceKey(file, r.next[file])
				value, err := tx.Meta(key)
				if err != nil {
					return err
				}
				if value == nil {
					break
				}
				for row, hash := range sliceHashes(value) {
					r.at[hash] = sliceRow{key, row}
				}
			}
		}
		return nil
	})
	return r, err
}

// resumable lists the files that have slices.
func resumable(tx *store.Tx) (files []string, err error) {
	data, err := tx.Meta(resumeKey)
	if err != nil || data == nil {
		return nil, err
	}
	return files, json.Unmarshal(data, &files)
}

// fill gives the chunks of p that lack a vector the one that was kept.
func (r *resume) fill(tx *store.Tx, p *prepared, dim int) error {
	if len(r.at) == 0 {
		return nil
	}
	var open string // the slice that is at hand: chunks come in their order
	var value []byte
	missing := p.missing[:0]
	for _, i := range p.missing {
		at, ok := r.at[xxhash.Sum64String(p.texts[i])]
		if ok && at.key != open {
			var err error
			if value, err = tx.Meta(at.key); err != nil {
				return err
			}
			open = at.key
		}
		if !ok || !readRow(p.vectors[i*dim:(i+1)*dim], value, at.row) {
			missing = append(missing, i)
		}
	}
	p.missing = missing
	return nil
}

// keep commits the vectors of some chunks of a long file.
func (s *session) keep(p *prepared, chunks []passageAt) error {
	dim, file := s.opts.Embedder.Dim(), hex.EncodeToString(p.file.Hash[:])
	value := binary.LittleEndian.AppendUint32(nil, uint32(len(chunks)))
	for _, at := range chunks {
		value = binary.LittleEndian.AppendUint64(value, xxhash.Sum64String(p.texts[at.chunk]))
	}
	for _, at := range chunks {
		for _, x := range p.vectors[at.chunk*dim : (at.chunk+1)*dim] {
			value = binary.LittleEndian.AppendUint32(value, math.Float32bits(x))
		}
	}
	err := s.opts.Store.Update(func(tx *store.Tx) error {
		files, err := resumable(tx)
		if err != nil {
			return err
		}
		if !slices.Contains(files, file) {
			if err := putResumable(tx, append(files, file)); err != nil {
				return err
			}
		}
		return tx.PutMeta(sliceKey(file, s.resume.next[file]), value)
	})
	if err != nil {
		return s.commitError(err)
	}
	s.resume.next[file]++
	return nil
}

// sliceHashes returns the hashes of the texts whose vectors a slice holds.
func sliceHashes(value []byte) []uint64 {
	n := sliceRows(value)
	hashes := make([]uint64, n)
	for i := range hashes {
		hashes[i] = binary.LittleEndian.Uint64(value[4+8*i:])
	}
	return hashes
}

// sliceRows returns the number of vectors in a slice; 0 for bytes that are none.
func sliceRows(value []byte) int {
	if len(value) < 4 {
		return 0
	}
	n := int64(binary.LittleEndian.Uint32(value))
	if rest := int64(len(value)) - 4 - 8*n; n == 0 || rest <= 0 || rest%(4*n) != 0 {
		return 0
	}
	return int(n)
}

// readRow reads a vector of a slice; false where it does not hold such a one.
func readRow(dst []float32, value []byte, row int) bool {
	n := sliceRows(value)
	if row >= n || len(value) != 4+8*n+4*n*len(dst) {
		return false
	}
	from := value[4+8*n+4*len(dst)*row:]
	for i := range dst {
		dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(from[4*i:]))
	}
	return true
}

// dropResume drops the slices of a file that is being committed.
func dropResume(tx *store.Tx, hash [6]byte) error {
	file := hex.EncodeToString(hash[:])
	files, err := resumable(tx)
	if err != nil || !slices.Contains(files, file) {
		return err
	}
	for number := 0; ; number++ {
		key := sliceKey(file, number)
		if value, err := tx.Meta(key); err != nil {
			return err
		} else if value == nil {
			break
		}
		if err := tx.PutMeta(key, nil); err != nil {
			return err
		}
	}
	return putResumable(tx, slices.DeleteFunc(files, func(f string) bool { return f == file }))
}

func putResumable(tx *store.Tx, files []string) error {
	if len(files) == 0 {
		return tx.PutMeta(resumeKey, nil)
	}
	data, err := json.Marshal(files)
	if err != nil {
		return err
	}
	return tx.PutMeta(resumeKey, data)
}

// forgetResume drops what is left once every file was looked at: slices of
// files that changed or went since.
func (s *session) forgetResume() error {
	var files []string
	err := s.opts.Store.View(func(tx *store.Tx) (err error) {
		files, err = resumable(tx)
		return err
	})
	if err != nil || len(files) == 0 {
		return err
	}
	return s.commitError(s.opts.Store.Update(func(tx *store.Tx) error {
		if err := noteTraces(tx); err != nil {
			return err
		}
		for _, file := range files {
			var hash [6]byte
			if len(file) != 2*len(hash) {
				continue
			}
			if _, err := hex.Decode(hash[:], []byte(file)); err != nil {
				continue
			}
			if err := dropResume(tx, hash); err != nil {
				return err
			}
		}
		return tx.PutMeta(resumeKey, nil)
	}))
}
