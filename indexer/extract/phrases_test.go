package extract_test

import (
	"cmp"
	"hash/fnv"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"dowse/indexer/extract"
	"dowse/indexer/extract/pdf"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// phrasesVariable names a folder with files/, real ones, and ref/, what other programs find in each of them under
// the same name.
const phrasesVariable = "DOWSE_PHRASES"

// Phrases that are looked for.
const (
	phraseWords   = 4
	phrasesAFile  = 5
	phraseLetters = 12  // at least
	wordLetters   = 30  // less: what is longer is no word
	leastFound    = .97 // of the files, with all of their phrases
)

// Phrases that other programs find in real files are in their texts.
func TestPhrasesOfRealFilesAreFound(t *testing.T) {
	folder := os.Getenv(phrasesVariable)
	if folder == "" {
		t.Skip(phrasesVariable + " is not set")
	}
	pdf.KeepIn(t.TempDir())
	type count struct{ files, found int }
	kinds, all := map[string]count{}, count{}
	err := fs.WalkDir(os.DirFS(filepath.Join(folder, "ref")), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		reference, err := os.ReadFile(filepath.Join(folder, "ref", name))
		if err != nil {
			return err
		}
		phrases := phrasesOf(name, string(reference))
		if len(phrases) == 0 {
			return nil
		}
		said := ""
		d, err := extract.File(filepath.Join(folder, "files", name), extract.Options{})
		if err == nil {
			said = strings.Join(folded(d.Text), "")
		}
		lost := slices.DeleteFunc(phrases, func(p []string) bool { return strings.Contains(said, strings.Join(p, "")) })
		kind := strings.ToLower(filepath.Ext(name))
		c := kinds[kind]
		c.files, all.files = c.files+1, all.files+1
		if len(lost) == 0 {
			c.found, all.found = c.found+1, all.found+1
		} else {
			t.Logf("%s: %q (%v)", name, lost, err)
		}
		kinds[kind] = c
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range slices.SortedFunc(maps.Keys(kinds), func(a, b string) int {
		return cmp.Or(cmp.Compare(kinds[b].files, kinds[a].files), cmp.Compare(a, b))
	}) {
		t.Logf("%-10s %4d of %4d", kind, kinds[kind].found, kinds[kind].files)
	}
	if t.Logf("all %d of %d", all.found, all.files); float64(all.found) < leastFound*float64(all.files) {
		t.Errorf("%d of %d files have all of their phrases", all.found, all.files)
	}
}

// phrasesOf draws phrases of a reference, each of words that follow each other in a line; which, its name decides.
func phrasesOf(name, reference string) [][]string {
	var all [][]string
	for line := range strings.Lines(reference) {
		words := folded(line)
		for i := range max(0, len(words)-phraseWords+1) {
			phrase := words[i : i+phraseWords]
			letters, longest := 0, 0
			for _, w := range phrase {
				n := len([]rune(w))
				letters, longest = letters+n, max(longest, n)
			}
			if letters >= phraseLetters && longest < wordLetters {
				all = append(all, phrase)
			}
		}
	}
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(name)) // a hash takes everything
	rng := rand.New(rand.NewPCG(hash.Sum64(), 0))
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:min(phrasesAFile, len(all))]
}

// folded returns the words of a text without accents, in small letters.
func folded(text string) []string {
	plain := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.M, r) || strings.ContainsRune("\u00ad\u200b\u200c\u200d\u2060\ufeff", r) {
			return -1
		}
		return r
	}, norm.NFKD.String(text))
	return strings.FieldsFunc(cases.Fold().String(plain), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
}
