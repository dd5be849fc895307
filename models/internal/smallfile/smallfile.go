package smallfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// What the files of a model may have at most. The largest tokenizer.json in use
// has 33 MB.
const (
	Tokenizer = 64 << 20
	Index     = 16 << 20 // of tensors, by shards
	Settings  = 16 << 20 // config.json and its like
	Job       = 1 << 20  // job.json and dowse.json
)

// Read returns what a regular file holds. A file of more than limit bytes is an
// error, before anything is read.
func Read(path string, limit int64) (data []byte, err error) {
	info, err := os.Stat(path) // first: to open a named pipe would wait for its other end
	if err != nil {
		return nil, err
	}
	name := filepath.Base(path)
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", name)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if info.Size() <= limit {
		data, err = io.ReadAll(io.LimitReader(f, limit+1))
	}
	if err == nil && (info.Size() > limit || int64(len(data)) > limit) {
		return nil, fmt.Errorf("%s has more than the %d bytes that such a file may have", name, limit)
	}
	return data, err
}
