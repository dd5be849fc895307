package indexbench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"dowse/internal/eval"
)

// The files of a collection in BEIR layout.
const (
	corpusFile   = "corpus.jsonl"
	queriesFile  = "queries.jsonl"
	gradesFolder = "qrels"
)

// readDocuments calls f with the text of every document of a corpus.jsonl.
func readDocuments(path string, f func(text string)) error {
	return readRecords(path, func(line []byte) error {
		var d eval.Document
		if err := json.Unmarshal(line, &d); err != nil {
			return err
		}
		f(d.Passage())
		return nil
	})
}

// readQuestions returns the texts of a queries.jsonl.
func readQuestions(path string) ([]string, error) {
	var questions []string
	err := readRecords(path, func(line []byte) error {
		var q eval.Query
		if err := json.Unmarshal(line, &q); err != nil {
			return err
		}
		if q.Text != "" {
			questions = append(questions, q.Text)
		}
		return nil
	})
	return questions, err
}

// readRecords calls f with every line that is not blank.
func readRecords(path string, f func(line []byte) error) (err error) {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("read a collection: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	in := bufio.NewReaderSize(file, 1<<20)
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			if err := f(line); err != nil {
				return fmt.Errorf("%s line %d: %w", path, n, err)
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", path, err)
		}
	}
}
