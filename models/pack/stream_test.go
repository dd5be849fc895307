package pack

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"dowse/models/modeltest"
	"dowse/models/pack/directio"
)

// rerankerPath returns the pack of a small reranker.
func rerankerPath(t testing.TB, r modeltest.Reranker) string {
	t.Helper()
	files, err := r.Files()
	if err != nil {
		t.Fatal(err)
	}
	return importFiles(t, files)
}

func openStream(t testing.TB, path string) *Stream {
	t.Helper()
	s, err := OpenStream(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// What is streamed is what is mapped.
func TestStreamReadsWhatIsMapped(t *testing.T) {
	for _, r := range []modeltest.Reranker{{Vocabulary: 1000}, {XLMRoberta: true, Hidden: 48}, {LayerHeads: true, Layers: 3}} {
		path := rerankerPath(t, r)
		p, s := openPack(t, path), openStream(t, path)
		c := s.Config()
		if c != p.Config() || s.Fingerprint() != p.Fingerprint() {
			t.Errorf("config %+v, want %+v", c, p.Config())
		}
		for i := range c.Layers {
			got, err := s.ReadLayer(i, directio.AlignedBytes(c.LayerBuffer()))
			if err != nil || !reflect.DeepEqual(got, p.Layer(i)) {
				t.Errorf("layer %d differs (%v)", i, err)
			}
		}
		head, err := s.ReadHead(directio.AlignedBytes(c.HeadBuffer()))
		if err != nil || !reflect.DeepEqual(head, p.Head()) {
			t.Errorf("the head differs (%v)", err)
		}
		tables, err := s.ReadTables(directio.AlignedBytes(c.TablesBuffer()))
		tables.Words = p.Embeddings().Words
		if err != nil || !reflect.DeepEqual(tables, p.Embeddings()) {
			t.Errorf("the tables differ (%v)", err)
		}
	}
}

func TestStreamRefusesWhatDoesNotFit(t *testing.T) {
	s := openStream(t, rerankerPath(t, modeltest.Reranker{}))
	c := s.Config()
	if _, err := s.ReadLayer(0, directio.AlignedBytes(4096)); err == nil {
		t.Error("a short buffer is accepted")
	}
	if _, err := s.ReadLayer(c.Layers, directio.AlignedBytes(c.LayerBuffer())); err == nil {
		t.Error("a layer that does not exist is accepted")
	}
	if _, err := s.ReadTables(nil); err == nil {
		t.Error("no buffer is accepted")
	}
	if _, err := s.ReadWords([]int32{0}, nil, nil); err == nil {
		t.Error("no buffer is accepted")
	}
	if _, err := s.ReadWords([]int32{int32(c.Vocabulary)}, directio.AlignedBytes(c.WordsBuffer()), nil); err == nil {
		t.Error("a token that does not exist is accepted")
	}
	if _, err := openStream(t, importFiles(t, tinyFiles(t))).ReadHead(nil); err == nil {
		t.Error("the head of a model without one is read")
	}
}

// Any ascending ids give the rows of the mapped table, through any buffer.
func TestStreamedWordsAreTheMappedOnes(t *testing.T) {
	const seed = 7
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	const vocabulary, width = 5000, 48
	path := rerankerPath(t, modeltest.Reranker{Vocabulary: vocabulary, Hidden: width})
	want, s := openPack(t, path).Embeddings().Words, openStream(t, path)
	c := s.Config()
	for trial := range 60 {
		buffer := directio.AlignedBytes(c.WordsBuffer() + 4096*rng.IntN(40))
		var ids []int32
		for id := rng.IntN(30); id < vocabulary; id += 1 + rng.IntN(1+trial*trial) {
			ids = append(ids, int32(id))
		}
		seen := 0
		bytes, err := s.ReadWords(ids, buffer, func(i int, words []int8) {
			at := int(ids[i]) * width
			if i != seen || !slices.Equal(words, want[at:at+width]) {
				t.Fatalf("row %d of trial %d, id %d, differs", i, trial, ids[i])
			}
			seen++
		})
		if err != nil || seen != len(ids) || bytes%4096 != 0 || len(ids) > 0 && bytes == 0 {
			t.Fatalf("trial %d: %d of %d rows, %d bytes, %v", trial, seen, len(ids), bytes, err)
		}
	}
	// A whole table takes little more than one reading of it.
	all := make([]int32, vocabulary)
	for i := range all {
		all[i] = int32(i)
	}
	bytes, err := s.ReadWords(all, directio.AlignedBytes(64<<10), func(int, []int8) {})
	if err != nil || bytes > vocabulary*width*12/10 {
		t.Errorf("%d bytes for a table of %d (%v)", bytes, vocabulary*width, err)
	}
}

// A pack that changes while it is streamed is noticed; one that is replaced
// under its name is not, since the old file is still there.
func TestStreamNoticesDamage(t *testing.T) {
	path := rerankerPath(t, modeltest.Reranker{})
	s := openStream(t, path)
	c := s.Config()
	buffer := directio.AlignedBytes(max(c.LayerBuffer(), c.HeadBuffer()))
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := s.header.Blocks[firstLayerPlace+1].Offset + 77
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte{data[at] ^ 4}, at); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ReadLayer(0, buffer); err != nil {
		t.Errorf("a layer that is whole: %v", err)
	}
	if _, err := s.ReadLayer(1, buffer); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a damaged layer: %v", err)
	}
	if err := f.Truncate(at); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ReadHead(buffer); !errors.Is(err, ErrTruncated) {
		t.Errorf("a head that was cut off: %v", err)
	}
	if _, err := OpenStream(path); !errors.Is(err, ErrTruncated) {
		t.Errorf("opening what was cut off: %v", err)
	}
	if err := errors.Join(f.Close(), os.Remove(path)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ReadLayer(0, buffer); err != nil {
		t.Logf("reading a file that was removed: %v", err) // allowed where an open file cannot be removed
	}
}

// Layers, words and output of a pack with blocks are the same read one by one as mapped.
func TestStreamOfBlocksIsThePack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.pack")
	data, err := modeltest.ReferenceGGUF("qwen3")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "model.gguf")
	if err := errors.Join(os.WriteFile(file, data, 0o600), Import(t.Context(), file, path, nil)); err != nil {
		t.Fatal(err)
	}
	p, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = p.Close() }()
	s, err := OpenStream(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	c := p.Config()
	buffer := directio.AlignedBytes(c.LayerBuffer())
	for i := range c.Layers {
		read, err := s.ReadDecoderLayer(i, buffer)
		if err != nil {
			t.Fatal(err)
		}
		if mapped := p.DecoderLayer(i); mapped.QKV.Blocks == nil || !reflect.DeepEqual(mapped, read) {
			t.Errorf("layer %d differs", i)
		}
	}
}
