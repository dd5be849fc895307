package models

import (
	"slices"
	"strings"
)

// Published is what publishers say of an embedder.
type Published struct {
	Languages string  // in words; "": unknown
	Retrieval float64 // mean nDCG@10 of the 15 retrieval sets of MTEB (BEIR), 0 to 1; 0: unknown
	Source    string  // of Retrieval
}

// bgeTable compares models of a size.
const bgeTable = "table of MTEB on the card of BAAI/bge-small-en-v1.5"

// published are embedders by parts of their published names in lower case
// without dots; the first row with all parts counts.
var published = []struct {
	parts []string
	Published
}{
	{[]string{"all-minilm-l6-v2"}, Published{"English", .4195, bgeTable}},
	{[]string{"dowse-embed-"}, Published{Languages: "English"}},
	{[]string{"bge-small-en-v15"}, Published{"English", .5168, bgeTable}},
	{[]string{"multilingual-e5-small"}, Published{Languages: "some hundred languages"}},
	{[]string{"multilingual", "e5-"}, Published{Languages: "some hundred languages"}},
	{[]string{"e5-small-v2"}, Published{"English", .4904, bgeTable}},
}

// PublishedOf returns the entry of an embedder's first known name, or zero.
func PublishedOf(names ...string) Published {
	for _, name := range names {
		name = strings.ReplaceAll(strings.ToLower(name[strings.LastIndexByte(name, '/')+1:]), ".", "")
		for _, row := range published {
			if !slices.ContainsFunc(row.parts, func(part string) bool { return !strings.Contains(name, part) }) {
				return row.Published
			}
		}
	}
	return Published{}
}
