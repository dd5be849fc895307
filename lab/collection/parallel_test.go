package collection

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// squadFile is a file in the layout of SQuAD: paragraphs, each with questions by id.
func squadFile(paragraphs ...[]string) string {
	var all []string
	for i, questions := range paragraphs {
		var asked []string
		for _, id := range questions {
			asked = append(asked, fmt.Sprintf(`{"id": %q, "question": "question %s", "answers": [{"text": "it", "answer_start": 0}]}`, id, id))
		}
		all = append(all, fmt.Sprintf(`{"context": "paragraph %d", "qas": [%s]}`, i, strings.Join(asked, ", ")))
	}
	return `{"version": "1.1", "data": [{"title": "Same_Everywhere", "paragraphs": [` + strings.Join(all, ", ") + `]}]}`
}

func writeParallel(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "set")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestLoadParallel(t *testing.T) {
	file := squadFile([]string{"a", "b"}, nil, []string{"c"})
	dir := writeParallel(t, map[string]string{"set.de.json": file, "set.en.json": file, "set.pt_BR.json": file, "README.md": "# Set"})
	if !IsParallel(dir) {
		t.Error("three languages are no parallel texts")
	}
	p, err := LoadParallel(dir)
	if err != nil {
		t.Fatal(err)
	}
	if p.Name != "set" || !slices.Equal(p.Languages, []string{"de", "en", "pt_BR"}) {
		t.Errorf("%s in %v", p.Name, p.Languages)
	}
	for corpus, want := range map[string][]string{"de": {"de", "en"}, "en": p.Languages, AllLanguages: p.Languages} {
		if got := p.AskedOf(corpus); !slices.Equal(got, want) {
			t.Errorf("%s is asked in %v, want %v", corpus, got, want)
		}
	}
	ds := p.Pair("de", "en")
	if ds.Name != "set.en" || len(ds.Documents) != 3 || len(ds.Queries) != 3 {
		t.Fatalf("%+v", ds)
	}
	if q := ds.Queries[2]; q.ID != "c" || q.Text != "question c" || len(q.Grades) != 1 || q.Grades[ds.Documents[2].ID] != 1 {
		t.Errorf("%+v of %+v", q, ds.Documents)
	}
	if d := ds.Documents[2]; d.Passage() != "paragraph 2" {
		t.Errorf("the title is the same in all languages, and stands in %q", d.Passage())
	}
	all := p.Pair("de", AllLanguages)
	ids := map[string]bool{}
	for _, d := range all.Documents {
		ids[d.ID] = true
	}
	if len(ids) != 9 {
		t.Errorf("documents of all languages: %v", ids)
	}
	for _, q := range all.Queries {
		for id := range q.Grades {
			if !ids[id] || len(q.Grades) != 3 {
				t.Errorf("%s is answered by %v", q.ID, q.Grades)
			}
		}
	}
}

func TestIsParallelLeavesOthers(t *testing.T) {
	file := squadFile([]string{"a"})
	for name, files := range map[string]map[string]string{
		"one language":       {"set.de.json": file},
		"a judged set":       {"set.de.json": file, "set.en.json": file, "corpus.jsonl": ""},
		"no language stated": {"set.json": file, "other.json": file},
	} {
		if IsParallel(writeParallel(t, files)) {
			t.Errorf("%s is taken for parallel texts", name)
		}
	}
	if IsParallel(filepath.Join(t.TempDir(), "gone")) {
		t.Error("a folder that is not there is taken for parallel texts")
	}
}

func TestLoadParallelRefuses(t *testing.T) {
	good := squadFile([]string{"a", "b"}, []string{"c"})
	for want, other := range map[string]string{
		"set.en.json is in no layout":          "[]",
		"1 paragraphs, no question":            squadFile(nil),
		"set.de.json and set.en.json do not":   squadFile([]string{"a"}, []string{"b", "c"}),
		"the same questions about the same pa": squadFile([]string{"a", "b"}, []string{"d"}),
	} {
		dir := writeParallel(t, map[string]string{"set.de.json": good, "set.en.json": other})
		if _, err := LoadParallel(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	dir := writeParallel(t, map[string]string{"set.de.json": good, "other.de.json": good})
	if _, err := LoadParallel(dir); err == nil || !strings.Contains(err.Error(), "both in the language de") {
		t.Errorf("two files of a language: %v", err)
	}
}
