package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"dowse/internal/atomicfile"
)

// UseModel writes the choice of embedder into the file at path and leaves all else in it as it is.
func UseModel(path, model string) error { return use(path, "model", model) }

// UseReranker is UseModel for the reranker.
func UseReranker(path, model string) error { return use(path, "rerank.model", model) }

// UseAnswerer is UseModel for the answerer. FromEndpoint is refused where the
// file names no server.
func UseAnswerer(path, model string) error { return use(path, "answer.model", model) }

func use(path, key, value string) error {
	return change(path, func(file) ([]assignment, error) { return []assignment{{splitKey(key), value}}, nil })
}

// change writes assignments into the file at path, comments and all else as they were. The result has to be right as
// a whole.
func change(path string, of func(file) ([]assignment, error)) error {
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("cannot read the settings: %w", err)
	}
	f, problems := decode(data)
	if len(problems) > 0 { // where they stand is not sure
		return &Wrong{Path: path, Problems: problems}
	}
	assignments, err := of(f)
	if err != nil {
		return err
	}
	for _, a := range assignments {
		if data, err = assign(data, a); err != nil {
			return err
		}
	}
	return Write(path, data)
}

// Write puts text in the place of the file at path, if it is right as a whole.
func Write(path string, text []byte) error {
	if problems := Check(text); len(problems) > 0 {
		return &Wrong{Path: path, Problems: problems}
	}
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = atomicfile.WriteFile(path, text, 0o600)
	}
	if err != nil {
		return fmt.Errorf("cannot write the settings: %w", err)
	}
	return nil
}

// Check returns what is wrong with the text of a file of settings, each problem with its place.
func Check(text []byte) (problems []error) {
	f, problems := decode(text)
	c := Default()
	for _, err := range c.apply(f) {
		problems = append(problems, fmt.Errorf("%s%w", place(text, err.Error()), err))
	}
	return problems
}
