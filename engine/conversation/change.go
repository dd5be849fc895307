package conversation

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"dowse/engine"
	"dowse/internal/atomicfile"
	"dowse/internal/home"
	"dowse/models"
)

// Prefixes of conversation folders being created and erased.
const (
	coming = ".new-"
	going  = ".gone-"
)

const (
	// lockPatience is how long to wait for another process's change, which takes milliseconds.
	lockPatience = 5 * time.Second
	lockPause    = 5 * time.Millisecond
)

// lock locks the folder, creating it if need be, and finishes what a kill left half done.
func (f *Folder) lock(ctx context.Context) (unlock func() error, err error) {
	if err := home.MakePrivate(f.path); err != nil {
		return nil, err
	}
	unlock, err = models.Lock(ctx, filepath.Join(f.path, "lock"), lockPatience, lockPause)
	switch {
	case errors.Is(err, models.ErrLocked):
		return nil, errors.New("another dowse is changing conversations and does not end; end it and try again")
	case err != nil && ctx.Err() == nil:
		return nil, fmt.Errorf("conversations cannot be changed: %w", err)
	case err != nil:
		return nil, err
	}
	f.sweep()
	return unlock, nil
}

// change calls fn under the lock.
func (f *Folder) change(ctx context.Context, fn func() error) error {
	unlock, err := f.lock(ctx)
	if err != nil {
		return err
	}
	return errors.Join(fn(), unlock())
}

// sweep removes conversations that were being created or erased when a process was killed. A
// failure is retried by the next change.
func (f *Folder) sweep() {
	entries, _ := os.ReadDir(f.path)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), coming) || strings.HasPrefix(e.Name(), going) {
			_ = erase(filepath.Join(f.path, e.Name()))
		}
	}
}

// Begin returns the conversation of a name with its turns, to continue it, or a new one, which
// has an ID and a zero Created and is stored with its first turn.
func (f *Folder) Begin(name string) (*engine.Conversation, error) {
	clean, err := CleanName(name)
	if err != nil {
		return nil, err
	}
	c, err := f.get(clean)
	if errors.Is(err, engine.ErrNoConversation) {
		return &engine.Conversation{ID: newID(), Name: clean}, nil
	}
	return c, err
}

func newID() string {
	var raw [idBytes]byte
	_, _ = rand.Read(raw[:]) // never fails
	return hex.EncodeToString(raw[:])
}

// Keep adds a turn to a conversation of Begin. It fails if that was deleted meanwhile, and uses
// the new name if it was renamed. The result's Problem says what a kill cut off.
func (f *Folder) Keep(ctx context.Context, c *engine.Conversation, turn engine.Turn) (use *engine.ContextUse, err error) {
	err = f.change(ctx, func() error {
		id := c.ID
		if c.Created.IsZero() {
			found, err := f.find(c.Name) // another process may have begun it meanwhile
			if errors.Is(err, engine.ErrNoConversation) {
				use, err = f.create(c, turn)
				return err
			}
			if err != nil {
				return err
			}
			id = found.ID
		}
		use, err = f.add(id, turn)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		_, unforgotten := f.keys.Forget(ctx, c.ID) // those of this question
		return nil, errors.Join(fmt.Errorf("%w %q any more: it was deleted meanwhile", engine.ErrNoConversation, c.Name), unforgotten)
	}
	if err != nil {
		return nil, err
	}
	return use, nil
}

// Abandon drops a conversation of Begin without turns.
func (f *Folder) Abandon(ctx context.Context, c *engine.Conversation) error {
	if !c.Created.IsZero() {
		return nil
	}
	_, err := f.keys.Forget(ctx, c.ID)
	return err
}

// KeepTurn implements engine.Conversations.
func (f *Folder) KeepTurn(ctx context.Context, name string, turn engine.Turn) (*engine.ContextUse, error) {
	c, err := f.Begin(name)
	if err != nil {
		return nil, err
	}
	if turn.When.IsZero() {
		turn.When = time.Now().UTC()
	}
	return f.Keep(ctx, c, turn)
}

// create stores a conversation with its first turn.
func (f *Folder) create(c *engine.Conversation, turn engine.Turn) (*engine.ContextUse, error) {
	number(nil, &turn)
	data := []byte(header)
	for _, r := range []record{{Name: c.Name, When: turn.When}, {Turn: &turn}} {
		line, err := encode(r)
		if err != nil {
			return nil, err
		}
		data = append(data, line...)
	}
	folder := filepath.Join(f.path, coming+c.ID)
	if err := os.Mkdir(folder, 0o700); err != nil {
		return nil, err
	}
	if err := atomicfile.WriteFile(filepath.Join(folder, logName), data, 0o600); err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	if err := atomicfile.Rename(folder, filepath.Join(f.path, c.ID)); err != nil {
		return nil, err
	}
	return &engine.ContextUse{Name: c.Name, Turn: 1, Standalone: turn.Standalone, Kept: true}, nil
}

func (f *Folder) add(id string, turn engine.Turn) (*engine.ContextUse, error) {
	said, err := f.repaired(id)
	if err != nil {
		return nil, err
	}
	number(said.turns, &turn)
	if err := f.append(id, record{Turn: &turn}); err != nil {
		return nil, err
	}
	use := &engine.ContextUse{Name: said.name, Turn: len(said.turns) + 1, Standalone: turn.Standalone, Kept: true}
	if use.Name == "" {
		use.Name = nameless(id)
	}
	if said.torn {
		use.Problem = "the end of the conversation was incomplete, since dowse was ended while it wrote; what was there is left out"
	}
	return use, nil
}

// number numbers the passages of a turn within the conversation.
func number(earlier []engine.Turn, turn *engine.Turn) {
	turn.Passages = append([]engine.TurnPassage{}, turn.Passages...)
	for i, n := range engine.NumberPassages(earlier, turn.Passages) {
		turn.Passages[i].N = n
	}
}

// repaired reads a log and cuts off a torn end.
func (f *Folder) repaired(id string) (*content, error) {
	said, _, err := f.content(id)
	if err == nil && said.torn {
		err = os.Truncate(f.logPath(id), int64(said.whole))
	}
	return said, err
}

// append durably appends a record to a log. An incomplete write is cut off.
func (f *Folder) append(id string, r record) (err error) {
	line, err := encode(r)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(f.logPath(id), os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if _, err = file.Write(line); err == nil {
		err = file.Sync()
	}
	if err != nil {
		return errors.Join(err, file.Truncate(info.Size()))
	}
	return nil
}

// RenameConversation implements engine.Conversations. No two have the same name.
func (f *Folder) RenameConversation(ctx context.Context, name, to string) error {
	to, err := CleanName(to)
	if err != nil {
		return err
	}
	return f.change(ctx, func() error {
		c, err := f.find(name)
		if err != nil {
			return err
		}
		other, err := f.find(to)
		switch {
		case err == nil && other.ID != c.ID:
			return fmt.Errorf("%w: another conversation is called %q; choose another name, or delete that one", engine.ErrConversationName, to)
		case err == nil:
			return nil // it is this one's
		case !errors.Is(err, engine.ErrNoConversation):
			return err
		}
		if _, err := f.repaired(c.ID); err != nil {
			return fmt.Errorf("the conversation %q cannot be renamed: %w", c.Name, err)
		}
		return f.append(c.ID, record{Name: to, When: time.Now().UTC()})
	})
}

// DeleteConversation implements engine.Conversations. It erases keys and values before the text,
// so that after an error the conversation can be deleted again.
func (f *Folder) DeleteConversation(ctx context.Context, name string) (*engine.DeletedConversation, error) {
	c, err := f.find(name)
	if err != nil {
		return nil, err
	}
	bytes, err := f.keys.Forget(ctx, c.ID) // may wait for an answer, so not under the lock
	if err != nil {
		return nil, fmt.Errorf("the keys and values of %q cannot be erased: %w", c.Name, err)
	}
	err = f.change(ctx, func() error {
		gone := filepath.Join(f.path, going+c.ID)
		if err := atomicfile.Rename(filepath.Join(f.path, c.ID), gone); err != nil {
			return err
		}
		f.mu.Lock()
		delete(f.known, c.ID)
		f.mu.Unlock()
		return erase(gone)
	})
	if err != nil {
		return nil, fmt.Errorf("the conversation %q cannot be erased: %w", c.Name, err)
	}
	return &engine.DeletedConversation{Name: c.Name, Questions: c.Count, Bytes: bytes + c.Text}, nil
}

// erase overwrites the files of a folder and removes it. File systems may still keep blocks.
func erase(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if err := overwrite(filepath.Join(folder, e.Name()), info.Size()); err != nil {
			return err
		}
	}
	return os.RemoveAll(folder)
}

// overwrite durably fills a file with zeros.
func overwrite(path string, size int64) (err error) {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	zeros := bytes.Repeat([]byte{0}, 64<<10)
	for at := int64(0); at < size; at += int64(len(zeros)) {
		if _, err := file.WriteAt(zeros[:min(int64(len(zeros)), size-at)], at); err != nil {
			return err
		}
	}
	return file.Sync()
}
