package bench

import (
	"slices"
	"strings"
	"unicode"
)

// A query is as short as what people type.
const (
	minQueryWords = 4
	maxQueryBytes = 120
)

// querySeed orders the questions and sentences that queries are drawn from.
const querySeed = 1

// queriesOf picks n short texts to search for: questions, if there are any, for at
// most half of them, and first sentences of the bodies for the rest. The choice
// follows from the texts alone.
func queriesOf(questions, bodies []string, n int) []string {
	var sentences []string
	for _, body := range bodies {
		if s := firstSentence(body); s != "" {
			sentences = append(sentences, s)
		}
	}
	questions, sentences = sample(questions), sample(sentences)
	half := min(len(questions), max(n/2, n-len(sentences)))
	return slices.Concat(questions[:half], sentences[:min(len(sentences), n-half)])
}

// maxProbes is how many sentences tell how estimates err, as they do while indexing.
const maxProbes = 96

// probesOf picks sentences of the bodies that are not among the n queries asked.
func probesOf(bodies, asked []string, n int) []string {
	probes := slices.DeleteFunc(queriesOf(nil, bodies, n+maxProbes), func(s string) bool { return slices.Contains(asked, s) })
	return probes[:min(len(probes), maxProbes)]
}

// sample returns the distinct texts in a random order that follows from them.
func sample(texts []string) []string {
	hashes := make(map[string]hash, len(texts))
	var distinct []string
	for _, text := range texts {
		if _, seen := hashes[text]; !seen {
			hashes[text] = hashText(querySeed, text)
			distinct = append(distinct, text)
		}
	}
	slices.SortFunc(distinct, func(a, b string) int { return compareHash(hashes[a], hashes[b]) })
	return distinct
}

// codeMarks do not occur in what people search for: a sentence that has one is
// a line of a program or of a table.
const codeMarks = "{}[]()<>;=|\\"

// firstSentence returns the first sentence of a text without the marks of
// headings, lists and comments before it, or "" if it makes no query.
func firstSentence(text string) string {
	text = strings.TrimLeftFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	if end := strings.Index(text, "\n\n"); end >= 0 {
		text = text[:end]
	}
	for i, r := range text {
		if strings.ContainsRune(".?!", r) && (i+1 == len(text) || unicode.IsSpace(rune(text[i+1]))) {
			text = text[:i+1]
			break
		}
	}
	words := strings.Fields(text)
	text = strings.Join(words, " ")
	if len(words) < minQueryWords || len(text) >= maxQueryBytes || strings.ContainsAny(text, codeMarks) {
		return ""
	}
	return text
}
