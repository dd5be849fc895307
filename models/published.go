package models

import (
	"slices"
	"strings"
)

// Published is what is known of an embedder by who published it.
type Published struct {
	Languages string  // in words; "" where nobody says
	Retrieval float64 // nDCG@10 in the mean of the 15 retrieval sets of MTEB (BEIR), 0 to 1; 0 where it is not known
	Source    string  // of Retrieval
}

// bgeTable is the table in which the models of a size are compared.
const bgeTable = "table of MTEB on the card of BAAI/bge-small-en-v1.5"

// published are embedders, by parts of the names that they are published under, in lower
// case without dots; the first row of which all parts occur counts.
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

// PublishedOf returns what is known of an embedder by the names that it goes by; the zero
// value where nothing is.
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
