package extract_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"dowse/indexer/document"
	"dowse/indexer/extract"
	"dowse/indexer/skip"
)

// sentences are some that differ, as an export has them.
func sentences(n int) []string {
	rng := rand.New(rand.NewPCG(38, 5))
	words := strings.Fields("the heron stood in reeds of a pond watching for fish and waited until it flew off towards other water while rain fell")
	said := make([]string, n)
	for i := range said {
		for range 9 {
			said[i] += words[rng.IntN(len(words))] + " "
		}
		said[i] += fmt.Sprint("number", i, ".")
	}
	return said
}

// What people say in one line is read, in lines, without the escapes of strings, and leads to the line of the file.
func TestOneLineIsRead(t *testing.T) {
	said := sentences(600)
	for name, text := range map[string]string{
		"dump.sql":   "-- MySQL dump\nINSERT INTO `notes` VALUES (1,'" + strings.Join(said, `\nNext'),(2,'`) + "');\n",
		"notes.json": `{"version": 1, "notes": {"a": ["` + strings.Join(said, `\nNext","`) + `"]}}`,
		"data.js":    `window.notes="` + strings.Join(said, `\n`) + `"`,
		"ru.json":    `{"a": {"text": "` + strings.Join(said, ` \u0446\u0430\u043f\u043b\u044f \ud83d\ude00 `) + `"}}`,
	} {
		doc, err := extract.Bytes(context.Background(), name, []byte(text), extract.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		at := strings.Index(doc.Text, "number300.")
		if doc.Kind != document.Text || doc.Plain || at < 0 || doc.Line(at) != lineOf(text, "number300") {
			t.Errorf("%s: %v, %d is on line %d", name, doc.Kind, at, doc.Line(at))
		}
		if strings.Contains(doc.Text, `\n`) || strings.Contains(doc.Text, "nNext") || name == "ru.json" && !strings.Contains(doc.Text, "цапля \U0001f600") {
			t.Errorf("%s: %.300q", name, doc.Text)
		}
		if name != "ru.json" && strings.Count(doc.Text, "\n") < 500 {
			t.Errorf("%s stands in %d lines", name, strings.Count(doc.Text, "\n"))
		}
	}
}

// What programs say to each other is left out, and said why.
func TestOneLineOfProgramsIsLeftOut(t *testing.T) {
	code := `function(e,t){if("string"==typeof e)return new Error("No such element");var n=e.prototype;n.a=t,n.b=!0}`
	for name, want := range map[string]string{
		"a.min.js":  "minified",
		"a.css":     "minified",
		"a.json":    "encoded data",
		"b.json":    "source map",
		"shape.sql": "minified",
	} {
		text := map[string]string{
			"a.min.js":  strings.Repeat(code+",", 500),
			"a.css":     strings.Repeat(`.btn:not(:disabled):not(.disabled){color:#fff;margin:0 0 1rem auto;font:700 1rem "Segoe UI"}`, 500),
			"a.json":    "[[" + strings.Repeat("0.1827,-17.28,", 4000) + "1]]",
			"b.json":    `{"version":3,"sources":["a.js"],"sourcesContent":["` + strings.Join(sentences(600), `\n`) + `"],"mappings":"AAAA,CAAC"}`,
			"shape.sql": "INSERT INTO t VALUES " + strings.Repeat("(1,2,'AB-12'),", 5000),
		}[name]
		_, err := extract.Bytes(context.Background(), name, []byte(text), extract.Options{})
		if reason, _ := skip.ReasonOf(err); reason != skip.NotText || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What is left when nothing but a code was there is no text.
func TestCodesAloneAreLeftOut(t *testing.T) {
	_, err := extract.Bytes(context.Background(), "a.txt", []byte(strings.Repeat("iVBORw0KGgoAAAANSUhEUgAA", 40)), extract.Options{})
	if reason, _ := skip.ReasonOf(err); reason != skip.NotText {
		t.Error(err)
	}
}

// lineOf returns the line on which something stands first, from 1.
func lineOf(text, what string) int {
	before, _, _ := strings.Cut(text, what)
	return 1 + strings.Count(before, "\n")
}
