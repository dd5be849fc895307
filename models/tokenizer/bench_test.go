package tokenizer

import (
	"encoding/json"
	"strings"
	"testing"
)

// benchTexts are texts of about 100 KB.
func benchTexts(b *testing.B) map[string]string {
	b.Helper()
	var english, code strings.Builder
	for _, c := range []struct {
		file string
		to   *strings.Builder
	}{{"eval/squad/corpus.jsonl", &english}, {"eval/code/corpus.jsonl", &code}} {
		for line := range strings.Lines(string(readShared(b, c.file))) {
			var row struct{ Text string }
			if err := json.Unmarshal([]byte(line), &row); err != nil {
				b.Fatal(err)
			}
			if c.to.WriteString(row.Text); c.to.Len() > 100_000 {
				break
			}
		}
	}
	return map[string]string{
		"english": english.String(), "code": code.String(),
		"russian": strings.Repeat("быстрый поиск по файлам, без облака и учётных записей. ", 1000),
	}
}

func BenchmarkEncode(b *testing.B) {
	tok := bert(b)
	for name, text := range benchTexts(b) {
		b.Run(name, func(b *testing.B) {
			var ids []int32
			for b.Loop() {
				ids = tok.Append(ids[:0], text)
			}
			b.SetBytes(int64(len(text)))
			b.ReportMetric(float64(len(ids))*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mtok/s")
		})
	}
}

func BenchmarkCount(b *testing.B) {
	tok := bert(b)
	for name, text := range benchTexts(b) {
		b.Run(name, func(b *testing.B) {
			n := 0
			for b.Loop() {
				n = tok.Count(text)
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mtok/s")
		})
	}
}

func BenchmarkEncodeFamilies(b *testing.B) {
	texts := benchTexts(b)
	// One run of letters: no cache helps, and nothing is short.
	texts["run"] = strings.Repeat("abcdefghij", 10_000)
	for _, name := range []string{"shared/gpt2-bpe", "shared/llama3-bpe", "shared/llama2-spm", "smollm", "qwen2", "xlm-roberta"} {
		tok := family(b, name)
		for kind, text := range texts {
			b.Run(strings.TrimPrefix(name, "shared/")+"/"+kind, func(b *testing.B) {
				var ids []int32
				for b.Loop() {
					ids = tok.Append(ids[:0], text)
				}
				b.SetBytes(int64(len(text)))
				b.ReportMetric(float64(len(ids))*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mtok/s")
			})
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	tok := family(b, "shared/gpt2-bpe")
	ids := tok.Encode(benchTexts(b)["english"])
	for b.Loop() {
		tok.Decode(ids)
	}
	b.ReportMetric(float64(len(ids))*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mtok/s")
}

func BenchmarkFromCompactFamilies(b *testing.B) {
	for _, name := range []string{"shared/gpt2-bpe", "shared/llama3-bpe", "shared/llama2-spm", "xlm-roberta"} {
		data := family(b, name).AppendCompact(nil)
		b.Run(strings.TrimPrefix(name, "shared/"), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, err := FromCompact(data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkFromCompact(b *testing.B) {
	bert(b)
	data, err := compactBERT()
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := FromCompact(data); err != nil {
			b.Fatal(err)
		}
	}
}
