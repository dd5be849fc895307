package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"sync"
	"time"

	"dowse/engine"
	"dowse/engine/conversation"
	"dowse/engine/kv"
	"dowse/engine/kv/disk"
)

// keptKeys are the keys and values of conversations as they lie on the disk, where no
// model has them open: the folder is opened for the moment in which something is asked.
type keptKeys struct {
	folder string

	mu   sync.Mutex // guards what follows
	seen map[string]stamp
	each map[string]engine.KeysUse
	all  engine.KeysUse
}

var _ conversation.Keys = (*keptKeys)(nil)

// stamp tells whether a file changed.
type stamp struct {
	size    int64
	changed time.Time
}

// Use implements conversation.Keys. It is empty while another process has the folder.
func (k *keptKeys) Use() (map[string]engine.KeysUse, engine.KeysUse) {
	k.mu.Lock()
	defer k.mu.Unlock()
	seen, err := stampsOf(k.folder)
	if err != nil || len(seen) == 0 {
		return nil, engine.KeysUse{}
	}
	if k.seen == nil || !maps.Equal(seen, k.seen) {
		d, err := disk.OpenAsLeft(k.folder)
		if err != nil {
			return nil, engine.KeysUse{}
		}
		k.each, k.all = useOf(d)
		k.seen = nil
		if d.Close() == nil {
			k.seen, _ = stampsOf(k.folder) // opening may have mended something
		}
	}
	return k.each, k.all
}

// stampsOf are those of the files in a folder.
func stampsOf(folder string) (map[string]stamp, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	stamps := map[string]stamp{}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return nil, err
		}
		stamps[e.Name()] = stamp{info.Size(), info.ModTime()}
	}
	return stamps, nil
}

// useOf says what the conversations on a disk take there.
func useOf(d *disk.Disk) (each map[string]engine.KeysUse, all engine.KeysUse) {
	each = map[string]engine.KeysUse{}
	layout, total := d.Layout(), map[kv.Level]int{}
	for _, c := range d.Conversations() {
		levels := map[kv.Level]int{}
		for _, o := range d.Chunks(c.Name) {
			levels[o.Level]++
			total[o.Level]++
		}
		each[c.Name] = engine.KeysUse{Tokens: c.Tokens, Disk: c.Bytes, Levels: levelsOf(levels, &layout)}
		all.Tokens += c.Tokens
	}
	all.Disk, all.Levels = d.Bytes(), levelsOf(total, &layout)
	return each, all
}

// levelsOf lists counts of chunks by level, the one of most bits first.
func levelsOf(chunks map[kv.Level]int, layout *disk.Layout) []engine.LevelUse {
	var list []engine.LevelUse
	for _, level := range []kv.Level{kv.Level8, kv.Level4, kv.Level2} {
		if n := chunks[level]; n > 0 {
			list = append(list, engine.LevelUse{Bits: int(level), Chunks: n, Bytes: int64(n) * int64(layout.Bytes(level))})
		}
	}
	return list
}

// Focus implements conversation.Keys: there is no model to load anything for.
func (k *keptKeys) Focus(string) {}

const (
	// keysPatience is how long another process that looks at the folder is waited for.
	keysPatience = 3 * time.Second
	keysPause    = 20 * time.Millisecond
)

// Forget implements conversation.Keys.
func (k *keptKeys) Forget(ctx context.Context, id string) (int64, error) {
	for deadline := time.Now().Add(keysPatience); ; {
		bytes, err := forget(k.folder, id)
		switch {
		case errors.Is(err, disk.ErrNothing), errors.Is(err, fs.ErrNotExist):
			return 0, nil
		case !errors.Is(err, disk.ErrInUse):
			return bytes, err
		case time.Now().After(deadline):
			return 0, fmt.Errorf("%w; wait until that has answered, or end it, and try again", err)
		}
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-time.After(keysPause):
		}
	}
}

// forget erases what a folder holds of a conversation.
func forget(folder, id string) (bytes int64, err error) {
	d, err := disk.OpenAsLeft(folder)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	for _, c := range d.Conversations() {
		if c.Name == id {
			return c.Bytes, d.Delete(id)
		}
	}
	return 0, nil
}
