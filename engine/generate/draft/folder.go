package draft

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Kept counts the past answers of a folder.
type Kept struct {
	Models  int // that have any
	Answers int
	Tokens  int
	Bytes   int64 // of the files
}

// EraseFolder removes the past answers of every model from a folder that no
// History is open on, and returns what there was. A folder that does not exist has
// none. Logs that cannot be read are removed as well. What a file system keeps of
// removed files is its own affair.
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

// count adds the answers of a log.
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
