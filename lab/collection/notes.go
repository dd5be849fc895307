package collection

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
)

// NoteQuestion is a question about a folder of notes, and what is known of its
// answer.
type NoteQuestion struct {
	Text   string   `json:"question"`
	Kind   string   `json:"kind"`   // such as number, cause, howto
	Path   string   `json:"path"`   // of the note that answers, relative to the notes; "" for none
	About  string   `json:"about"`  // the note that looks as if it answered, where nothing does; may be empty
	Quotes []string `json:"quotes"` // stretches of the note that together answer, but for white space
	Short  string   `json:"short"`  // the shortest stretch that answers; may be empty
	Answer string   `json:"answer"` // a good one
	Must   []string `json:"must"`   // regular expressions that all match a right answer; may be empty

	Answerable bool `json:"-"` // the notes hold an answer
}

// maxQuestionLine bounds a line of a file of questions, in bytes.
const maxQuestionLine = 1 << 20

// ReadNoteQuestions reads a file with a question on each line. One is answerable
// where it says so, and otherwise where it names the note that answers.
func ReadNoteQuestions(path string) (questions []NoteQuestion, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // only read from
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, maxQuestionLine)
	line := 1
	for ; scanner.Scan(); line++ {
		if len(bytes.TrimSpace(scanner.Bytes())) == 0 {
			continue
		}
		var row struct {
			NoteQuestion
			Answerable *bool `json:"answerable"`
		}
		if err := json.Unmarshal(scanner.Bytes(), &row); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", path, line, err)
		}
		q := row.NoteQuestion
		if q.Text == "" {
			return nil, fmt.Errorf("%s, line %d: there is no question; each line is a JSON object with the key \"question\"", path, line)
		}
		q.Answerable = q.Path != ""
		if row.Answerable != nil {
			q.Answerable = *row.Answerable
		}
		if !q.Answerable {
			q.Path = "" // that of the note which it is about
		}
		questions = append(questions, q)
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("%s, line %d: %w", path, line, err)
	}
	if len(questions) == 0 {
		return nil, fmt.Errorf("%s holds no questions", path)
	}
	return questions, nil
}
