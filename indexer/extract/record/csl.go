package record

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"dowse/indexer/document"
)

// isCSL reports whether a file is a bibliography in the JSON of CSL, as Zotero and pandoc write it.
func isCSL(name string, head []byte) bool {
	if ext := document.Extension(name); ext != "json" && ext != "csljson" || !bytes.HasPrefix(blankless(head), []byte("[")) {
		return false
	}
	keys := 0
	for _, key := range []string{`"type"`, `"issued"`, `"date-parts"`, `"container-title"`, `"family"`} {
		if bytes.Contains(head, []byte(key)) {
			keys++
		}
	}
	return keys >= 3
}

// cslItem is a reference.
type cslItem struct {
	Title    string
	Author   []cslName
	Editor   []cslName
	In       string `json:"container-title"`
	Press    string `json:"publisher"`
	DOI      string
	Keyword  string
	Abstract string
	Note     string
	Issued   struct {
		Parts [][]json.RawMessage `json:"date-parts"`
		Raw   string
	}
}

type cslName struct{ Family, Given, Literal string }

// readCSL reads references in CSL JSON.
func readCSL(ctx context.Context, in *document.Input) (*document.Document, error) {
	text, err := in.Text(ctx, in.Data)
	if err != nil {
		return nil, err
	}
	tokens := json.NewDecoder(strings.NewReader(text))
	if _, err := tokens.Token(); err != nil {
		return nil, document.ErrOther
	}
	var list []reference
	for tokens.More() && in.Step(1) {
		at := beginning(text, int(tokens.InputOffset()))
		var i cslItem
		if err := tokens.Decode(&i); err != nil {
			break
		}
		r := reference{at: at, title: i.Title, in: cmp.Or(i.In, i.Press), doi: i.DOI, when: cslDate(i.Issued.Parts, i.Issued.Raw), texts: []string{i.Abstract, i.Note}}
		for _, n := range append(i.Author, i.Editor...) {
			r.people = append(r.people, cmp.Or(n.Literal, strings.TrimSpace(n.Given+" "+n.Family)))
		}
		r.set("keywords", i.Keyword)
		list = append(list, r)
	}
	return bibliography(in, text, "csl", list)
}

// cslDate returns a date as text: [[2019,5,3]], of which each may be a string.
func cslDate(parts [][]json.RawMessage, raw string) string {
	if len(parts) == 0 {
		return raw
	}
	date := ""
	for i, p := range parts[0] {
		n := strings.Trim(string(p), `"`)
		if i > 0 {
			n = fmt.Sprintf("-%02s", n)
		}
		date += n
	}
	return date
}
