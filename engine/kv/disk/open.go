package disk

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dowse/internal/home"
	"dowse/models"
)

// repairs counts what Open mended.
type repairs struct {
	otherModel int // removed logs of another model or version, or invalid ones
	cut        int // logs with an incomplete record at the end
	dropped    int // chunks without owner or bytes
}

const (
	lockName    = "lock"
	slotsPrefix = "slots-"
	slotsSuffix = ".dat"
	indexSuffix = ".idx"
)

// Open opens or creates the folder and locks it; ErrInUse if another process has it.
func Open(o Options) (*Disk, error) {
	if err := o.Layout.check(); err != nil {
		return nil, err
	}
	m := meta{Format: formatVersion, Model: o.Model, Layout: o.Layout}
	return open(o.Folder, o, func() (meta, error) { return m, nil })
}

// OpenAsLeft opens a folder for the model that it was last opened for, to list, delete and
// check without the model; ErrNothing if there is nothing.
func OpenAsLeft(folder string) (*Disk, error) {
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", folder, ErrNothing)
	}
	return open(folder, Options{}, func() (meta, error) {
		m, err := readMeta(folder)
		if errors.Is(err, fs.ErrNotExist) {
			err = ErrNothing
		}
		return m, err
	})
}

// open locks the folder and then asks for its meta.
func open(folder string, o Options, of func() (meta, error)) (*Disk, error) {
	if err := home.MakePrivate(folder); err != nil {
		return nil, err
	}
	unlock, held, err := models.TryLock(filepath.Join(folder, lockName))
	if err != nil {
		return nil, fmt.Errorf("conversations: %w", full(err))
	}
	if !held {
		return nil, fmt.Errorf("%s: %w", folder, ErrInUse)
	}
	d := &Disk{
		folder: folder, quota: o.Quota, unlock: unlock,
		reads: newThrottle(o.ReadRate), writes: newThrottle(o.WriteRate),
		conversations: map[string]*conversation{}, chunks: map[ChunkID]*chunk{},
	}
	m, err := of()
	if err == nil {
		err = d.load(m)
	}
	if err != nil {
		if d.file != nil {
			err = errors.Join(err, d.file.Close())
		}
		return nil, errors.Join(fmt.Errorf("conversations in %s: %w", folder, err), unlock())
	}
	return d, nil
}

// load reads the folder. Files of other models are removed first, so that a later Open
// finishes that after a crash.
func (d *Disk) load(m meta) (err error) {
	if d.key, err = m.key(); err != nil {
		return err
	}
	d.layout = m.Layout
	if err := d.loadLogs(); err != nil {
		return err
	}
	if err := writeMeta(d.folder, m); err != nil {
		return full(err)
	}
	return d.loadSlots()
}

// slotsName returns the name of the slot files, without extension.
func (d *Disk) slotsName() string { return slotsPrefix + hex.EncodeToString(d.key[:8]) }

// loadLogs reads the logs of conversations and removes files of other models and unfinished
// ones.
func (d *Disk) loadLogs() error {
	entries, err := os.ReadDir(d.folder)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		name := entry.Name()
		path := filepath.Join(d.folder, name)
		unfinished := strings.HasPrefix(name, ".") && strings.HasSuffix(name, ".new")
		othersSlots := strings.HasPrefix(name, slotsPrefix) && strings.TrimSuffix(strings.TrimSuffix(name, slotsSuffix), indexSuffix) != d.slotsName()
		switch {
		case unfinished, othersSlots:
			err = os.Remove(path)
		case strings.HasSuffix(name, logSuffix):
			err = d.loadLog(path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// loadLog reads a log, or removes it if it is of another model.
func (d *Disk) loadLog(path string) error {
	conv, cut, ok, err := openConversation(path, d.key, &d.layout)
	if err != nil {
		return err
	}
	if !ok {
		d.repairs.otherModel++
		return os.Remove(path)
	}
	if cut {
		d.repairs.cut++
	}
	d.conversations[conv.name] = conv
	for position, o := range conv.chunks {
		d.own(o.ID, owner{conv, position})
	}
	return nil
}

// own makes a place of a conversation an owner of a chunk, which it returns.
func (d *Disk) own(id ChunkID, o owner) *chunk {
	c := d.chunks[id]
	if c == nil {
		c = &chunk{}
		d.chunks[id] = c
	}
	if !slices.Contains(c.owners, o) {
		c.owners = append(c.owners, o)
	}
	return c
}

// loadSlots opens the slots and frees those without owner. It erases all pages that are not
// in use, where a crash may have left bytes being written, lowered or deleted.
func (d *Disk) loadSlots() (err error) {
	base := filepath.Join(d.folder, d.slotsName())
	if d.file, err = os.OpenFile(base+slotsSuffix, os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return full(err)
	}
	info, err := d.file.Stat()
	if err != nil {
		return err
	}
	slots, err := d.loadIndex(base + indexSuffix)
	if err != nil {
		return err
	}
	for _, id := range byPage(slots) {
		s := slots[id]
		c, behind := d.chunks[id], s.page*pageBytes+int64(d.layout.Bytes(s.level)) > info.Size()
		if c == nil || behind || s.page < d.space.end {
			d.pending = appendFree(d.pending, id)
			d.repairs.dropped++
			continue
		}
		c.slot = s
		d.space.use(s.extent)
	}
	for _, gap := range d.space.free {
		if err := scrub(d.file, gap); err != nil {
			return full(err)
		}
	}
	if info.Size() > d.space.end*pageBytes {
		if err := d.file.Truncate(d.space.end * pageBytes); err != nil {
			return err
		}
	}
	// Records that a full disk has no room for are written with the next ones.
	if len(d.pending) > 0 {
		if err := d.rewrite(); err != nil && !errors.Is(err, ErrFull) {
			return err
		}
	}
	_, err = d.fit(nil, nil) // the quota may have shrunk
	return err
}

// loadIndex reads the index of slots, cuts off an incomplete end, and rewrites an index that
// is mostly superseded.
func (d *Disk) loadIndex(path string) (map[ChunkID]slot, error) {
	slots, whole, err := readIndexFile(path, d.key, &d.layout)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if whole == 0 {
		d.index, err = createLog(path, appendIndexHeader(nil, d.key))
		return nil, err
	}
	d.index = log{path: path, size: int64(whole)}
	if err := d.index.cut(); err != nil {
		return nil, err
	}
	if short := encodeIndex(d.key, slots); whole > wasted*len(short)+pageBytes {
		// A full disk keeps the long one, which is as good.
		if l, err := createLog(path, short); err == nil {
			d.index = l
		}
	}
	return slots, nil
}

func readIndexFile(path string, key ChunkID, layout *Layout) (map[ChunkID]slot, int, error) {
	data, err := os.ReadFile(path)
	slots, whole := readIndex(data, key, layout)
	return slots, whole, err
}

// readIndex returns the slots of an index and how many bytes of it are valid, 0 if it is of
// another model or no index.
func readIndex(data []byte, key ChunkID, layout *Layout) (slots map[ChunkID]slot, whole int) {
	slots = map[ChunkID]slot{}
	headed := false
	whole = replay(data, func(payload []byte) bool {
		switch kind := payload[0]; {
		case !headed:
			headed = kind == kindIndex && string(payload[1:]) == string(key[:])
			return headed
		case kind == kindFree && len(payload) == 1+len(key):
			delete(slots, ChunkID(payload[1:]))
			return true
		case kind == kindSlot:
			id, s, err := layout.decodeSlot(payload)
			if err == nil {
				slots[id] = s
			}
			return err == nil
		}
		return false
	})
	return slots, whole
}

// byPage returns the ids of slots in the order of the file.
func byPage(slots map[ChunkID]slot) []ChunkID {
	return slices.SortedFunc(maps.Keys(slots), func(a, b ChunkID) int { return cmp.Compare(slots[a].page, slots[b].page) })
}

// encodeIndex returns the records of the shortest index with these slots.
func encodeIndex(key ChunkID, slots map[ChunkID]slot) []byte {
	b := appendIndexHeader(nil, key)
	for _, id := range byPage(slots) {
		b = appendSlot(b, id, slots[id])
	}
	return b
}
