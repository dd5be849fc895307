package lexical

import (
	"flag"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"dowse/engine/internal/rangecode"
)

var (
	trainOn = flag.String("train", "", "folder of texts to count prior.bin on")
	trainTo = flag.String("prior", "prior.bin", "file that -train writes")
	sizeOf  = flag.String("size", "", "folder of texts to tell the size of postings of")
)

// TestTrain counts the decisions of every context over the texts of a folder
// and writes their chances:
//
//	go test ./engine/lexical -run TestTrain -train DIR
//
// train/prior_texts.py writes the folder, and train/README.md has
// the commands. The same texts give the same file.
//
// A new prior.bin is a new format: raise formatVersion and Version.
func TestTrain(t *testing.T) {
	if *trainOn == "" {
		t.Skip("counts only when told on what: -train DIR")
	}
	chunks := trainingChunks(t, *trainOn)
	defer func(before [contexts]rangecode.Chance) { prior = before }(prior)
	var data []byte
	// Where blocks end depends on the chances, and what is counted on that: so
	// the first round begins from none, whatever prior.bin holds.
	for range 2 {
		prior = chancesOf(data)
		data = countAll(t, chunks).chances()
	}
	if err := os.WriteFile(*trainTo, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// countAll counts the decisions of segments of three sizes.
func countAll(t *testing.T, chunks [][]string) *tally {
	t.Helper()
	counts := &tally{}
	for _, size := range []int{1 << 12, 1 << 15, len(chunks)} {
		stride := size
		if size == 1<<12 {
			stride = 10 * size // small segments are many, and much alike
		}
		for from := 0; from < len(chunks); from += stride {
			countSegment(t, counts, chunks[from:min(from+size, len(chunks))])
		}
	}
	return counts
}

// trainingChunks returns the terms of pieces of some 550 bytes of every text.
func trainingChunks(t *testing.T, folder string) (chunks [][]string) {
	t.Helper()
	analyzer := NewAnalyzer()
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if !utf8.Valid(data) || slices.Contains(data, 0) {
			return nil
		}
		name := analyzer.Append(nil, strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)))
		for text := string(data); text != ""; {
			size := len(text)
			if size > 800 {
				size = 550 + strings.IndexByte(text[550:]+"\n", '\n')
			}
			piece := text[:min(size, len(text))]
			chunks = append(chunks, append(analyzer.Append(nil, piece), name...))
			text = text[len(piece):]
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return chunks
}

func countSegment(t *testing.T, counts *tally, chunks [][]string) {
	t.Helper()
	w := newBlockWriter(len(chunks), func(string, []byte, int) error { return nil })
	w.coded.tally = counts
	writeSegment(t, w, builderOf(chunks))
}

func builderOf(chunks [][]string) *Builder {
	b := NewBuilder()
	for i, terms := range chunks {
		b.Add(uint32(i), terms)
	}
	return b
}

func writeSegment(t *testing.T, w *blockWriter, b *Builder) {
	t.Helper()
	for _, term := range slices.Sorted(maps.Keys(b.terms)) {
		if err := w.add(term, b.list(b.lists[b.terms[term]])); err != nil {
			t.Fatal(err)
		}
	}
}

// chances returns one byte for each context.
func (counts *tally) chances() []byte {
	data := make([]byte, contexts)
	for i, n := range counts {
		share := (float64(n[0]) + 0.4) / (float64(n[0]+n[1]) + 0.8)
		data[i] = byte(max(0, min(255, math.Round(share*256-0.5))))
	}
	return data
}

// TestSizeOfPostings tells what the postings of a folder take, with the chances of
// prior.bin and with chances of one half, as before anything was counted:
//
//	go test ./engine/lexical -run TestSizeOfPostings -v -size DIR
func TestSizeOfPostings(t *testing.T) {
	if *sizeOf == "" {
		t.Skip("measures only when told what: -size DIR")
	}
	chunks := trainingChunks(t, *sizeOf)
	b := builderOf(chunks)
	defer func(before [contexts]rangecode.Chance) { prior = before }(prior)
	for _, name := range []string{"prior.bin", "one half"} {
		size := 0
		w := newBlockWriter(len(chunks), func(_ string, block []byte, _ int) error { size += len(block); return nil })
		writeSegment(t, w, b)
		t.Logf("%d pieces of text: %d bytes with chances of %s", len(chunks), size, name)
		prior = chancesOf(nil)
	}
}

func TestPriorIsComplete(t *testing.T) {
	if len(priorData) != contexts {
		t.Errorf("prior.bin has %d chances for %d contexts", len(priorData), contexts)
	}
	for i, c := range prior {
		if c == 0 || c >= rangecode.One {
			t.Errorf("context %d has the chance %d of %d", i, c, rangecode.One)
		}
	}
}
