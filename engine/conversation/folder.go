package conversation

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"dowse/engine"
)

// Folder stores conversations. It is safe for concurrent use.
type Folder struct {
	path string
	keys Keys

	mu    sync.Mutex // guards known
	known map[string]summary
}

// summary is a conversation without turns, valid while its log is unchanged.
type summary struct {
	size    int64
	changed time.Time
	engine.Conversation
}

// logName is the log in a conversation's folder.
const logName = "turns.log"

var _ engine.Conversations = (*Folder)(nil)

// Open returns the conversations of a folder, which is created when there is something to keep.
func Open(path string, keys Keys) *Folder {
	return &Folder{path: path, keys: keys, known: map[string]summary{}}
}

// Conversations implements engine.Conversations.
func (f *Folder) Conversations(context.Context) ([]engine.Conversation, error) {
	list, err := f.list()
	if err != nil {
		return nil, err
	}
	for i := range list {
		list[i].Keys = f.keys.Use(list[i].ID)
	}
	return list, nil
}

// Status sums up all conversations.
func (f *Folder) Status() (*engine.ConversationsStatus, error) {
	list, err := f.list()
	if err != nil {
		return nil, err
	}
	status := &engine.ConversationsStatus{Count: len(list), Keys: f.keys.Total()}
	for _, c := range list {
		status.Questions += c.Count
		status.Text += c.Text
	}
	return status, nil
}

// IDs returns the IDs of all conversations.
func (f *Folder) IDs() ([]string, error) {
	entries, err := os.ReadDir(f.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("conversations cannot be read: %w", err)
	}
	var ids []string
	for _, e := range entries {
		if e.IsDir() && isID(e.Name()) {
			ids = append(ids, e.Name())
		}
	}
	return ids, nil
}

const idBytes = 16

func isID(name string) bool {
	raw, err := hex.DecodeString(name)
	return err == nil && len(raw) == idBytes
}

func (f *Folder) logPath(id string) string { return filepath.Join(f.path, id, logName) }

// list returns all conversations without turns and keys, the latest first.
func (f *Folder) list() ([]engine.Conversation, error) {
	ids, err := f.IDs()
	if err != nil {
		return nil, err
	}
	var list []engine.Conversation
	for _, id := range ids {
		c, err := f.summary(id)
		switch {
		case errors.Is(err, fs.ErrNotExist): // deleted just now
		case err != nil:
			list = append(list, f.unreadable(id, err))
		default:
			list = append(list, *c)
		}
	}
	slices.SortFunc(list, func(a, b engine.Conversation) int {
		return cmp.Or(b.Updated.Compare(a.Updated), cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	return list, nil
}

// summary returns a conversation without its turns.
func (f *Folder) summary(id string) (*engine.Conversation, error) {
	info, err := os.Stat(f.logPath(id))
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	s, ok := f.known[id]
	f.mu.Unlock()
	if ok && s.size == info.Size() && s.changed.Equal(info.ModTime()) {
		return &s.Conversation, nil
	}
	c, err := f.read(id)
	if err != nil {
		return nil, err
	}
	c.Turns = nil
	f.mu.Lock()
	f.known[id] = summary{size: info.Size(), changed: info.ModTime(), Conversation: *c}
	f.mu.Unlock()
	return c, nil
}

// read reads a conversation without its keys.
func (f *Folder) read(id string) (*engine.Conversation, error) {
	said, size, err := f.content(id)
	if err != nil {
		return nil, err
	}
	c := &engine.Conversation{
		ID: id, Name: said.name, Count: len(said.turns), Turns: said.turns, Text: size,
		Created: said.created, Updated: said.updated(), Problem: said.problem(),
	}
	if c.Name == "" {
		c.Name = nameless(id)
	}
	if c.Count > 0 {
		c.First = said.turns[0].Question
	}
	return c, nil
}

// content reads a log and its size.
func (f *Folder) content(id string) (said *content, size int64, err error) {
	data, err := os.ReadFile(f.logPath(id))
	if err != nil {
		return nil, 0, err
	}
	said, err = parse(data)
	return said, int64(len(data)), err
}

// problem describes damage.
func (c *content) problem() string {
	switch {
	case c.name == "":
		return "the record of its name is damaged; dowse contexts rename gives it one"
	case c.damaged == 1:
		return "one record of it is damaged and left out"
	case c.damaged > 1:
		return fmt.Sprintf("%d records of it are damaged and left out", c.damaged)
	}
	return ""
}

// nameless is the name of a conversation whose name is damaged.
func nameless(id string) string { return "nameless " + id[:8] }

// unreadable is the list entry of a conversation that cannot be read.
func (f *Folder) unreadable(id string, err error) engine.Conversation {
	c := engine.Conversation{ID: id, Name: nameless(id), Problem: fmt.Sprintf("it cannot be read: %v", err)}
	if info, err := os.Stat(f.logPath(id)); err == nil {
		c.Text, c.Updated, c.Created = info.Size(), info.ModTime(), info.ModTime()
	}
	return c
}

// Conversation implements engine.Conversations.
func (f *Folder) Conversation(_ context.Context, name string) (*engine.Conversation, error) {
	c, err := f.get(name)
	if err == nil {
		c.Keys = f.keys.Use(c.ID)
	}
	return c, err
}

// get is Conversation without keys.
func (f *Folder) get(name string) (*engine.Conversation, error) {
	found, err := f.find(name)
	if err != nil {
		return nil, err
	}
	c, err := f.read(found.ID)
	if err != nil {
		return nil, fmt.Errorf("the conversation %q cannot be read: %w", found.Name, err)
	}
	return c, nil
}

// FocusConversation implements engine.Conversations.
func (f *Folder) FocusConversation(_ context.Context, name string) error {
	c, err := f.find(name)
	if err == nil {
		f.keys.Focus(c.ID)
	}
	return err
}

// Focus is FocusConversation for a conversation of Begin.
func (f *Folder) Focus(c *engine.Conversation) { f.keys.Focus(c.ID) }

// find returns the list entry of a name.
func (f *Folder) find(name string) (*engine.Conversation, error) {
	list, err := f.list()
	if err != nil {
		return nil, err
	}
	clean, bad := CleanName(name)
	for i := range list {
		if bad == nil && list[i].Name == clean {
			return &list[i], nil
		}
	}
	return nil, unknown(name, list)
}

// Keys stores the keys and values of conversations by ID. Unknown ones have none.
type Keys interface {
	// Use and Total return what one conversation and all take.
	Use(id string) engine.KeysUse
	Total() engine.KeysUse
	// Focus starts loading a conversation.
	Focus(id string)
	// Forget erases a conversation in memory and on disk and returns the bytes on disk.
	Forget(ctx context.Context, id string) (int64, error)
}
