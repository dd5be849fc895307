package conversation

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"dowse/engine"
)

// keyring is Keys that remembers what it was told.
type keyring struct {
	mu      sync.Mutex
	focused []string
	gone    []string
	err     error
}

func (k *keyring) Use(string) engine.KeysUse { return engine.KeysUse{Tokens: 7} }
func (k *keyring) Total() engine.KeysUse     { return engine.KeysUse{Disk: 9} }

func (k *keyring) Focus(id string) { k.focused = append(k.focused, id) }

func (k *keyring) Forget(_ context.Context, id string) (int64, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.gone = append(k.gone, id)
	return 1000, k.err
}

func newFolder(t *testing.T) (*Folder, *keyring) {
	t.Helper()
	keys := &keyring{}
	return Open(filepath.Join(t.TempDir(), "conversations"), keys), keys
}

// ask keeps a turn, asked so many hours after noon.
func ask(t *testing.T, f *Folder, name, question string, hours int) *engine.ContextUse {
	t.Helper()
	c, err := f.Begin(name)
	if err != nil {
		t.Fatal(err)
	}
	turn := told(question)
	turn.When = noon.Add(time.Duration(hours) * time.Hour)
	use, err := f.Keep(t.Context(), c, turn)
	if err != nil {
		t.Fatal(err)
	}
	return use
}

func TestConversationsAreKeptInAFolder(t *testing.T) {
	f, _ := newFolder(t)
	if list, err := f.Conversations(t.Context()); err != nil || len(list) != 0 {
		t.Fatalf("of nothing: %v, %v", list, err)
	}
	if use := ask(t, f, " porto", "when?", 0); *use != (engine.ContextUse{Name: "porto", Turn: 1, Kept: true}) {
		t.Errorf("first turn: %+v", use)
	}
	ask(t, f, "../x", "what?", 1)
	if use := ask(t, f, "porto", "why?", 2); use.Turn != 2 || use.Problem != "" {
		t.Errorf("second turn: %+v", use)
	}
	other := Open(f.path, NoKeys{}) // of another process
	list, err := other.Conversations(t.Context())
	if err != nil || len(list) != 2 || list[0].Name != "porto" || list[1].Name != "../x" {
		t.Fatalf("list %+v, %v", list, err)
	}
	if c := list[0]; c.Count != 2 || c.First != "when?" || c.Turns != nil || !c.Created.Equal(noon) || !c.Updated.Equal(noon.Add(2*time.Hour)) || c.Text == 0 || c.Problem != "" {
		t.Errorf("porto: %+v", c)
	}
	c, err := other.Conversation(t.Context(), "porto")
	if err != nil || len(c.Turns) != 2 || c.Turns[1].Question != "why?" || c.Turns[1].Passages[0].N != 1 || c.Turns[1].Passages[0].Path != "/caf\xe9" {
		t.Errorf("porto: %+v, %v", c, err)
	}
	if s, err := f.Status(); err != nil || s.Count != 2 || s.Questions != 3 || s.Keys.Disk != 9 || s.Text != list[0].Text+list[1].Text {
		t.Errorf("status %+v, %v", s, err)
	}
}

func TestFilesAreForThisUserAlone(t *testing.T) {
	f, _ := newFolder(t)
	ask(t, f, "porto", "when?", 0)
	err := filepath.Walk(f.path, func(path string, info os.FileInfo, err error) error {
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestRename(t *testing.T) {
	f, _ := newFolder(t)
	ask(t, f, "porto", "when?", 0)
	ask(t, f, "taxes", "how much?", 1)
	begun, err := f.Begin("porto")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.RenameConversation(t.Context(), "porto", " taxes "); !errors.Is(err, engine.ErrConversationName) {
		t.Errorf("a name that is taken: %v", err)
	}
	if err := f.RenameConversation(t.Context(), "porto", "a\x1b"); !errors.Is(err, engine.ErrConversationName) {
		t.Errorf("a name that is none: %v", err)
	}
	if err := f.RenameConversation(t.Context(), "port", "x"); !errors.Is(err, engine.ErrNoConversation) || !strings.Contains(err.Error(), `"porto"`) {
		t.Errorf("a conversation that is none: %v", err)
	}
	for _, from := range []string{"porto", "Porto"} {
		if err := f.RenameConversation(t.Context(), from, "Porto"); err != nil {
			t.Errorf("%s to Porto: %v", from, err)
		}
	}
	// A question that was asked before is kept under the new name.
	if use, err := f.Keep(t.Context(), begun, told("why?")); err != nil || use.Name != "Porto" || use.Turn != 2 {
		t.Errorf("kept %+v, %v", use, err)
	}
}

func TestDelete(t *testing.T) {
	f, keys := newFolder(t)
	ask(t, f, "porto", "when?", 0)
	c, err := f.Begin("porto")
	if err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(t.TempDir(), "link")
	if err := os.Link(f.logPath(c.ID), outside); err != nil {
		t.Skip(err)
	}
	keys.err = errors.New("busy")
	if _, err := f.DeleteConversation(t.Context(), "porto"); !errors.Is(err, keys.err) {
		t.Errorf("keys that stay: %v", err)
	}
	if _, err := f.Conversation(t.Context(), "porto"); err != nil {
		t.Errorf("after a deletion that failed: %v", err)
	}
	keys.err = nil
	d, err := f.DeleteConversation(t.Context(), "porto")
	if err != nil || *d != (engine.DeletedConversation{Name: "porto", Questions: 1, Bytes: 1000 + c.Text}) {
		t.Errorf("deleted %+v, %v", d, err)
	}
	if data, err := os.ReadFile(outside); err != nil || strings.Trim(string(data), "\x00") != "" {
		t.Errorf("its file was not overwritten: %q, %v", data, err)
	}
	if list, err := f.Conversations(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("list %v, %v", list, err)
	}
	// A question that was under way does not bring it back.
	if use, err := f.Keep(t.Context(), c, told("why?")); !errors.Is(err, engine.ErrNoConversation) {
		t.Errorf("kept %+v, %v", use, err)
	}
	if list, err := f.Conversations(t.Context()); err != nil || len(list) != 0 || keys.gone[len(keys.gone)-1] != c.ID {
		t.Errorf("list %v, %v; forgotten %v", list, err, keys.gone)
	}
	if _, err := f.DeleteConversation(t.Context(), "porto"); !errors.Is(err, engine.ErrNoConversation) {
		t.Errorf("deleted twice: %v", err)
	}
}

func TestAbandonForgetsAConversationThatWasNeverKept(t *testing.T) {
	f, keys := newFolder(t)
	c, err := f.Begin("porto")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Abandon(t.Context(), c); err != nil || !slices.Equal(keys.gone, []string{c.ID}) {
		t.Errorf("forgotten %v, %v", keys.gone, err)
	}
	ask(t, f, "porto", "when?", 0)
	if c, err = f.Begin("porto"); err != nil {
		t.Fatal(err)
	}
	if err := f.Abandon(t.Context(), c); err != nil || len(keys.gone) != 1 {
		t.Errorf("one with a turn was forgotten: %v, %v", keys.gone, err)
	}
}

func TestOneConversationIsMadeOfANameThatTwoBegin(t *testing.T) {
	f, _ := newFolder(t)
	a, errA := f.Begin("porto")
	b, errB := f.Begin("porto")
	if errA != nil || errB != nil {
		t.Fatal(errA, errB)
	}
	for i, c := range []*engine.Conversation{a, b} {
		if use, err := f.Keep(t.Context(), c, told("when?")); err != nil || use.Turn != i+1 {
			t.Errorf("kept %+v, %v", use, err)
		}
	}
}

func TestAKillLosesTheTurnThatWasBeingWritten(t *testing.T) {
	f, _ := newFolder(t)
	ask(t, f, "porto", "when?", 0)
	ask(t, f, "porto", "why?", 1)
	c, err := f.Begin("porto")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(f.logPath(c.ID), c.Text-5); err != nil {
		t.Fatal(err)
	}
	for _, half := range []string{coming + c.ID, going + c.ID} {
		if err := os.Mkdir(filepath.Join(f.path, half), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if c, err = f.Conversation(t.Context(), "porto"); err != nil || c.Count != 1 || c.Problem != "" {
		t.Errorf("%+v, %v", c, err)
	}
	if use := ask(t, f, "porto", "how?", 2); use.Turn != 2 || !strings.Contains(use.Problem, "incomplete") {
		t.Errorf("after a kill: %+v", use)
	}
	if use := ask(t, f, "porto", "who?", 3); use.Turn != 3 || use.Problem != "" {
		t.Errorf("said again: %+v", use)
	}
	if c, err = f.Conversation(t.Context(), "porto"); err != nil || c.Count != 3 || c.Turns[1].Question != "how?" || c.Problem != "" {
		t.Errorf("%+v, %v", c, err)
	}
	if entries, err := os.ReadDir(f.path); err != nil || len(entries) != 2 { // the conversation and the lock
		t.Errorf("left: %v, %v", entries, err)
	}
}

func TestDamagedConversationsAreListedAndCanBeDeleted(t *testing.T) {
	f, _ := newFolder(t)
	ask(t, f, "porto", "when?", 0)
	c, err := f.Begin("porto")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.logPath(c.ID), []byte("junk"), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := f.Conversations(t.Context())
	if err != nil || len(list) != 1 || list[0].Problem == "" || list[0].Name != "nameless "+c.ID[:8] {
		t.Fatalf("list %+v, %v", list, err)
	}
	if _, err := f.Conversation(t.Context(), list[0].Name); err == nil || errors.Is(err, engine.ErrNoConversation) {
		t.Errorf("read: %v", err)
	}
	if _, err := f.DeleteConversation(t.Context(), list[0].Name); err != nil {
		t.Error(err)
	}
	if list, err := f.Conversations(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("list %v, %v", list, err)
	}
}

func TestTurnsOfSeveralProcessesAreAllKept(t *testing.T) {
	first, _ := newFolder(t)
	const each = 10
	var asking sync.WaitGroup
	for range 3 {
		f := Open(first.path, NoKeys{})
		asking.Go(func() {
			for range each {
				c, err := f.Begin("porto")
				if err == nil {
					_, err = f.Keep(t.Context(), c, told("when?"))
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	asking.Wait()
	if c, err := first.Conversation(t.Context(), "porto"); err != nil || c.Count != 3*each || c.Problem != "" {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestFocusReachesTheKeys(t *testing.T) {
	f, keys := newFolder(t)
	ask(t, f, "porto", "when?", 0)
	if err := f.FocusConversation(t.Context(), "porto"); err != nil || len(keys.focused) != 1 {
		t.Errorf("focused %v, %v", keys.focused, err)
	}
	if err := f.FocusConversation(t.Context(), "port"); !errors.Is(err, engine.ErrNoConversation) || len(keys.focused) != 1 {
		t.Errorf("focused %v, %v", keys.focused, err)
	}
}
