package collection

import (
	"strings"

	"dowse/indexer/chunk"
	"dowse/indexer/document"
)

// Code reports whether the documents are source code: collections do not say so. Most of them define something, or have
// lines that end as statements and blocks do.
func (ds *Dataset) Code() bool {
	code := 0
	for _, d := range ds.Documents {
		if isCode(d.Text) {
			code++
		}
	}
	return 2*code > len(ds.Documents)
}

func isCode(text string) bool {
	lines, ends := 0, 0
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		lines++
		if strings.ContainsAny(line[len(line)-1:], "{};(") || strings.HasPrefix(line, "}") || strings.HasPrefix(line, "//") || strings.HasPrefix(line, "def ") && strings.HasSuffix(line, ":") {
			ends++
		}
	}
	return 3*ends > lines || len(Definitions(text)) > 0 && strings.Contains(text, "return ")
}

// Definitions lists the names that the text of a document of code defines.
func Definitions(text string) []string {
	doc := &document.Document{Kind: document.Code, Text: text}
	return chunk.ReadDefinitions(doc).Names(0, len(text))
}
