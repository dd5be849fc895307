package indexer_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"dowse/engine/lexical"
	"dowse/indexer/chunk"
	"dowse/indexer/document"
	"dowse/indexer/extract"
	"dowse/indexer/kept"
)

// exportsOfPrograms are files below indexer/extract that real programs wrote, most of whose bytes are no person's words.
var exportsOfPrograms = []string{
	"session/testdata/claude-2.1.197.jsonl", "session/testdata/codex-0.171.0.jsonl", "session/testdata/gemini-0.61.0.jsonl", "session/testdata/opencode-1.18.33.json",
	"noteapp/testdata/joplin-3.5.1.jex", "noteapp/testdata/tiddlywiki-5.3.8.html", "markup/testdata/buku-5.1.xbel", "markup/testdata/pysubs2-1.8.1.ass",
	"markup/testdata/pycaption-2.3.14.dfxp", "record/testdata/pandoc-3.9.csl.json",
}

var exportsFolder = flag.String("exports", "", "measure the index of the exports in a folder")

// TestExportsTakeAQuarterOfARawReading: postings, codes and kept text of ten exports together, against those of the same bytes as
// plain text. What is kept of a text is a part of the sums of other folders alone: of files of a page it is more than their words.
func TestExportsTakeAQuarterOfARawReading(t *testing.T) {
	var files []string
	for _, name := range exportsOfPrograms {
		files = append(files, filepath.Join("extract", name))
	}
	if *exportsFolder != "" {
		var err error
		if files, err = filepath.Glob(filepath.Join(*exportsFolder, "*.*")); err != nil {
			t.Fatal(err)
		}
	}
	sum, text := [2]int{}, 0
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := extract.Bytes(context.Background(), path, data, extract.Options{})
		if err != nil {
			t.Fatal(err)
		}
		read, raw := indexBytes(t, path, doc), indexBytes(t, path, document.FromText(string(data), document.Text))
		t.Logf("%-36s %8d bytes: read %v, raw %v, %3d%%", filepath.Base(path), len(data), read, raw, 100*read.all()/raw.all())
		sum[0], sum[1] = sum[0]+read.all(), sum[1]+raw.all()
		text += read.text
	}
	t.Logf("all: read %d, of which %d are text, raw %d, %d%%, %d%% without text", sum[0], text, sum[1], 100*sum[0]/sum[1], 100*(sum[0]-text)/sum[1])
	if *exportsFolder == "" && 4*(sum[0]-text) > sum[1] {
		t.Errorf("postings and codes have %d bytes, of %d as plain text", sum[0]-text, sum[1])
	}
}

// sizes are bytes of an index.
type sizes struct{ postings, codes, text int }

func (s sizes) all() int { return s.postings + s.codes + s.text }

// indexBytes returns how many bytes the index has of a document: postings with their dictionary, a code for each passage, and the text
// that is kept.
func indexBytes(t *testing.T, path string, doc *document.Document) (s sizes) {
	t.Helper()
	const code = 20
	builder, analyzer, n := lexical.NewBuilder(), lexical.NewAnalyzer(), uint32(0)
	for _, c := range chunk.Split(doc, chunk.Options{Count: func(text string) int { return 1 + len(text)/4 }, MaxTokens: 200}) {
		builder.Add(n, analyzer.Document(nil, chunk.EmbedText(doc, c), extract.PlainName(path)))
		n++
	}
	w := postings{}
	if _, err := builder.Write(w); err != nil {
		t.Fatal(err)
	}
	s.codes = code * int(n)
	for key, value := range w {
		s.postings += len(key) + len(value)
	}
	if doc.Slow {
		packed, err := kept.Pack(doc)
		if err != nil {
			t.Fatal(err)
		}
		s.text = len(packed)
	}
	return s
}

// postings is a lexical.Writer that keeps what it is given.
type postings map[string][]byte

func (postings) NewSegment() (uint32, error) { return 1, nil }

func (p postings) PutHeader(_ uint32, header []byte, _ int64) error {
	p["header"] = header
	return nil
}

func (p postings) PutBlock(_ uint32, first string, block []byte) error {
	p["block "+first] = append([]byte(nil), block...)
	return nil
}

func (postings) Drop(uint32) error { return nil }
