package collection

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"dowse/internal/eval"
)

// Parallel is a folder of the same paragraphs and questions in several languages, as XQuAD
// is: a file NAME.LANGUAGE.json for each, in the layout of SQuAD.
type Parallel struct {
	Name      string   // the folder's name
	Languages []string // their codes, sorted
	texts     map[string]translation
}

// translation is the content of a file. The paragraphs of all files are in the same order.
type translation struct {
	paragraphs []string
	questions  []paragraphQuestion
}

// paragraphQuestion is a question and the place of the paragraph that answers it.
type paragraphQuestion struct {
	id, text  string
	paragraph int
}

// AllLanguages stands for a language where paragraphs in every language are asked.
const AllLanguages = "all"

// pivot is the language that the others are asked across, if the folder holds it.
const pivot = "en"

// parallelName is how the files are called; the second group is the language.
var parallelName = regexp.MustCompile(`^(.+)\.([a-z]{2,3}(?:[-_][A-Za-z]+)?)\.json$`)

// parallelFiles lists the files of a folder by language.
func parallelFiles(dir string) (map[string]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	files := make(map[string]string)
	for _, e := range entries {
		if m := parallelName.FindStringSubmatch(e.Name()); m != nil && !e.IsDir() {
			if other, twice := files[m[2]]; twice {
				return nil, fmt.Errorf("%s and %s are both in the language %s", other, e.Name(), m[2])
			}
			files[m[2]] = e.Name()
		}
	}
	return files, nil
}

// IsParallel reports whether a folder holds texts in several languages rather than a
// collection in BEIR layout.
func IsParallel(dir string) bool {
	if _, err := os.Stat(filepath.Join(dir, "corpus.jsonl")); err == nil {
		return false
	}
	entries, err := os.ReadDir(dir)
	count := 0
	for _, e := range entries {
		if parallelName.MatchString(e.Name()) {
			count++
		}
	}
	return err == nil && count > 1
}

// LoadParallel reads a folder of texts in several languages. Every file must hold the
// same questions about the same paragraphs.
func LoadParallel(dir string) (*Parallel, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	files, err := parallelFiles(dir)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be measured: %w", dir, err)
	}
	p := &Parallel{Name: filepath.Base(abs), texts: make(map[string]translation)}
	for language, name := range files {
		if p.texts[language], err = readSQuAD(filepath.Join(dir, name)); err != nil {
			return nil, fmt.Errorf("%s is in no layout that can be measured: %w; a file NAME.LANGUAGE.json holds the paragraphs and questions of one language as SQuAD's files do", filepath.Join(dir, name), err)
		}
		p.Languages = append(p.Languages, language)
	}
	slices.Sort(p.Languages)
	for _, language := range p.Languages[1:] {
		if !p.texts[language].parallelTo(p.texts[p.Languages[0]]) {
			return nil, fmt.Errorf("%s cannot be measured: %s and %s do not hold the same questions about the same paragraphs", dir, files[p.Languages[0]], files[language])
		}
	}
	return p, nil
}

// readSQuAD reads a file in the layout of SQuAD.
func readSQuAD(path string) (translation, error) {
	var t translation
	data, err := os.ReadFile(path)
	if err != nil {
		return t, err
	}
	var file struct {
		Data []struct {
			Paragraphs []struct {
				Context string
				QAs     []struct{ ID, Question string }
			}
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return t, err
	}
	for _, article := range file.Data {
		for _, p := range article.Paragraphs {
			for _, q := range p.QAs {
				t.questions = append(t.questions, paragraphQuestion{q.ID, q.Question, len(t.paragraphs)})
			}
			t.paragraphs = append(t.paragraphs, p.Context)
		}
	}
	if len(t.questions) == 0 {
		return t, fmt.Errorf("%d paragraphs, no question", len(t.paragraphs))
	}
	return t, nil
}

// parallelTo reports whether two files hold the same questions about the same paragraphs.
func (t translation) parallelTo(o translation) bool {
	return len(t.paragraphs) == len(o.paragraphs) && slices.EqualFunc(t.questions, o.questions, func(a, b paragraphQuestion) bool {
		return a.id == b.id && a.paragraph == b.paragraph
	})
}

// Corpora lists the corpora to index: the paragraphs of each language, and all of them.
func (p *Parallel) Corpora() []string { return append(slices.Clone(p.Languages), AllLanguages) }

// AskedOf lists the languages in which a corpus is asked: its own and English, that of
// English and all of them together in every one.
func (p *Parallel) AskedOf(corpus string) []string {
	switch {
	case corpus == AllLanguages || corpus == pivot:
		return p.Languages
	case slices.Contains(p.Languages, pivot):
		return []string{corpus, pivot}
	}
	return []string{corpus}
}

// Pair makes a collection: questions in one language about the paragraphs of a corpus.
// The paragraph that answers is relevant, of AllLanguages each of its translations.
func (p *Parallel) Pair(asked, corpus string) *Dataset {
	ds := &Dataset{Name: p.Name + "." + corpus}
	of := []string{corpus}
	if corpus == AllLanguages {
		of = p.Languages
	}
	for _, language := range of {
		for i, text := range p.texts[language].paragraphs {
			ds.Documents = append(ds.Documents, Document{ID: paragraphID(language, i), Text: text})
		}
	}
	for _, q := range p.texts[asked].questions {
		grades := make(map[string]int, len(of))
		for _, language := range of {
			grades[paragraphID(language, q.paragraph)] = 1
		}
		ds.Queries = append(ds.Queries, eval.Query{ID: q.id, Text: q.text, Grades: grades})
	}
	return ds
}

func paragraphID(language string, i int) string { return language + "/" + strconv.Itoa(i+1) }
