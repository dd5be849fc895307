package snowball_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/engine/lexical/snowball"
	"dowse/engine/lexical/snowball/arabic"
	"dowse/engine/lexical/snowball/czech"
	"dowse/engine/lexical/snowball/danish"
	"dowse/engine/lexical/snowball/dutch"
	"dowse/engine/lexical/snowball/english"
	"dowse/engine/lexical/snowball/finnish"
	"dowse/engine/lexical/snowball/french"
	"dowse/engine/lexical/snowball/german"
	"dowse/engine/lexical/snowball/greek"
	"dowse/engine/lexical/snowball/hindi"
	"dowse/engine/lexical/snowball/hungarian"
	"dowse/engine/lexical/snowball/italian"
	"dowse/engine/lexical/snowball/norwegian"
	"dowse/engine/lexical/snowball/polish"
	"dowse/engine/lexical/snowball/portuguese"
	"dowse/engine/lexical/snowball/romanian"
	"dowse/engine/lexical/snowball/russian"
	"dowse/engine/lexical/snowball/spanish"
	"dowse/engine/lexical/snowball/swedish"
	"dowse/engine/lexical/snowball/tamil"
	"dowse/engine/lexical/snowball/turkish"
)

// stemmers are those that generate.sh writes.
var stemmers = map[string]func(env *snowball.Env) bool{
	"arabic": arabic.Stem, "czech": czech.Stem, "danish": danish.Stem, "dutch": dutch.Stem,
	"english": english.Stem, "finnish": finnish.Stem, "french": french.Stem, "german": german.Stem,
	"greek": greek.Stem, "hindi": hindi.Stem, "hungarian": hungarian.Stem, "italian": italian.Stem,
	"norwegian": norwegian.Stem, "polish": polish.Stem, "portuguese": portuguese.Stem,
	"romanian": romanian.Stem, "russian": russian.Stem, "spanish": spanish.Stem,
	"swedish": swedish.Stem, "tamil": tamil.Stem, "turkish": turkish.Stem,
}

// vocabulary returns words of texts in a language with the stems that PyStemmer 3.1.0 gives
// them, which is the C code that the same compiler writes.
func vocabulary(t *testing.T, language string) (pairs [][2]string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", language+".tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		word, stem, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok {
			t.Fatalf("%s: line %q has no tab", language, line)
		}
		pairs = append(pairs, [2]string{word, stem})
	}
	if len(pairs) < 120 {
		t.Errorf("%s: %d words", language, len(pairs))
	}
	return pairs
}

func TestStemmers(t *testing.T) {
	for language, stem := range stemmers {
		for _, pair := range vocabulary(t, language) {
			env := snowball.NewEnv(pair[0])
			stem(env)
			if got := env.Current(); got != pair[1] {
				t.Errorf("%s: %s has the stem %q, want %q", language, pair[0], got, pair[1])
			}
		}
	}
}

// TestStemmersOfDamage: words of which characters or bytes are missing, doubled or swapped
// end, and do not panic.
func TestStemmersOfDamage(t *testing.T) {
	for language, stem := range stemmers {
		for _, pair := range vocabulary(t, language) {
			for _, word := range damaged(pair[0]) {
				stem(snowball.NewEnv(word))
			}
		}
	}
}

// damaged returns what may be left of a word.
func damaged(word string) (words []string) {
	letters := []rune(word)
	for i := range letters {
		before, after := string(letters[:i]), string(letters[i+1:])
		doubled := before + strings.Repeat(string(letters[i]), 2) + after
		words = append(words, before, before+after, doubled, after+before, string(letters[i:])+word)
	}
	for i := range len(word) {
		words = append(words, word[:i], word[i:])
	}
	return words
}
