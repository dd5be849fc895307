package generatebench

import (
	"encoding/json"
	"errors"
	"os"
)

// Written is a line of the file of prompts and answers: what another program
// needs to do the same work and be timed on it.
type Written struct {
	Set    string  `json:"set"`
	Prompt []int32 `json:"prompt"` // tokens
	Answer []int32 `json:"answer"` // tokens, written greedily
}

// writer writes lines to a file, or nothing where there is none.
type writer struct {
	file *os.File
	json *json.Encoder
}

func newWriter(path string) (*writer, error) {
	if path == "" {
		return &writer{}, nil
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	return &writer{file: f, json: json.NewEncoder(f)}, nil
}

func (w *writer) add(line Written) error {
	if w.file == nil {
		return nil
	}
	return w.json.Encode(line)
}

func (w *writer) close() error {
	if w.file == nil {
		return nil
	}
	return errors.Join(w.file.Sync(), w.file.Close())
}
