package trial

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"

	"dowse/internal/eval"
)

// maxQuestionLine bounds a line of a file of questions, in bytes.
const maxQuestionLine = 1 << 20

// readQuestions reads the questions of a folder that a note answers, with that note as the
// only relevant one, and returns where the notes lie.
func readQuestions(folder string) (queries []eval.Query, notes string, err error) {
	file := filepath.Join(folder, QuestionsFile)
	f, err := os.Open(file)
	if err != nil {
		return nil, "", err
	}
	defer f.Close() //nolint:errcheck // only read from
	if notes, err = NotesOf(folder); err != nil {
		return nil, "", err
	}
	scanner := bufio.NewScanner(f)
	scanner.Buffer(nil, maxQuestionLine)
	line, asked := 1, 0
	for ; scanner.Scan(); line++ {
		if len(bytes.TrimSpace(scanner.Bytes())) == 0 {
			continue
		}
		row := struct {
			Question, Path string
			Answerable     *bool // false of a note that a question is only about
		}{}
		if err := json.Unmarshal(scanner.Bytes(), &row); err != nil {
			return nil, "", fmt.Errorf("%s, line %d: %w", file, line, err)
		}
		if row.Question == "" {
			return nil, "", fmt.Errorf("%s, line %d: there is no question; each line is a JSON object with the key \"question\"", file, line)
		}
		asked++
		if row.Path == "" || row.Answerable != nil && !*row.Answerable {
			continue
		}
		note := path.Clean(row.Path)
		info, err := os.Stat(filepath.Join(notes, filepath.FromSlash(note)))
		if !filepath.IsLocal(filepath.FromSlash(note)) || err != nil || !info.Mode().IsRegular() {
			// It would count as one that was not found.
			return nil, "", fmt.Errorf("%s: the note %q of the question %q is no file of %s", file, note, row.Question, notes)
		}
		queries = append(queries, eval.Query{ID: strconv.Itoa(asked), Text: row.Question, Grades: map[string]int{note: 1}})
	}
	switch err := scanner.Err(); {
	case err != nil:
		return nil, "", fmt.Errorf("%s, line %d: %w", file, line, err)
	case asked == 0:
		return nil, "", fmt.Errorf("%s holds no questions", file)
	case len(queries) == 0:
		return nil, "", fmt.Errorf("no question of %s names the note that answers it", file)
	}
	return queries, notes, nil
}
