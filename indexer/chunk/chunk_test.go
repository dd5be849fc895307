package chunk_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"dowse/indexer/chunk"
	"dowse/indexer/document"
	"dowse/indexer/extract"
)

// count is a stand-in for a tokenizer: pieces of five letters, and every other
// sign by itself.
func count(s string) int {
	n, letters := 0, 0
	for _, r := range s {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if letters%5 == 0 {
				n++
			}
			letters++
		case unicode.IsSpace(r):
			letters = 0
		default:
			n++
			letters = 0
		}
	}
	return n
}

// document extracts text under a file name, which gives its kind.
func documentOf(t testing.TB, name, text string) *document.Document {
	t.Helper()
	doc, err := extract.Bytes(context.Background(), name, []byte(text), extract.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func split(t testing.TB, name, text string) []chunk.Chunk {
	t.Helper()
	doc := documentOf(t, name, text)
	chunks := chunk.Split(doc, chunk.Options{Count: count})
	verify(t, doc, chunks)
	return chunks
}

// verify holds chunks against the invariants of the package.
func verify(t testing.TB, doc *document.Document, chunks []chunk.Chunk) {
	t.Helper()
	at := 0
	for i, c := range chunks {
		if c.Start != at || c.End <= c.Start {
			t.Fatalf("chunk %d is [%d, %d), want it to begin at %d", i, c.Start, c.End, at)
		}
		at = c.End
		text := doc.Text[c.Start:c.End]
		if !utf8.ValidString(text) {
			t.Fatalf("chunk %d [%d, %d) cuts a character", i, c.Start, c.End)
		}
		if n := count(chunk.EmbedText(doc, c)); n > chunk.DefaultMaxTokens && len(strings.Fields(text)) > 1 {
			t.Fatalf("chunk %d has %d tokens: %.200q", i, n, text)
		}
		if c.Line < 1 || c.LineEnd < c.Line {
			t.Fatalf("chunk %d has lines %d to %d", i, c.Line, c.LineEnd)
		}
		if !strings.HasSuffix(c.Heading, c.Context) && !strings.Contains(c.Heading, c.Context+chunk.Separator) {
			t.Fatalf("chunk %d: context %q is no part of heading %q", i, c.Context, c.Heading)
		}
	}
	if at != len(doc.Text) {
		t.Fatalf("chunks end at %d of %d", at, len(doc.Text))
	}
}

// words makes n distinct words.
func words(prefix string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s%d ", prefix, i)
		if i%12 == 11 {
			b.WriteString("end.\n")
		}
	}
	return b.String()
}

func TestSmallFileIsOneChunk(t *testing.T) {
	chunks := split(t, "a.md", "# Title\n\nText.\n\n## Sub\n\nMore.\n")
	if len(chunks) != 1 || chunks[0].Heading != "Title" || chunks[0].Context != "" {
		t.Errorf("chunks %+v", chunks)
	}
}

func TestSectionsStayWhole(t *testing.T) {
	text := "# Title\n\n" + words("a", 60) + "\n## One\n\n" + words("b", 60) + "\n### Deep\n\n" + words("c", 170) + "\n\nTwo\n---\n\n" + words("d", 90)
	chunks := split(t, "a.md", text)
	var got []string
	for _, c := range chunks {
		got = append(got, c.Heading+" / "+c.Context)
	}
	want := []string{"Title / ", "Title > One / Title", "Title > One > Deep / Title > One", "Title > Two / Title"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("chunks\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestLaterChunksOfASectionCarryItsHeading(t *testing.T) {
	text := "---\ntitle: \"My Site\"\n---\n# Long #\n\n" + words("a", 800)
	doc := documentOf(t, "a.md", text)
	chunks := chunk.Split(doc, chunk.Options{Count: count})
	verify(t, doc, chunks)
	if len(chunks) < 3 {
		t.Fatalf("%d chunks, want some", len(chunks))
	}
	for _, c := range chunks[1:] {
		if c.Heading != "My Site > Long" || !strings.HasPrefix(chunk.EmbedText(doc, c), "My Site > Long\n\na") {
			t.Errorf("heading %q, embedded %.40q", c.Heading, chunk.EmbedText(doc, c))
		}
		if want := 1 + strings.Count(text[:c.Start], "\n"); c.Line != want {
			t.Errorf("line %d, want %d", c.Line, want)
		}
	}
}

func TestHeadingInsideOfACodeBlockIsNone(t *testing.T) {
	text := "# Shell\n\n" + words("a", 100) + "\n```sh\n# not a heading\n" + words("b", 30) + "\n\n" + words("c", 30) + "```\n\n" + words("d", 100)
	chunks := split(t, "a.md", text)
	for _, c := range chunks {
		body := text[c.Start:c.End]
		if c.Heading != "Shell" {
			t.Errorf("heading %q", c.Heading)
		}
		if strings.Count(body, "```")%2 != 0 {
			t.Errorf("a code block that fits was cut: %q", body)
		}
	}
}

func TestCodeIsCutBetweenDeclarations(t *testing.T) {
	var b strings.Builder
	b.WriteString("package p\n\nimport (\n\t\"fmt\"\n)\n\n")
	for i := range 6 {
		fmt.Fprintf(&b, "// F%d does it.\nfunc F%d(x int) {\n", i, i)
		for j := range 12 {
			fmt.Fprintf(&b, "\tfmt.Println(x, %d)\n", j)
		}
		b.WriteString("}\n\n")
	}
	for i, c := range split(t, "a.go", b.String()) {
		body := strings.TrimSpace(b.String()[c.Start:c.End])
		if !strings.HasSuffix(body, "}") || i > 0 && !strings.HasPrefix(body, "// F") {
			t.Errorf("chunk %d is cut inside of a declaration: %q", i, body)
		}
		if i > 0 && !strings.HasPrefix(c.Heading, "func F") {
			t.Errorf("chunk %d has heading %q", i, c.Heading)
		}
	}
	long := "class Big:\n" + strings.Repeat("    def m(self):\n        return self.one + self.two\n\n", 60)
	for _, c := range split(t, "a.py", long)[1:] {
		if c.Context != "class Big" {
			t.Errorf("context %q, want the class", c.Context)
		}
	}
}

// TestEditsStayLocal changes one place after the other and counts the chunks
// that are no longer there.
func TestEditsStayLocal(t *testing.T) {
	const places = 40
	inSections, flat := 0, 0
	for place := range places {
		before, after := sections(-1, true), sections(place, true)
		inSections += changed(t, before, after)
		flat += changed(t, sections(-1, false), sections(place, false))
	}
	t.Logf("chunks changed by an edit: %.1f with headings, %.1f without", float64(inSections)/places, float64(flat)/places)
	if inSections > 3*places {
		t.Errorf("an edit in one of 40 sections changes %d chunks in %d trials, want at most 3 each", inSections, places)
	}
	if flat > 10*places {
		t.Errorf("an edit in a text without headings changes %d chunks in %d trials, want at most 10 each", flat, places)
	}
}

// sections makes 40 sections of different lengths, with 25 words more in one.
func sections(edited int, headings bool) string {
	var b strings.Builder
	for i := range 40 {
		n := 8 + 37*i%300
		if i == edited {
			n += 25
		}
		if headings {
			fmt.Fprintf(&b, "## Section %d\n\n", i)
		}
		b.WriteString(words(fmt.Sprint("w", i, "x"), n) + "\n\n")
	}
	return b.String()
}

// changed returns the number of chunks of before that after does not have.
func changed(t *testing.T, before, after string) int {
	t.Helper()
	have := map[string]bool{}
	for _, c := range split(t, "a.md", after) {
		have[after[c.Start:c.End]] = true
	}
	lost := 0
	chunks := split(t, "a.md", before)
	for _, c := range chunks {
		if !have[before[c.Start:c.End]] {
			lost++
		}
	}
	return lost
}

// TestHostileTextsAreLinear divides texts that make naive algorithms quadratic,
// and checks the work by what Count is called on.
func TestHostileTextsAreLinear(t *testing.T) {
	const size = 1 << 18
	repeat := func(s string) string { return strings.Repeat(s, size/len(s)) }
	deep := &strings.Builder{}
	for i := 0; deep.Len() < size; i++ {
		deep.WriteString(strings.Repeat(" ", i%200) + "- item\n")
	}
	for name, text := range map[string]string{
		"one line of words": repeat("word "), "one run": repeat("x"), "line ends": "a" + repeat("\n"), "short lines": repeat("x\n"),
		"headings": repeat("###### a\n"), "nested headings": repeat("# a\n## b\n### c\n"), "open fences": repeat("```\n~~~\n"),
		"underlines": repeat("a\n=\n\n"), "lists": deep.String(), "spaces": "a" + repeat("    ") + "b", "one sentence": repeat("ä, "),
		"no spaces": repeat("漢"), "sentences": repeat("A b. "), "stops": repeat("."), "quotes": repeat(`"`), "hashes": repeat("#"),
		"bars": repeat("| a | b |\n"), "carriage returns": repeat("a\r"), "indented": repeat("\t\tx\n"), "closers": repeat("}\n"),
	} {
		for _, file := range []string{"a.md", "a.txt", "a.go"} {
			doc := document.FromText(text, map[string]document.Kind{"a.md": document.Markdown, "a.txt": document.Text, "a.go": document.Code}[file])
			counted := 0
			start := time.Now()
			chunks := chunk.Split(doc, chunk.Options{Count: func(s string) int { counted += len(s); return count(s) }})
			if counted > 8*size {
				t.Errorf("%s as %s: %d bytes counted of %d", name, file, counted, len(text))
			}
			t.Logf("%s as %s: %d chunks, %v", name, file, len(chunks), time.Since(start).Round(time.Millisecond))
			verifyTiles(t, doc.Text, chunks)
		}
	}
}

// verifyTiles checks the ranges alone.
func verifyTiles(t testing.TB, text string, chunks []chunk.Chunk) {
	t.Helper()
	at := 0
	for _, c := range chunks {
		if c.Start != at || c.End <= at {
			t.Fatalf("chunk [%d, %d) behind %d", c.Start, c.End, at)
		}
		at = c.End
	}
	if at != len(text) {
		t.Fatalf("chunks end at %d of %d", at, len(text))
	}
}

func TestTenMegabytesInOneLine(t *testing.T) {
	for name, text := range map[string]string{"words": strings.Repeat("a word ", 10<<20/7), "line ends": "a" + strings.Repeat("\n", 1000000)} {
		doc := document.FromText(text, document.Text)
		start := time.Now()
		chunks := chunk.Split(doc, chunk.Options{Count: count})
		verifyTiles(t, text, chunks)
		t.Logf("%s: %d chunks in %v", name, len(chunks), time.Since(start).Round(time.Millisecond))
	}
}

func FuzzSplit(f *testing.F) {
	for _, seed := range []string{"# a\n\nb\n", "---\ntitle: x\n---\n", "```\n# a", "a\n===\nb\n---\n", "\ufeff# a", "漢字。漢字", "- a\n  - b\n", "\x00\xff", strings.Repeat("a. ", 400)} {
		f.Add(seed, uint8(40))
	}
	f.Fuzz(func(t *testing.T, text string, limit uint8) {
		doc := document.FromText(strings.ToValidUTF8(text, "\ufffd"), document.Text)
		for doc.Kind = document.Text; doc.Kind <= document.HTML; doc.Kind++ {
			opts := chunk.Options{MaxTokens: int(limit) + 1, MinTokens: int(limit)/4 + 1, Count: count}
			chunks := chunk.Split(doc, opts)
			verifyTiles(t, doc.Text, chunks)
			again := chunk.Split(doc, opts)
			for i, c := range chunks {
				if !reflect.DeepEqual(c, again[i]) {
					t.Fatalf("chunk %d differs the second time: %+v, %+v", i, c, again[i])
				}
				body := doc.Text[c.Start:c.End]
				if !utf8.ValidString(body) {
					t.Fatalf("chunk %d cuts a character: %q", i, body)
				}
				if n := count(chunk.EmbedText(doc, c)); n > opts.MaxTokens && limit > 20 && len(strings.Fields(body)) > 1 {
					t.Fatalf("chunk %d has %d tokens, at most %d: %q", i, n, opts.MaxTokens, body)
				}
			}
		}
	})
}

// TestNotesOfTheCorpus pins the region of the chunks of a real folder.
func TestNotesOfTheCorpus(t *testing.T) {
	til, err := filepath.EvalSymlinks("../../../shared/data/corpus/til")
	if err != nil {
		t.Skip("the shared corpus is not here:", err)
	}
	names, chunks, tokens := markdownFiles(t, til), 0, 0
	for _, name := range names {
		doc, err := extract.File(name, extract.Options{})
		if err != nil {
			t.Fatal(err)
		}
		parts := chunk.Split(doc, chunk.Options{Count: count})
		verify(t, doc, parts)
		for _, c := range parts {
			tokens += c.Tokens
		}
		chunks += len(parts)
	}
	t.Logf("%d notes, %d chunks, mean %d tokens", len(names), chunks, tokens/chunks)
	if mean := tokens / chunks; mean < 150 || mean > 220 {
		t.Errorf("mean chunk has %d tokens, want 150 to 220", mean)
	}
}

func markdownFiles(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	dirs, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dirs {
		notes, err := os.ReadDir(dir + "/" + d.Name())
		if err != nil {
			continue // a file
		}
		for _, n := range notes {
			if strings.HasSuffix(n.Name(), ".md") {
				names = append(names, dir+"/"+d.Name()+"/"+n.Name())
			}
		}
	}
	return names
}

func BenchmarkSplit(b *testing.B) {
	text := strings.Repeat("# Heading\n\n"+words("w", 500)+"\n", 100)
	doc, err := extract.Bytes(context.Background(), "a.md", []byte(text), extract.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		chunk.Split(doc, chunk.Options{Count: count})
	}
}

func ExampleSplit() {
	doc, err := extract.Bytes(context.Background(), "dns.md", []byte("# DNS\n\nFlush the cache.\n\n## Mac\n\nRun dscacheutil.\n"), extract.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	opts := chunk.Options{MaxTokens: 16, MinTokens: 4, Count: func(s string) int { return len(strings.Fields(s)) * 3 }}
	for _, c := range chunk.Split(doc, opts) {
		fmt.Printf("lines %d-%d, %s: %q\n", c.Line, c.LineEnd, c.Heading, chunk.EmbedText(doc, c))
	}
	// Output:
	// lines 1-3, DNS: "# DNS\n\nFlush the cache."
	// lines 5-7, DNS > Mac: "DNS\n\n## Mac\n\nRun dscacheutil."
}
