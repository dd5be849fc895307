package tokenizer

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// goldenRow is one line of testdata/golden.jsonl.gz; golden.py says which
// fields go together.
type goldenRow struct {
	Text  *string         `json:"text"`
	File  string          `json:"file"`
	Line  int             `json:"line"`
	Field string          `json:"field"`
	IDs   json.RawMessage `json:"ids"` // numbers, or their hash
	Count int             `json:"count"`
	Spans string          `json:"spans"`

	Block  *int   `json:"block"`
	Normal string `json:"normal"`

	A      string  `json:"a"`
	B      string  `json:"b"`
	Max    int     `json:"max"`
	Pair   []int32 `json:"pair"`
	Types  []int   `json:"types"`
	Single []int32 `json:"single"`
}

func readGolden(t *testing.T) []goldenRow {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "golden.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var rows []goldenRow
	for d := json.NewDecoder(z); d.More(); {
		var row goldenRow
		if err := d.Decode(&row); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	return rows
}

func digest[T int | int32 | uint8](numbers []T) string {
	var b []byte
	for i, n := range numbers {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

func digestSpans(spans []Span) string {
	var numbers []int
	for _, s := range spans {
		numbers = append(numbers, s.Start, s.End)
	}
	return digest(numbers)
}

func TestGoldenStrings(t *testing.T) {
	tok := bert(t)
	texts := sharedTexts{}
	compared, own := 0, 0
	for _, row := range readGolden(t) {
		text := ""
		switch {
		case row.Text != nil:
			text = *row.Text
			own++
		case row.File != "":
			text = texts.get(t, row)
		default:
			continue
		}
		compared++
		compareGolden(t, tok, row, text)
		if t.Failed() && compared > 3000 {
			break
		}
	}
	if compared < 2000 || own < 1500 {
		t.Errorf("compared %d strings, %d of them own ones", compared, own)
	}
}

func compareGolden(t *testing.T, tok *Tokenizer, row goldenRow, text string) {
	t.Helper()
	ids, spans := tok.EncodeSpans(text)
	got := digest(ids)
	want := string(bytes.Trim(row.IDs, `"`))
	if row.Text != nil {
		var numbers []int32
		if err := json.Unmarshal(row.IDs, &numbers); err != nil {
			t.Fatal(err)
		}
		want = digest(numbers)
		if !slices.Equal(ids, numbers) {
			t.Errorf("Encode(%+q)\n got %v\nwant %v", text, ids, numbers)
		}
	}
	if got != want {
		t.Errorf("%s:%d: %d ids, want %d: %.80q", row.File, row.Line, len(ids), row.Count, text)
	}
	if got := digestSpans(spans); got != row.Spans {
		t.Errorf("spans of %+.80q differ: %v", text, spans)
	}
	if !slices.Equal(tok.Encode(text), ids) {
		t.Errorf("Encode and EncodeSpans of %+.80q differ", text)
	}
	if n := tok.Count(text); n != len(ids) {
		t.Errorf("Count(%+.80q) = %d, want %d", text, n, len(ids))
	}
}

// sharedTexts are the strings of the shared files, read once.
type sharedTexts map[string][]string

func (s sharedTexts) get(t *testing.T, row goldenRow) string {
	t.Helper()
	if s[row.File] == nil {
		data := readShared(t, row.File)
		if row.Field == "context" {
			s[row.File] = contexts(t, data)
		} else {
			s[row.File] = lines(t, data, row.Field)
		}
	}
	return s[row.File][row.Line]
}

// contexts lists the paragraphs of a file in the layout of SQuAD.
func contexts(t *testing.T, data []byte) []string {
	var file struct {
		Data []struct {
			Paragraphs []struct{ Context string }
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, article := range file.Data {
		for _, p := range article.Paragraphs {
			out = append(out, p.Context)
		}
	}
	return out
}

// lines lists one field of every line of a JSON lines file.
func lines(t *testing.T, data []byte, field string) []string {
	var out []string
	sc := bufio.NewScanner(bytes.NewReader(data))
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		var row map[string]any
		if err := json.Unmarshal(sc.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		text, _ := row[field].(string)
		out = append(out, text)
	}
	return out
}

func TestGoldenTruncation(t *testing.T) {
	tok := bert(t)
	compared := 0
	for _, row := range readGolden(t) {
		if row.Max == 0 {
			continue
		}
		compared++
		if got := tok.EncodeDocument(row.A, row.Max); !slices.Equal(got, row.Single) {
			t.Errorf("EncodeDocument(%q, %d)\n got %v\nwant %v", row.A, row.Max, got, row.Single)
		}
		ids, types := tok.EncodePair(row.A, row.B, row.Max)
		if !slices.Equal(ids, row.Pair) || digest(types) != digest(row.Types) {
			t.Errorf("EncodePair(%q, %q, %d)\n got %v %v\nwant %v %v", row.A, row.B, row.Max, ids, types, row.Pair, row.Types)
		}
	}
	if compared < 100 {
		t.Errorf("compared %d", compared)
	}
}

// Every code point becomes what the reference makes of it.
func TestGoldenCodePoints(t *testing.T) {
	compared := 0
	for _, row := range readGolden(t) {
		if row.Block == nil {
			continue
		}
		compared++
		h := sha256.New()
		for r := rune(*row.Block); r < rune(*row.Block)+4096; r++ {
			if r >= 0xd800 && r < 0xe000 {
				continue
			}
			h.Write([]byte(strings.Join(slowWords(bertNormalizer, "a"+string(r)+"b"), " ") + "\n"))
		}
		if got := hex.EncodeToString(h.Sum(nil)[:8]); got != row.Normal {
			t.Errorf("code points %#x..%#x are normalised in another way than by the reference", *row.Block, *row.Block+4095)
		}
	}
	if compared != 272 {
		t.Errorf("compared %d blocks", compared)
	}
}

// The vocabulary tests of another engine, for the same vocabulary.
func TestPublishedVectors(t *testing.T) { comparePublished(t, bert(t), "bert-bge") }

func comparePublished(t *testing.T, tok *Tokenizer, name string) {
	t.Helper()
	in := strings.Split(string(readShared(t, "models/vectors/ggml-vocab-"+name+".gguf.inp")), "\n__ggml_vocab_test__\n")
	out := strings.Split(string(readShared(t, "models/vectors/ggml-vocab-"+name+".gguf.out")), "\n")
	if len(in) < 40 || len(out) < len(in) {
		t.Fatalf("%d texts, %d results", len(in), len(out))
	}
	for i, text := range in {
		got := strings.Trim(fmt.Sprint(tok.Encode(text)), "[]")
		if want := strings.TrimSpace(out[i]); got != want {
			t.Errorf("%s: Encode(%q) = %s, want %s", name, text, got, want)
		}
	}
}
