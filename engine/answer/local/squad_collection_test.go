package local

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/engine/answer"
	"dowse/lab/collection"
)

// squadCollection is a judged collection whose queries carry answers.
type squadCollection struct {
	Documents []collection.Document
	Questions []question
	ranking   *collection.BM25
}

// question is one query with its answers.
type question struct {
	Text       string
	Answers    []string
	Impossible bool // though its document speaks of the same things
	Gold       int  // index of the document that it was asked about
}

// article returns the part of a document's id that its neighbours share.
func article(id string) string {
	name, _, _ := strings.Cut(id, "#")
	return name
}

// load reads a folder in BEIR layout with answers in the queries' metadata.
// What it lacks is said in the error.
func load(dir string, analyzer answer.Analyzer) (*squadCollection, error) {
	set, err := collection.Load(dir)
	if err != nil {
		return nil, err
	}
	metadata, err := loadAnswers(filepath.Join(dir, "queries.jsonl"))
	if err != nil {
		return nil, fmt.Errorf("answers of %s: %w", dir, err)
	}
	c := &squadCollection{Documents: set.Documents, ranking: collection.NewBM25(set.Documents, analyzer)}
	place := make(map[string]int, len(set.Documents))
	for i, d := range set.Documents {
		place[d.ID] = i
	}
	for _, q := range set.Queries {
		gold := -1
		for id := range q.Grades {
			if at, ok := place[id]; ok && (gold < 0 || at < gold) {
				gold = at
			}
		}
		m := metadata[q.ID]
		if gold < 0 || len(m.Answers) == 0 && !m.Impossible {
			continue
		}
		c.Questions = append(c.Questions, question{q.Text, m.Answers, m.Impossible, gold})
	}
	if len(c.Questions) == 0 {
		return nil, fmt.Errorf("answers of %s: no query has answers in its metadata", dir)
	}
	return c, nil
}

// answers is the metadata of a query.
type answers struct {
	Answers    []string `json:"answers"`
	Impossible bool     `json:"impossible"`
}

func loadAnswers(path string) (map[string]answers, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // only read from
	found := make(map[string]answers)
	decoder := json.NewDecoder(bufio.NewReader(file))
	for {
		var row struct {
			ID       string  `json:"_id"`
			Metadata answers `json:"metadata"`
		}
		if err := decoder.Decode(&row); errors.Is(err, io.EOF) {
			return found, nil
		} else if err != nil {
			return nil, err
		}
		found[row.ID] = row.Metadata
	}
}

// passage makes a document the nth passage of a question.
func (c *squadCollection) passage(doc, number int, score float64) answer.Passage {
	d := &c.Documents[doc]
	return answer.Passage{
		Number: number, Path: d.ID, Heading: d.Title, Text: d.Text, Score: score,
		LineStart: 1, LineEnd: 1 + strings.Count(d.Text, "\n"),
	}
}

// sharedSquad loads the questions of eval/squad, about articles that nothing was trained
// on. It skips the test where the shared data is not there.
func sharedSquad(tb testing.TB, analyzer answer.Analyzer) *squadCollection {
	tb.Helper()
	c, err := load(filepath.Join("..", "..", "..", "..", "shared", "data", "eval", "squad"), analyzer)
	if errors.Is(err, fs.ErrNotExist) {
		tb.Skipf("needs the shared data: %v", err)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return c
}
