package store_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"dowse/store"
)

const dimension = 4

// modelFile is what the index should know of a file.
type modelFile struct {
	file    store.File
	chunks  []store.Chunk
	vectors [][]float32 // by chunk; nil: has none
}

// model is an index in maps: what the store is compared with.
type model struct {
	files map[string]modelFile // by path
	roots []string
	meta  map[string]string

	blocks map[blockKey]string
	dead   map[uint32]bool // ids that chunks had and that are not free: something may name them
}

func newModel() *model {
	return &model{files: map[string]modelFile{}, meta: map[string]string{}, blocks: map[blockKey]string{}, dead: map[uint32]bool{}}
}

func (m *model) clone() *model {
	return &model{files: maps.Clone(m.files), meta: maps.Clone(m.meta), blocks: maps.Clone(m.blocks), dead: maps.Clone(m.dead), roots: slices.Clone(m.roots)}
}

func (m *model) paths() []string {
	var paths []string
	for path := range m.files {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths
}

func randomChunks(random *rand.Rand) []store.Chunk {
	chunks := make([]store.Chunk, random.IntN(6))
	end := int64(0)
	for i := range chunks {
		c := store.Chunk{Start: end, End: end + random.Int64N(2000), Hash: random.Uint32N(1 << store.ChunkHashBits)}
		chunks[i], end = c, c.End
	}
	return chunks
}

func randomPath(random *rand.Rand) (path, root string) {
	root = fmt.Sprintf("/home/user/root%d", random.IntN(2))
	path = fmt.Sprintf("%s/d%d/file%d.md", root, random.IntN(4), random.IntN(12))
	if random.IntN(10) == 0 {
		path += "\xff\n\x1b[31m"
	}
	return path, root
}

// step does one random operation to the store and the model alike.
func (m *model) step(tx *store.Tx, random *rand.Rand) error {
	paths := m.paths()
	operation := random.IntN(15)
	if len(paths) == 0 || operation < 5 {
		return m.put(tx, random)
	}
	path := paths[random.IntN(len(paths))]
	old := m.files[path]
	switch operation {
	case 5, 6:
		delete(m.files, path)
		m.bury(old.file.IDs)
		return tx.DeleteFile(old.file.ID)
	case 7:
		old.file.Size, old.file.ModTime = random.Int64N(1e6), random.Int64()-1<<62
		m.files[path] = old
		return tx.TouchFile(old.file.ID, old.file.Size, old.file.ModTime, old.file.Changed)
	case 8, 9:
		return m.dropRun(tx, path)
	case 10, 11:
		return m.block(tx, random)
	case 12:
		return m.free(tx, random)
	case 13:
		return m.edit(tx, random, path)
	}
	m.roots = []string{fmt.Sprint("/a", random.IntN(9)), fmt.Sprint("/b", random.IntN(9))}
	m.meta["key"] = fmt.Sprint(random.Uint64())
	return errors.Join(tx.PutRoots(m.roots), tx.PutMeta("key", []byte(m.meta["key"])))
}

func (m *model) put(tx *store.Tx, random *rand.Rand) error {
	f := store.File{Size: random.Int64N(1e6), ModTime: random.Int64() - 1<<62, Kind: uint8(random.IntN(5)), Plain: random.IntN(2) == 0}
	f.Changed = []int64{0, f.ModTime, store.Unsettled, f.ModTime + random.Int64N(1e12)}[random.IntN(4)]
	f.Path, f.Root = randomPath(random)
	if random.IntN(8) == 0 {
		f.Root = "/elsewhere"
	}
	for i := range f.Hash {
		f.Hash[i] = byte(random.Uint32())
	}
	chunks := randomChunks(random)
	if err := tx.PutFile(&f, chunks); err != nil {
		return err
	}
	m.bury(m.files[f.Path].file.IDs)
	for _, id := range f.IDs.All() {
		if m.dead[id] {
			return fmt.Errorf("the id %d is given again while something may name it", id)
		}
	}
	entry := modelFile{file: f, chunks: chunks, vectors: make([][]float32, len(chunks))}
	for at := 0; at < len(chunks); { // in runs, with gaps
		n := 1 + random.IntN(len(chunks)-at)
		if random.IntN(4) > 0 {
			if err := entry.putRun(tx, random, at, n); err != nil {
				return err
			}
		}
		at += n
	}
	m.files[f.Path] = entry
	return nil
}

// putRun gives n chunks from at on random vectors.
func (entry modelFile) putRun(tx *store.Tx, random *rand.Rand, at, n int) error {
	var run []float32
	for i := range n {
		v := make([]float32, dimension)
		for j := range v {
			v[j] = random.Float32()
		}
		entry.vectors[at+i], run = v, append(run, v...)
	}
	return tx.PutVectors(entry.file, at, dimension, run)
}

// dropRun removes a run of vectors of a file, if it has any, as a step into
// the graph does.
func (m *model) dropRun(tx *store.Tx, path string) error {
	entry := m.files[path]
	entry.vectors = slices.Clone(entry.vectors)
	places := map[uint32]int{}
	for place, id := range entry.file.IDs.All() {
		places[id] = place
	}
	start, n := uint32(0), 0
	err := tx.Vectors(func(first uint32, raw []byte) error {
		if _, own := places[first]; own {
			start, n = first, len(raw)/4/dimension
		}
		return nil
	})
	if err != nil || n == 0 {
		return err
	}
	for i := range n {
		entry.vectors[places[start+uint32(i)]] = nil
	}
	m.files[path] = entry
	return tx.DeleteVectors(start)
}

// differs compares everything that can be read with the model.
func (m *model) differs(tx *store.Tx) error {
	var files []store.File
	err := tx.Files(func(f store.File) error { files = append(files, f); return nil })
	if err != nil {
		return err
	}
	slices.SortFunc(files, func(a, b store.File) int { return strings.Compare(a.Path, b.Path) })
	paths := m.paths()
	if len(files) != len(paths) {
		return fmt.Errorf("%d files, want %d", len(files), len(paths))
	}
	live := map[uint32]bool{}
	for i, path := range paths {
		want := m.files[path]
		if !reflect.DeepEqual(files[i], want.file) {
			return fmt.Errorf("file %+v, want %+v", files[i], want.file)
		}
		if err := want.differs(tx); err != nil {
			return fmt.Errorf("%q: %w", path, err)
		}
		for _, id := range want.file.IDs.All() {
			live[id] = true
		}
	}
	if err := m.idsDiffer(tx, live); err != nil {
		return err
	}
	return errors.Join(m.rest(tx, len(files), len(live)), m.blocksDiffer(tx))
}

func (m *model) rest(tx *store.Tx, files, chunks int) error {
	counts, err := tx.Counts()
	vectors := 0
	for _, f := range m.files {
		for _, v := range f.vectors {
			vectors += min(1, len(v))
		}
	}
	if err != nil || counts.Files != files || counts.Chunks != chunks || counts.Vectors != vectors {
		return errors.Join(err, fmt.Errorf("counts %+v, want %d files and %d chunks", counts, files, chunks))
	}
	roots, err := tx.Roots()
	if err != nil || !slices.Equal(roots, m.roots) {
		return errors.Join(err, fmt.Errorf("roots %q, want %q", roots, m.roots))
	}
	for key, want := range m.meta {
		if value, err := tx.Meta(key); err != nil || string(value) != want {
			return errors.Join(err, fmt.Errorf("meta %q, want %q", value, want))
		}
	}
	return nil
}

func (entry modelFile) differs(tx *store.Tx) error {
	byID, err := tx.File(entry.file.ID)
	if err != nil || !reflect.DeepEqual(byID, entry.file) {
		return errors.Join(err, fmt.Errorf("by id %+v", byID))
	}
	chunks, err := tx.Chunks(entry.file)
	if err != nil || !slices.Equal(chunks, entry.chunks) {
		return errors.Join(err, fmt.Errorf("chunks %v, want %v", chunks, entry.chunks))
	}
	stored := map[uint32][]float32{}
	err = tx.VectorsOf(entry.file, func(chunk uint32, vector []float32) error {
		stored[chunk] = vector
		return nil
	})
	if err != nil {
		return err
	}
	for i, id := range entry.file.IDs.All() {
		v, one := entry.vectors[i], make([]float32, dimension)
		err := tx.VectorAt(id, one)
		switch {
		case !slices.Equal(stored[id], v):
			return fmt.Errorf("vector of chunk %d in its run: %v, want %v", i, stored[id], v)
		case v == nil && !errors.Is(err, store.ErrNotFound):
			return errors.Join(err, fmt.Errorf("chunk %d has a vector", i))
		case v != nil && (err != nil || !slices.Equal(one, v)):
			return errors.Join(err, fmt.Errorf("vector of chunk %d: %v", i, one))
		}
	}
	return nil
}

var errRollback = errors.New("rolled back on purpose")

// TestSimulation does random operations to a store and to a model, with
// transactions that fail and files that are opened again in between.
func TestSimulation(t *testing.T) {
	if testing.Short() {
		t.Skip("one step after the other: nothing for the race detector")
	}
	for seed := range uint64(4) {
		t.Logf("seed %d", seed)
		random := rand.New(rand.NewPCG(seed, 0))
		path := filepath.Join(t.TempDir(), "index.db")
		db := open(t, path, store.Options{Fingerprint: "f"})
		m := newModel()
		for range 40 {
			trial := m.clone()
			fail := random.IntN(5) == 0
			err := db.Update(func(tx *store.Tx) error {
				for range 1 + random.IntN(8) {
					if err := trial.step(tx, random); err != nil {
						return err
					}
				}
				if fail {
					return errRollback
				}
				return trial.differs(tx)
			})
			switch {
			case fail && errors.Is(err, errRollback):
			case err != nil:
				t.Fatal(err)
			default:
				m = trial
			}
			if random.IntN(4) == 0 {
				if err := db.Close(); err != nil {
					t.Fatal(err)
				}
				db = open(t, path, store.Options{Fingerprint: "f", ReadOnly: random.IntN(2) == 0})
				if err := db.View(m.differs); err != nil {
					t.Fatal(err)
				}
				if err := db.Close(); err != nil {
					t.Fatal(err)
				}
				db = open(t, path, store.Options{Fingerprint: "f"})
			}
			if err := db.View(m.differs); err != nil {
				t.Fatal(err)
			}
		}
		checkClean(t, db)
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func open(t testing.TB, path string, opts store.Options) *store.DB {
	t.Helper()
	db, err := store.Open(path, opts)
	if err != nil {
		t.Fatal(err)
	}
	return db
}

func checkClean(t testing.TB, db *store.DB) store.Summary {
	t.Helper()
	summary, err := db.Check(context.Background(), func(p store.Problem) { t.Errorf("check: %v", p) })
	if err != nil {
		t.Fatal(err)
	}
	return summary
}
