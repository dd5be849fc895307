package queries

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"dowse/engine"
	"dowse/internal/atomicfile"
	"dowse/internal/home"
	"dowse/models"
)

// Most is how many queries are kept beside the saved ones.
const Most = 500

// A change takes some milliseconds; a process that was stopped in one is not waited
// for longer.
const patience, pause = 2 * time.Second, 5 * time.Millisecond

// Kept is the file of a folder.
type Kept struct{ path string }

// In returns what is kept in a folder, which need not exist yet.
func In(dir string) *Kept { return &Kept{path: filepath.Join(dir, "queries.json")} }

// Load returns what is kept; nothing where there is no file.
func (k *Kept) Load() (engine.KeptQueries, error) {
	var all engine.KeptQueries
	data, err := os.ReadFile(k.path)
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &all)
	}
	if err != nil {
		return engine.KeptQueries{}, fmt.Errorf("kept queries cannot be read: %w; dowse forget-answers --contexts removes %s", err, k.path)
	}
	return all, nil
}

// Ask keeps queries as the newest.
func (k *Kept) Ask(queries ...string) error {
	return k.change(func(all *engine.KeptQueries) {
		for _, q := range queries {
			all.Asked = append(slices.DeleteFunc(all.Asked, func(old string) bool { return old == q }), q)
		}
		all.Asked = all.Asked[max(len(all.Asked)-Most, 0):]
	})
}

// Save keeps a query under a name, in the place of the one that had it; "" removes
// the name.
func (k *Kept) Save(name, query string) error {
	return k.change(func(all *engine.KeptQueries) { all.Save(engine.SavedQuery{Name: name, Query: query}) })
}

// lock keeps other processes from the file, which are waited for a while. In one
// process a lock keeps out others too, since each is of a file opened anew.
func (k *Kept) lock() (unlock func(), err error) {
	if err := home.MakePrivate(filepath.Dir(k.path)); err != nil {
		return nil, err
	}
	path := filepath.Join(filepath.Dir(k.path), "queries.lock")
	free, err := models.Lock(context.Background(), path, patience, pause)
	if err != nil {
		return nil, fmt.Errorf("kept queries: %w", err)
	}
	return func() { _ = free() }, nil
}

func (k *Kept) change(apply func(*engine.KeptQueries)) error {
	unlock, err := k.lock()
	if err != nil {
		return err
	}
	defer unlock()
	all, err := k.Load()
	if err != nil {
		return err
	}
	apply(&all)
	data, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(k.path, append(data, '\n'), 0o600)
}

// Forget removes all, and returns how many queries were kept and saved.
func (k *Kept) Forget() (n int, err error) {
	unlock, err := k.lock()
	if err != nil {
		return 0, err
	}
	defer unlock()
	all, _ := k.Load() // one that is damaged goes too
	err = os.Remove(k.path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	return len(all.Asked) + len(all.Saved), err
}
