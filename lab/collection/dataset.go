package collection

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"dowse/internal/eval"
)

// Dataset is a judged collection.
type Dataset struct {
	Name      string // the folder's name
	Documents []Document
	Queries   []eval.Query // judged ones, in the file's order
}

// Document is one record of corpus.jsonl.
type Document struct {
	ID    string `json:"_id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// Passage returns the indexed text of a document.
func (d Document) Passage() string {
	return strings.TrimSpace(d.Title + " " + d.Text)
}

// Load reads a folder in BEIR layout.
func Load(dir string) (*Dataset, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	ds := &Dataset{Name: filepath.Base(abs)}
	err = readLines(filepath.Join(dir, "corpus.jsonl"), func(line []byte) error {
		var d Document
		if err := json.Unmarshal(line, &d); err != nil {
			return err
		}
		ds.Documents = append(ds.Documents, d)
		return nil
	})
	if err != nil {
		return nil, layoutError(dir, err)
	}
	grades, err := loadGrades(dir)
	if err != nil {
		return nil, layoutError(dir, err)
	}
	err = readLines(filepath.Join(dir, "queries.jsonl"), func(line []byte) error {
		var q eval.Query
		if err := json.Unmarshal(line, &q); err != nil {
			return err
		}
		if q.Grades = grades[q.ID]; len(q.Grades) > 0 {
			ds.Queries = append(ds.Queries, q)
		}
		return nil
	})
	if err != nil {
		return nil, layoutError(dir, err)
	}
	if len(ds.Documents) == 0 || len(ds.Queries) == 0 {
		return nil, layoutError(dir, fmt.Errorf("%d documents, %d judged queries", len(ds.Documents), len(ds.Queries)))
	}
	return ds, nil
}

// layoutError names the files that a folder lacks.
func layoutError(dir string, err error) error {
	return fmt.Errorf("%s is not a collection that can be measured: %w; it needs corpus.jsonl, queries.jsonl and qrels/test.tsv", dir, err)
}

// splits are the qrels that are looked for, in order.
var splits = []string{"test.tsv", "dev.tsv", "train.tsv"}

// loadGrades reads the judgements: query id -> document id -> grade.
func loadGrades(dir string) (map[string]map[string]int, error) {
	var path string
	for _, name := range splits {
		path = filepath.Join(dir, "qrels", name)
		if _, err := os.Stat(path); err == nil {
			break
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	grades := make(map[string]map[string]int)
	first := true
	err := readLines(path, func(line []byte) error {
		if first {
			first = false
			return nil // the header
		}
		fields := strings.Split(string(line), "\t")
		if len(fields) != 3 {
			return fmt.Errorf("%d fields in a judgement, want 3", len(fields))
		}
		grade, err := strconv.Atoi(strings.TrimSpace(fields[2]))
		if err != nil {
			return err
		}
		if grades[fields[0]] == nil {
			grades[fields[0]] = make(map[string]int)
		}
		grades[fields[0]][fields[1]] = grade
		return nil
	})
	return grades, err
}

// readLines calls f with each non-empty line of a file.
func readLines(path string, f func([]byte) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // only read from
	in := bufio.NewReaderSize(file, 1<<20)
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if len(line) > 1 {
			if err := f(line); err != nil {
				return fmt.Errorf("%s line %d: %w", filepath.Base(path), n, err)
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
