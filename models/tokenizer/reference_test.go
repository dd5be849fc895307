package tokenizer

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// referenceBlock is how many strings have a checksum.
const referenceBlock = 16

// referenceRow is a line of testdata/reference.jsonl.gz; reference.py says what the
// fields are.
type referenceRow struct {
	Name    string
	SHA256  string
	Strings int
	Blocks  []byte
}

// Published tokenizers give the ids of the reference implementation for paragraphs and
// questions in twelve languages and for generated strings. That of BERT lies in the shared
// data, the others where DOWSE_TEST_TOKENIZERS says: folders named as the models, with a
// tokenizer.json each.
func TestReferenceOfPublishedTokenizers(t *testing.T) {
	if testing.Short() {
		t.Skip("only compares numbers")
	}
	texts := referenceTexts(t)
	compared := 0
	err := eachLine("reference.jsonl.gz", func(line json.RawMessage) error {
		var row referenceRow
		if err := json.Unmarshal(line, &row); err != nil {
			return err
		}
		compared++
		t.Run(row.Name, func(t *testing.T) {
			t.Parallel()
			compareReference(t, row, publishedTokenizer(t, row), texts)
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if compared < 5 || len(texts) < 20000 {
		t.Errorf("compared %d tokenizers on %d strings", compared, len(texts))
	}
}

// publishedTokenizer reads the tokenizer.json of a model, or skips the test.
func publishedTokenizer(t *testing.T, row referenceRow) *Tokenizer {
	t.Helper()
	path := filepath.Join(sharedData, "models", row.Name, "tokenizer.json")
	data, err := os.ReadFile(path)
	if folder := os.Getenv("DOWSE_TEST_TOKENIZERS"); errors.Is(err, fs.ErrNotExist) && folder != "" {
		data, err = os.ReadFile(filepath.Join(folder, row.Name, "tokenizer.json"))
	}
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("the tokenizer of %s is not here: name a folder that holds %s/tokenizer.json by DOWSE_TEST_TOKENIZERS (%v)", row.Name, row.Name, err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != row.SHA256 {
		t.Fatalf("the tokenizer.json of %s is another one than reference.py read", row.Name)
	}
	imported, err := FromJSON(data)
	if err != nil {
		t.Fatal(err)
	}
	tok, err := FromCompact(imported.AppendCompact(nil))
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

func compareReference(t *testing.T, row referenceRow, tok *Tokenizer, texts []string) {
	t.Helper()
	if row.Strings != len(texts) || len(row.Blocks) != (len(texts)+referenceBlock-1)/referenceBlock*4 {
		t.Fatalf("%d strings, the reference read %d", len(texts), row.Strings)
	}
	var ids []int32
	var b []byte
	different := 0
	for i := 0; i < len(texts); i += referenceBlock {
		b = b[:0]
		for _, text := range texts[i:min(i+referenceBlock, len(texts))] {
			ids = tok.Append(ids[:0], text)
			for j, id := range ids {
				if j > 0 {
					b = append(b, ',')
				}
				b = strconv.AppendInt(b, int64(id), 10)
			}
			b = append(b, ';')
		}
		block := i / referenceBlock
		if crc32.ChecksumIEEE(b) == binary.LittleEndian.Uint32(row.Blocks[4*block:]) {
			continue
		}
		if different++; different <= 5 {
			t.Errorf("the ids of block %d are not those of the reference (reference.py --block %d prints them); here they are\n%s", block, block, b)
		}
	}
	if different > 5 {
		t.Errorf("%d blocks of %d differ", different, len(row.Blocks)/4)
	}
}

// referenceTexts are the strings that reference.py reads and generates.
func referenceTexts(t *testing.T) (texts []string) {
	t.Helper()
	folder := filepath.Join(sharedData, "eval", "xquad")
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skipf("the shared data is not here: %s holds no texts", folder)
	}
	for _, path := range files { // sorted by name, as the reference reads them
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var file struct {
			Data []struct {
				Paragraphs []struct {
					Context string
					QAs     []struct{ Question string }
				}
			}
		}
		if err := json.Unmarshal(data, &file); err != nil {
			t.Fatal(err)
		}
		for _, article := range file.Data {
			for _, p := range article.Paragraphs {
				texts = append(texts, p.Context)
				for _, q := range p.QAs {
					texts = append(texts, q.Question)
				}
			}
		}
	}
	return appendGenerated(texts, 6000)
}

// splitMix is the generator SplitMix64, which is short in two languages.
type splitMix uint64

func (s *splitMix) below(n int) int {
	*s += 0x9E3779B97F4A7C15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return int((z ^ z>>31) % uint64(n))
}

// referenceRanges are those of reference.py.
var referenceRanges = [][2]int{
	{0x20, 0x7E}, {0x0, 0x1F}, {0x7F, 0xA0}, {0xA0, 0x24F}, {0x250, 0x36F}, {0x370, 0x52F}, {0x530, 0x5FF}, {0x600, 0x6FF},
	{0x700, 0x8FF}, {0x900, 0xDFF}, {0xE00, 0xFFF}, {0x1000, 0x109F}, {0x10A0, 0x11FF}, {0x1200, 0x139F}, {0x13A0, 0x17FF},
	{0x1800, 0x1DFF}, {0x1E00, 0x1FFF}, {0x2000, 0x206F}, {0x2070, 0x2BFF}, {0x2C00, 0x2FFF}, {0x3000, 0x30FF},
	{0x3100, 0x33FF}, {0x4E00, 0x9FFF}, {0xA000, 0xABFF}, {0xAC00, 0xD7FF}, {0xE000, 0xF8FF}, {0xF900, 0xFDFF},
	{0xFE00, 0xFFFF}, {0x10000, 0x10FFF}, {0x11000, 0x1BFFF}, {0x1D000, 0x1D7FF}, {0x1F000, 0x1FAFF}, {0x20000, 0x3FFFF},
	{0xE0000, 0x10FFFF}, {0x0, 0x10FFFF},
}

// referenceGlue is GLUE of reference.py.
var referenceGlue = []string{
	"", " ", "  ", "\t", "\n", "\r\n", "\u00a0", "\u200d", "\u200b", "\ufe0f", "\u0301", "\u0323", "\u00ad",
	"\u3000", "\ufeff", "'s", "-", "1", "<s>", "[SEP]", "<|im_end|>", "\u2581",
}

// appendGenerated is generated() of reference.py.
func appendGenerated(texts []string, count int) []string {
	random := splitMix(20261124)
	for range count {
		glued := random.below(3)
		longest := 24
		if random.below(50) == 0 {
			longest = 400
		}
		length := 1 + random.below(longest)
		within := referenceRanges[random.below(len(referenceRanges))]
		var text strings.Builder
		for range length {
			if random.below(16) == 0 {
				within = referenceRanges[random.below(len(referenceRanges))]
			}
			text.WriteRune(rune(within[0] + random.below(within[1]-within[0]+1))) // surrogates become U+FFFD
			if glued > 0 && random.below(4*glued) == 0 {
				text.WriteString(referenceGlue[random.below(len(referenceGlue))])
			}
		}
		texts = append(texts, text.String())
	}
	return texts
}
