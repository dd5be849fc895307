package app_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"dowse/engine"
	"dowse/engine/kv"
	"dowse/engine/kv/disk"
	"dowse/internal/app"
	"dowse/internal/indexes"
	"dowse/internal/testapp"
)

// kept lists the conversations of an app's home.
func kept(t *testing.T, a *app.App) (list []engine.Conversation) {
	t.Helper()
	err := a.WithConversations(t.Context(), func(c engine.Conversations) (err error) {
		list, err = c.Conversations(t.Context())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestConversationsOutliveTheOwner(t *testing.T) {
	a := testapp.New(t)
	if list := kept(t, a); len(list) != 0 {
		t.Fatalf("before anything was asked: %v", list)
	}
	dir := testapp.Notes(t, map[string]string{"a.md": "The heron stands in the lake.\n"})
	owner, err := a.OpenOwner(t.Context(), func() {})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = owner.Close() }() // closed below unless a check fails
	if _, err := owner.Index(t.Context(), []string{dir}, nil); err != nil {
		t.Fatal(err)
	}
	client, err := a.Open(t.Context(), indexes.Read)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(s engine.Searcher, turn int) {
		t.Helper()
		req := engine.Request{Query: "where does the heron stand?", Mode: engine.Hybrid, Context: "birds", Keep: true}
		if r, err := s.Search(t.Context(), req, nil); err != nil || r.Context.Turn != turn || !r.Context.Kept {
			t.Fatalf("turn %d: %+v, %v", turn, r, err)
		}
	}
	ask(owner, 1)
	ask(client, 2)
	if list := kept(t, a); len(list) != 1 || list[0].Count != 2 {
		t.Errorf("asked of the owner: %+v", list)
	}
	status, err := client.Status(t.Context())
	if err != nil || status.Conversations == nil || status.Conversations.Count != 1 || status.Conversations.Questions != 2 {
		t.Errorf("status %+v, %v", status.Conversations, err)
	}
	if err := client.FocusConversation(t.Context(), "bird"); !errors.Is(err, engine.ErrNoConversation) {
		t.Errorf("focus of none: %v", err)
	}
	if err := owner.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := owner.Conversations(context.Background()); err == nil {
		t.Error("a closed owner lists conversations")
	}
	alone, err := a.Open(t.Context(), indexes.Read) // reads the index itself
	if err != nil {
		t.Fatal(err)
	}
	testapp.CloseAfter(t, alone)
	ask(alone, 3)
	err = a.WithConversations(t.Context(), func(c engine.Conversations) error {
		if err := c.RenameConversation(t.Context(), "birds", "herons"); err != nil {
			return err
		}
		deleted, err := c.DeleteConversation(t.Context(), "herons")
		if err == nil && deleted.Questions != 3 {
			t.Errorf("deleted %+v", deleted)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if list := kept(t, a); len(list) != 0 {
		t.Errorf("left: %+v", list)
	}
}

func TestOwnerErasesKeysWithoutText(t *testing.T) {
	a := testapp.New(t)
	err := a.WithConversations(t.Context(), func(c engine.Conversations) error {
		_, err := c.KeepTurn(t.Context(), "birds", engine.Turn{Question: "when?"})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	id := kept(t, a)[0].ID
	layout := disk.Layout{ChunkTokens: 4, Groups: map[kv.Level][kv.Groups]int{kv.Level8: {8, 8, 8, 8}}}
	d, err := disk.Open(disk.Options{Folder: filepath.Join(a.Home.Data, "conversations", "keys"), Model: "gone", Layout: layout})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{id, "0123456789abcdef0123456789abcdef"} {
		if err := d.Append(name, []int32{1, 2, 3}); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if list := kept(t, a); list[0].Keys.Tokens != 3 {
		t.Errorf("without an owner: %+v", list)
	}
	owner := testapp.Own(t, a)
	if left := owner.Stack().Models.Keys.IDs(); !slices.Equal(left, []string{id}) {
		t.Errorf("left %v, want %s", left, id)
	}
}
