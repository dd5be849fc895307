package transformer_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dowse/internal/testcache"
)

// sharedData is the folder of shared test data, or the test is skipped.
func sharedData(t *testing.T) string {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "shared", "data")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("no shared test data beside the repository")
	}
	return dir
}

// spread picks n items at even distances.
func spread[T any](items []T, n int) []T {
	picked := make([]T, n)
	for i := range picked {
		picked[i] = items[i*len(items)/n]
	}
	return picked
}

// cut leaves a third of the texts whole, makes a third short and a third of
// middle length; lengths are in characters.
func cut(text string, i int) string {
	limit := []int{math.MaxInt, 60 + i, 700}[i%3]
	r := []rune(text)
	return string(r[:min(limit, len(r))])
}

// parityTexts picks the texts of parity.i8 by the rule of parity.py.
func parityTexts(t *testing.T) []string {
	t.Helper()
	data := sharedData(t)
	var texts []string
	for i, path := range spread(markdownFiles(t, filepath.Join(data, "corpus", "til")), 130) {
		texts = append(texts, cut(string(read(t, path)), i))
	}
	for lang := range strings.FieldsSeq("ar de el en es hi ro ru th tr vi zh") {
		texts = append(texts, xquadTexts(t, filepath.Join(data, "eval", "xquad", "xquad."+lang+".json"))...)
	}
	for _, set := range []struct {
		name string
		n    int
	}{{"code", 50}, {"npl", 40}, {"sitedocs", 40}, {"scifact", 60}, {"cranfield", 20}} {
		texts = append(texts, spread(records(t, filepath.Join(data, "eval", set.name, "corpus.jsonl")), set.n)...)
	}
	var own []string
	decode(t, read(t, filepath.Join("testdata", "parity.json")), &own)
	return append(texts, own...)
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func decode(t *testing.T, data []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

func markdownFiles(t *testing.T, dir string) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".md") {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(paths)
	return paths
}

func xquadTexts(t *testing.T, path string) (texts []string) {
	t.Helper()
	type paragraph struct {
		Context   string
		Questions []struct{ Question string } `json:"qas"`
	}
	var file struct {
		Data []struct{ Paragraphs []paragraph }
	}
	decode(t, read(t, path), &file)
	var all []paragraph
	for _, article := range file.Data {
		all = append(all, article.Paragraphs...)
	}
	for i, p := range spread(all, 10) {
		if i%2 == 0 {
			texts = append(texts, p.Context)
		} else {
			texts = append(texts, p.Questions[0].Question)
		}
	}
	return texts
}

func records(t *testing.T, path string) (texts []string) {
	t.Helper()
	lines := bufio.NewScanner(bytes.NewReader(read(t, path)))
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		var r struct{ Title, Text string }
		decode(t, lines.Bytes(), &r)
		texts = append(texts, strings.TrimSpace(r.Title+" "+r.Text))
	}
	return texts
}

// cosine of a vector and a stored reference.
func cosine(v []float32, ref []int8) float64 {
	var dot, a, b float64
	for i, x := range v {
		y := float64(ref[i])
		dot += float64(x) * y
		a += float64(x) * float64(x)
		b += y * y
	}
	return dot / math.Sqrt(a*b)
}

// TestParityWithReference compares with vectors of the reference
// implementation in float32: 540 texts in 12 languages, notes, code, abstracts
// and edge cases. Every fourth is embedded, and all short ones; make
// test-full embeds them all.
func TestParityWithReference(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	texts := parityTexts(t)
	raw := read(t, filepath.Join("testdata", "parity.i8"))
	e := openEmbedder(t, 2)
	d := e.Dim()
	if len(raw) != len(texts)*d {
		t.Fatalf("%d reference vectors for %d texts", len(raw)/d, len(texts))
	}
	var some []string
	var refs [][]byte
	for i, text := range texts {
		// By fours, as texts are cut in three ways by turns; short are the edge cases.
		if i%4 == 0 || len(text) < 100 || os.Getenv(testcache.FullVariable) != "" {
			some, refs = append(some, text), append(refs, raw[i*d:(i+1)*d])
		}
	}
	texts = some
	vectors, err := e.EmbedDocuments(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	sum, worst, worstAt := 0.0, 1.0, 0
	for i := range texts {
		ref := make([]int8, d)
		for j, b := range refs[i] {
			ref[j] = int8(b)
		}
		c := cosine(vectors[i*d:(i+1)*d], ref)
		sum += c
		if c < worst {
			worst, worstAt = c, i
		}
	}
	mean := sum / float64(len(texts))
	t.Logf("%d texts: mean cosine %.5f, smallest %.5f (text %d, %.60q)", len(texts), mean, worst, worstAt, texts[worstAt])
	if worst < 0.99 || mean < 0.995 {
		t.Errorf("cosine with the reference: mean %.5f (want 0.995), smallest %.5f (want 0.99)", mean, worst)
	}
}
