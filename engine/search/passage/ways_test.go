package passage

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	unicodenorm "golang.org/x/text/unicode/norm"

	"dowse/engine/lexical"
	"dowse/internal/fold"
)

// markupOf is what a person leaves out who types a sentence as it is shown.
var markupOf = []struct {
	of   *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`\[\[(?:[^\]|]*\|)?([^\]]*)\]\]`), "$1"},
	{regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`), "$1"},
	{regexp.MustCompile("\\*\\*|__|~~|`"), ""},
	{regexp.MustCompile(`(^|[\s(])[*_]([^*_]+)[*_]([\s).,;:!?]|$)`), "$1$2$3"},
	{regexp.MustCompile(`(?m)^[ \t]*(> ?)+`), ""},
}

// ways are ways to type a sentence.
var ways = map[string]func(string) string{
	"as it stands":    func(s string) string { return s },
	"in capitals":     strings.ToUpper,
	"decomposed":      unicodenorm.NFD.String,
	"composed":        unicodenorm.NFC.String,
	"without accents": fold.String,
	"curly": func(s string) string {
		return regexp.MustCompile(`(\pL)['’](\pL)`).ReplaceAllString(strings.ReplaceAll(s, `"`, "”"), "$1’$2")
	},
	"straight": strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`, "’", "'", "‘", "'").Replace,
	"dashes":   strings.NewReplacer(" -- ", " — ", " - ", " – ", "—", " - ", "–", "-").Replace,
	"hyphens":  strings.NewReplacer("-", "\u2011").Replace,
	"dots":     strings.NewReplacer("...", "…", "…", "...").Replace,
	"unseen": func(s string) string {
		return regexp.MustCompile(`(\pL\pL)(\pL\pL)`).ReplaceAllString(s, "$1\u00ad$2\u200b")
	},
	"blanks": func(s string) string { return strings.ReplaceAll(s, " ", "\u00a0 ") },
	"unmarked": func(s string) string {
		for _, m := range markupOf {
			s = m.of.ReplaceAllString(s, m.with)
		}
		return s
	},
}

// sentences end before a blank; lines may break in them.
var sentences = regexp.MustCompile(`(?s)[\pL"“*_\[\x60].{30,300}?[.!?](\s|$)`)

// sentenceOf is the first sentence of prose of a note, the one with the most marks of some.
func sentenceOf(text string) (sentence string) {
	most := -1
	for block := range strings.SplitSeq(text, "\n\n") {
		if strings.Contains(block, "```") || strings.HasPrefix(block, "    ") || strings.Contains(block, "\n- ") || strings.HasPrefix(block, "#") {
			continue
		}
		found := strings.TrimSpace(sentences.FindString(block))
		if marks := strings.Count(found, "[") + strings.Count(found, "`") + strings.Count(found, "’") + strings.Count(found, "—") + strings.Count(found, "*"); found != "" && marks > most {
			most, sentence = marks, found
		}
	}
	return sentence
}

// TestWaysToType types sentences of the sample notes in as many ways as keyboards and editors have:
// each is found where it stands, in chunks that its words lead to.
func TestWaysToType(t *testing.T) {
	analyzer, typed, asked := lexical.NewAnalyzer(), 0, 0
	paths, err := filepath.Glob(filepath.Join("..", "..", "..", "testdata", "notes", "*", "*.md"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no sample notes: %v", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		sentence := sentenceOf(string(text))
		if sentence == "" {
			continue
		}
		typed++
		has := analyzer.Document(nil, string(text), "")
		for name, way := range ways {
			asked++
			phrase := way(sentence)
			found := len(NewPhrase(phrase).Find(string(text))) > 0
			words, _ := SureTerms(analyzer, phrase, lexical.OnlyEnglish.With(lexical.Detect(string(text))))
			for _, terms := range words {
				found = found && slices.ContainsFunc(terms, func(term string) bool { return slices.Contains(has, term) })
			}
			if !found {
				t.Errorf("%s: %s: %q", filepath.Base(path), name, phrase)
			}
		}
	}
	if typed < 15 || asked != typed*len(ways) {
		t.Errorf("%d sentences, typed %d times: the test tests little", typed, asked)
	}
}
