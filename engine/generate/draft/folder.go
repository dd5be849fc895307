package draft

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Kept counts a folder's past answers.
type Kept struct {
	Models  int // with answers
	Answers int
	Tokens  int
	Bytes   int64 // of files
}

// EraseFolder removes the past answers of all models from a folder without an
// open History, including unreadable logs, and counts them. File systems may
// keep removed bytes.
func EraseFolder(folder string) (Kept, error) {
	var kept Kept
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return kept, nil
	}
	if err != nil {
		return kept, fmt.Errorf("history of answers: %w", err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), logSuffix) && !strings.HasSuffix(e.Name(), ".new") { // half written
			continue
		}
		path := filepath.Join(folder, e.Name())
		data, err := os.ReadFile(path)
		if err == nil {
			err = os.Remove(path)
		}
		if err != nil {
			return kept, fmt.Errorf("history of answers: %w", err)
		}
		kept.count(data)
	}
	return kept, nil
}

func (k *Kept) count(data []byte) {
	k.Bytes += int64(len(data))
	answers, _ := readAnswers(data)
	if len(answers) > 0 {
		k.Models++
	}
	k.Answers += len(answers)
	for _, a := range answers {
		k.Tokens += len(a.tokens)
	}
}
