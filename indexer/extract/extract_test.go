package extract_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"dowse/indexer/document"
	"dowse/indexer/extract"
	"dowse/indexer/skip"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

const (
	german  = "Größe und Maß: Ärger mit Umlauten über Flüsse, Straßen und schöne Häuser.\nDie zweite Zeile heißt „Zeile“.\n"
	russian = "Съешь же ещё этих мягких французских булок, да выпей чаю.\nВторая строка текста на русском языке.\n"
	chinese = "我们在这里写一些中文笔记，用来检查编码的识别。\n第二行说明如何修复域名解析的问题。\n"
)

func encode(t *testing.T, e encoding.Encoding, text string) string {
	t.Helper()
	out, err := encoding.ReplaceUnsupported(e.NewEncoder()).String(text)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestCharacterSets(t *testing.T) {
	utf16le := unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	utf16be := unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	for _, test := range []struct {
		name, data, text, charset string
		plain                     bool
	}{
		{"ascii", "plain\r\ntext\n", "plain\r\ntext\n", "UTF-8", true},
		{"utf-8", russian, russian, "UTF-8", true},
		{"utf-8 with mark", "\ufeff# a\n", "\ufeff# a\n", "UTF-8", true},
		{"utf-8 with a flaw", german + "\xff" + german, german + "\ufffd" + german, "UTF-8", false},
		{"utf-16 little, mark", "\xff\xfe" + encode(t, utf16le, german), german, "UTF-16LE", false},
		{"utf-16 big, mark", "\xfe\xff" + encode(t, utf16be, chinese), chinese, "UTF-16BE", false},
		{"utf-16 little", encode(t, utf16le, russian), russian, "UTF-16LE", false},
		{"utf-16 big", encode(t, utf16be, german), german, "UTF-16BE", false},
		{"utf-32", "\xff\xfe\x00\x00" + encode(t, utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM), german), german, "UTF-32LE", false},
		{"windows-1252", encode(t, charmap.Windows1252, german), german, "windows-1252", false},
		{"koi8-r", encode(t, charmap.KOI8R, russian), russian, "KOI8-R", false},
		{"windows-1251", encode(t, charmap.Windows1251, russian), russian, "windows-1251", false},
		{"gb18030", encode(t, simplifiedchinese.GB18030, chinese), chinese, "GB18030", false},
		{"one foreign byte", "caf\xe9 au lait\n", "café au lait\n", "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			doc, err := extract.Bytes(context.Background(), "note.txt", []byte(test.data), extract.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if doc.Text != test.text || doc.Plain != test.plain || test.charset != "" && doc.Charset != test.charset {
				t.Errorf("%s, plain %v: %q, want %s, %v: %q", doc.Charset, doc.Plain, doc.Text, test.charset, test.plain, test.text)
			}
		})
	}
}

func TestWhatIsNotIndexed(t *testing.T) {
	for _, test := range []struct {
		name, data string
		want       skip.Reason
	}{
		{"a.txt", "", skip.Empty},
		{"a.md", " \n\t\r\n", skip.Empty},
		{"a.html", "<html><script>x()</script></html>", skip.Empty},
		{"a.txt", "text\x00text", skip.Binary},
		{"a", strings.Repeat("\x01\x02\x03 abc", 50), skip.Binary},
		{"a.txt", "%PDF-1.7 text", skip.Damaged},
		{"a.docx", "PK\x03\x04rest", skip.Damaged},
		{"a.png", "\x89PNG\r\n\x1a\n", skip.Picture},
		{"a.bmp", "BM\x00\x00\x00\x00", skip.Binary},
		{"a.mp3", "\xff\xfb\x90\x00", skip.Sound},
		{"a.mkv", "\x1a\x45\xdf\xa3\x00", skip.Video},
		{"a.js", strings.Repeat("var a=1;", 10000), skip.NotText},
		{"a.txt", strings.Repeat("0123456789abcdef", 1<<17), skip.NotText},
	} {
		_, err := extract.Bytes(context.Background(), test.name, []byte(test.data), extract.Options{})
		if got, ok := skip.ReasonOf(err); !ok || got != test.want {
			t.Errorf("%s %.20q: %v, want %q", test.name, test.data, err, test.want)
		}
	}
	log := strings.Repeat("2026-01-01 all is well\n", 1000)
	if _, err := extract.Bytes(context.Background(), "a.log", []byte(log+"\x00\x00"+log), extract.Options{}); err != nil {
		t.Errorf("a log with two zero bytes: %v", err)
	}
}

func TestKinds(t *testing.T) {
	for _, test := range []struct {
		name, data, language string
		kind                 document.Kind
	}{
		{"a.md", "x", "", document.Markdown}, {"README", "x", "", document.Text}, {"a.GO", "x", "go", document.Code},
		{"Makefile", "x", "make", document.Code}, {"run", "#!/usr/bin/env -S python3.12 -u\n", "python", document.Code},
		{"run", "#!/bin/sh\n", "shell", document.Code}, {"page", "<!DOCTYPE html><p>x", "", document.HTML}, {"a.htm", "x", "", document.HTML},
	} {
		doc, err := extract.Bytes(context.Background(), "/some/where/"+test.name, []byte(test.data), extract.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if doc.Kind != test.kind || doc.Language != test.language {
			t.Errorf("%s: %v %q, want %v %q", test.name, doc.Kind, doc.Language, test.kind, test.language)
		}
	}
}

func TestReadIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "huge.txt")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(5 << 30); err != nil { // takes no room on the disk
		t.Skip("the file system has no sparse files:", err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = extract.File(path, extract.Options{})
	if got, _ := skip.ReasonOf(err); got != skip.TooLarge {
		t.Errorf("5 GiB: %v, want %q", err, skip.TooLarge)
	}
	if err := os.WriteFile(path, []byte("1234567"), 0o644); err != nil {
		t.Fatal(err)
	}
	if doc, err := extract.File(path, extract.Options{MaxBytes: 7}); err != nil || doc.Text != "1234567" {
		t.Errorf("a file at the limit: %v", err)
	}
	_, err = extract.File(path, extract.Options{MaxBytes: 6})
	if got, _ := skip.ReasonOf(err); got != skip.TooLarge {
		t.Errorf("a file above the limit: %v", err)
	}
	_, err = extract.File(path+".gone", extract.Options{})
	if got, _ := skip.ReasonOf(err); got != skip.Vanished {
		t.Errorf("a missing file: %v", err)
	}
	_, err = extract.File(filepath.Dir(path), extract.Options{})
	if got, _ := skip.ReasonOf(err); got != skip.Special {
		t.Errorf("a directory: %v", err)
	}
}

func TestLinesOfPlainText(t *testing.T) {
	text := strings.Repeat("some line of a file\n\n", 1000) + "end"
	doc, err := extract.Bytes(context.Background(), "a.txt", []byte(text), extract.Options{})
	if err != nil {
		t.Fatal(err)
	}
	line := 1
	for i := range text { // the slow way
		if got := doc.Line(i); got != line {
			t.Fatalf("offset %d: line %d, want %d", i, got, line)
		}
		if text[i] == '\n' {
			line++
		}
	}
	if got := doc.Line(1 << 30); got != line {
		t.Errorf("behind the end: line %d, want %d", got, line)
	}
}

const page = `<!DOCTYPE html>
<html><head><title>Site &amp; Name</title>
<style>p { color: red }</style></head>
<body><nav><ul><li>Home</li><li>About</li></ul></nav>
<main>
<h1>Fixing   <em>DNS</em></h1>
<p>Caf&eacute; owners
ask &lt;this&gt; often.</p><script>evil("</p>")</script>
<ul><li>one<ul><li>inner</li></ul></li><li>two</li></ul>
<ol><li>first</li><li>second</li></ol>
<pre><code>if a &lt; b {
    run()
}
</code></pre>
<table><tr><th>k</th><th>v</th></tr><tr><td>1</td><td>2</td></tr></table>
<h2></h2>
<p><img alt="a &quot;map&quot;" src=x> end</p>
</main></body></html>
`

func TestHTML(t *testing.T) {
	doc, err := extract.Bytes(context.Background(), "page.html", []byte(page), extract.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := "# Fixing DNS\n\nCafé owners ask <this> often.\n\n- one\n  - inner\n- two\n\n1. first\n2. second\n\n" +
		"```\nif a < b {\n    run()\n}\n```\n\nk; v\nk: 1; v: 2\n\na \"map\" end\n"
	if doc.Text != want {
		t.Fatalf("text\n%s\nwant\n%s", doc.Text, want)
	}
	for word, line := range map[string]int{"Fixing": 6, "owners": 7, "ask": 8, "inner": 9, "second": 10, "if a": 11, "run()": 12, "v\n": 15, "end": 17} {
		if got := doc.Line(strings.Index(doc.Text, word)); got != line {
			t.Errorf("%q: line %d, want %d", word, got, line)
		}
	}
}

func TestHTMLThatIsBroken(t *testing.T) {
	for source, want := range map[string]string{
		"<title>Only a title</title><p>text":                 "# Only a title\n\ntext\n",
		"<nav>menu<main><p>text":                             "text\n",
		"<nav><nav>menu</nav><h1>Head</h1>text":              "# Head\n\ntext\n",
		"text</ul></li></pre></nav> more":                    "text\n\nmore\n",
		"<pre>code":                                          "```\ncode\n```\n",
		"a<br>b<hr>c&nbsp;d&#xD800;e":                        "a\nb\n\nc\u00a0d\ufffde\n",
		"<p hidden>x<div role=navigation>n<div></div></div>": "x\n",
	} {
		doc, err := extract.Bytes(context.Background(), "a.html", []byte(source), extract.Options{})
		if err != nil {
			t.Errorf("%q: %v", source, err)
		} else if doc.Text != want {
			t.Errorf("%q: %q, want %q", source, doc.Text, want)
		}
	}
}

func FuzzBytes(f *testing.F) {
	for _, seed := range []string{page, german, "\xff\xfea\x00", "\x00a\x00b", "<pre>&#0;</h1>", "caf\xe9", "\ufeff", "<title><pre><nav>", strings.Repeat("a\n", 5000)} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, name := range []string{"a.txt", "a.html", "a.md", "a"} {
			doc, err := extract.Bytes(context.Background(), name, data, extract.Options{})
			if err != nil {
				if _, ok := skip.ReasonOf(err); !ok {
					t.Fatalf("%s: error without a reason: %v", name, err)
				}
				continue
			}
			again, err := extract.Bytes(context.Background(), name, data, extract.Options{})
			if err != nil || again.Text != doc.Text {
				t.Fatalf("%s: the second time differs: %v", name, err)
			}
			if !utf8.ValidString(doc.Text) || doc.Plain && doc.Text != string(data) {
				t.Fatalf("%s: text is not what it says: %q", name, doc.Text)
			}
			last, lines := 1, 1+strings.Count(string(data), "\n")
			for i := 0; i <= len(doc.Text); i += 1 + len(doc.Text)/50 {
				line := doc.Line(i)
				if line < last || doc.Plain && line > lines || doc.Kind == document.HTML && doc.Charset == "UTF-8" && line > lines {
					t.Fatalf("%s: line %d at %d, after %d of %d", name, line, i, last, lines)
				}
				last = line
			}
		}
	})
}

func BenchmarkHTML(b *testing.B) {
	data := []byte(strings.Repeat(page, 100))
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := extract.Bytes(context.Background(), "a.html", data, extract.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func ExampleBytes() {
	doc, err := extract.Bytes(context.Background(), "page.html", []byte("<h1>Notes</h1>\n<p>Caf&eacute;\n<p>Second"), extract.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s %q, %q is on line %d\n", doc.Kind, doc.Text, "Second", doc.Line(strings.Index(doc.Text, "Second")))
	// Output: html "# Notes\n\nCafé\n\nSecond\n", "Second" is on line 3
}
