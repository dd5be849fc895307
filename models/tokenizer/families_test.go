package tokenizer

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"dowse/models/modeltest"
)

// families are the small tokenizers of testdata/models.jsonl.gz by name, as
// their tokenizer.json.
var families = sync.OnceValues(func() (map[string]json.RawMessage, error) {
	byName := map[string]json.RawMessage{}
	err := eachLine("models.jsonl.gz", func(line json.RawMessage) error {
		var row struct {
			Name      string
			Tokenizer json.RawMessage
		}
		err := json.Unmarshal(line, &row)
		byName[row.Name] = row.Tokenizer
		return err
	})
	return byName, err
})

func eachLine(name string, visit func(json.RawMessage) error) error {
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	z, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	for d := json.NewDecoder(z); ; {
		var line json.RawMessage
		if err := d.Decode(&line); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := visit(line); err != nil {
			return err
		}
	}
}

// familyJSON returns the tokenizer.json of a small tokenizer.
func familyJSON(t testing.TB, name string) []byte {
	t.Helper()
	byName, err := families()
	if err != nil {
		t.Fatal(err)
	}
	if byName[name] == nil {
		t.Fatalf("no tokenizer is called %s", name)
	}
	return byName[name]
}

// compactFamilies keeps the compact form of each tokenizer that a test asked for.
var compactFamilies sync.Map

// family returns a small tokenizer, or one made of shared files, read from its
// compact form.
func family(t testing.TB, name string) *Tokenizer {
	t.Helper()
	data, known := compactFamilies.Load(name)
	if !known {
		data = importFamily(t, name).AppendCompact(nil)
		compactFamilies.Store(name, data)
	}
	tok, err := FromCompact(data.([]byte))
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

// importFamily reads a tokenizer from its source.
func importFamily(t testing.TB, name string) *Tokenizer {
	t.Helper()
	var tok *Tokenizer
	var err error
	switch name {
	case "shared/gpt2-bpe":
		tok, err = FromJSON(publishedJSON(t, "gpt2-bpe/vocab.json", "gpt2-bpe/merges.txt", gpt2Shell))
	case "shared/llama3-bpe":
		tok, err = FromJSON(publishedJSON(t, "llama3-bpe/encoder.json", "llama3-bpe/vocab.bpe", llama3Shell))
	case "shared/llama2-spm":
		tok, err = FromParts(llama2Parts(t))
	default:
		tok, err = FromJSON(familyJSON(t, name))
	}
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

// llama2Parts returns the tokenizer of Llama 2 as a GGUF file would have it.
func llama2Parts(t testing.TB) Parts {
	t.Helper()
	pieces, err := modeltest.Pieces(filepath.Join(sharedData, "models/llama2-spm/tokenizer.bin"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("the shared data is not there: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	p := Parts{Model: "llama", BOS: 1, EOS: 2, AddBOS: true, AddSpacePrefix: true}
	for _, piece := range pieces {
		p.Tokens, p.Scores, p.Types = append(p.Tokens, piece.Text), append(p.Scores, piece.Score), append(p.Types, TokenType(piece.Type))
	}
	return p
}

// The parts of a tokenizer.json around a published vocabulary.
const (
	gpt2Shell = `{"added_tokens":[{"id":50256,"content":"<|endoftext|>","special":true}],
"pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false,"use_regex":true},
"model":{"type":"BPE","vocab":%s,"merges":%s}}`
	llama3Shell = `{"added_tokens":[{"id":128000,"content":"<|begin_of_text|>","special":true},
{"id":128001,"content":"<|eot_id|>","special":true}],
"pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"Split","behavior":"Isolated","invert":false,"pattern":{"Regex":
"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"}},
{"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":false}]},
"model":{"type":"BPE","ignore_merges":true,"vocab":%s,"merges":%s}}`
)

// publishedJSON makes a tokenizer.json of a vocabulary and a list of merges.
func publishedJSON(t testing.TB, vocab, merges, shell string) []byte {
	t.Helper()
	var lines []string
	for line := range strings.Lines(string(readShared(t, "models/"+merges))) {
		if line = strings.TrimRight(line, "\r\n"); line != "" && !strings.HasPrefix(line, "#version") {
			lines = append(lines, line)
		}
	}
	list, err := json.Marshal(lines)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Appendf(nil, shell, readShared(t, "models/"+vocab), list)
}

// familyGolden is a line of testdata/models-golden.jsonl.gz; models.py says what
// the fields are.
type familyGolden struct {
	Name  string
	IDs   []byte
	Text  uint32
	Files map[string]uint32
	Pairs [][]json.RawMessage

	Texts []string // of the first line only
}

func checksum(ids []int32) uint32 {
	var b []byte
	for i, id := range ids {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(id), 10)
	}
	return crc32.ChecksumIEEE(b)
}

// Every family gives the ids of the reference implementation.
func TestGoldenFamilies(t *testing.T) {
	texts := ownTexts(t)
	files := sharedFiles(t)
	compared := 0
	err := eachLine("models-golden.jsonl.gz", func(line json.RawMessage) error {
		var row familyGolden
		if err := json.Unmarshal(line, &row); err != nil {
			return err
		}
		if row.Texts != nil {
			texts = append(texts, row.Texts...)
			return nil
		}
		compared++
		t.Run(row.Name, func(t *testing.T) { compareFamily(t, row, texts, files) })
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if compared < 12 || len(texts) < 2000 {
		t.Errorf("compared %d tokenizers on %d strings", compared, len(texts))
	}
}

func ownTexts(t *testing.T) (texts []string) {
	for _, row := range readGolden(t) {
		if row.Text != nil {
			texts = append(texts, *row.Text)
		}
	}
	return texts
}

func compareFamily(t *testing.T, row familyGolden, texts []string, files map[string][]string) {
	tok := family(t, row.Name)
	encode := tok.Encode
	if row.Name == "shared/llama2-spm" {
		// Its reference reads special tokens as text.
		encode = func(text string) []int32 { return tok.AppendLiteral(nil, text) }
	}
	if len(row.IDs) != 2*len(texts) {
		t.Fatalf("%d results for %d strings", len(row.IDs)/2, len(texts))
	}
	decoded := crc32.NewIEEE()
	for i, text := range texts {
		ids := encode(text)
		if want := uint32(row.IDs[2*i]) | uint32(row.IDs[2*i+1])<<8; checksum(ids)&0xffff != want {
			t.Errorf("Encode(%+.200q) = %v is not what the reference gives", text, ids)
		}
		_, _ = io.WriteString(decoded, tok.Decode(ids)+"\x00") // a hash takes everything
		if row.Name != "shared/llama2-spm" && i%4 == 0 {
			compareWays(t, tok, text, ids)
		}
	}
	if decoded.Sum32() != row.Text {
		t.Error("some ids are not decoded as by the reference")
	}
	compareFamilyPairs(t, tok, row.Pairs)
	for name, texts := range files {
		var ids []int32
		for _, text := range texts {
			ids = append(ids, encode(text)...)
		}
		if checksum(ids) != row.Files[name] {
			t.Errorf("the ids of %s differ from those of the reference", name)
		}
	}
}

// compareWays checks that all ways to encode agree.
func compareWays(t *testing.T, tok *Tokenizer, text string, want []int32) {
	t.Helper()
	ids, spans := tok.EncodeSpans(text)
	if !slices.Equal(ids, want) || tok.Count(text) != len(want) {
		t.Errorf("EncodeSpans(%+q) = %v, Count = %d, Encode = %v", text, ids, tok.Count(text), want)
	}
	end := 0
	for i, s := range spans {
		if s.Start < 0 || s.End < s.Start || s.End > len(text) || s.End < end {
			t.Errorf("span %d of %+q is %v after %d", i, text, s, end)
		}
		end = s.End
	}
	if half := tok.appendUpTo(nil, text, len(want)/2); !slices.Equal(half, want[:len(want)/2]) {
		t.Errorf("the first %d ids of %+q are %v, want a prefix of %v", len(want)/2, text, half, want)
	}
}

func compareFamilyPairs(t *testing.T, tok *Tokenizer, pairs [][]json.RawMessage) {
	t.Helper()
	for _, p := range pairs {
		var a, b string
		var ids, types []int32
		for i, to := range []any{&a, &b, &ids, &types} {
			if err := json.Unmarshal(p[i], to); err != nil {
				t.Fatal(err)
			}
		}
		got, gotTypes := tok.EncodePair(a, b, 0)
		if !slices.Equal(got, ids) || digest(gotTypes) != digest(types) {
			t.Errorf("EncodePair(%q, %q)\n got %v %v\nwant %v %v", a, b, got, gotTypes, ids, types)
		}
	}
}

// sharedFiles returns the strings of the shared files that golden.jsonl.gz
// names; none where the shared data is not here.
func sharedFiles(t *testing.T) map[string][]string {
	if _, err := os.Stat(sharedData); os.IsNotExist(err) {
		t.Logf("strings of the shared data are left out: %v", err)
		return nil
	}
	shared, files := sharedTexts{}, map[string][]string{}
	for _, row := range readGolden(t) {
		if row.File != "" {
			files[row.File] = append(files[row.File], shared.get(t, row))
		}
	}
	return files
}

// The vocabulary tests of another engine, for the published vocabularies.
func TestPublishedFamilyVectors(t *testing.T) {
	for _, c := range []struct{ vectors, name string }{
		{"gpt-2", "shared/gpt2-bpe"}, {"llama-bpe", "shared/llama3-bpe"}, {"llama-spm", "shared/llama2-spm"},
	} {
		comparePublished(t, family(t, c.name), c.vectors)
	}
}
