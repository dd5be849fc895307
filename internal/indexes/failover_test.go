package indexes_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/internal/indexes"
	"dowse/internal/testapp"
	"dowse/internal/testwait"
)

// awaitWatching waits until somebody keeps the index of a service fresh.
func awaitWatching(t *testing.T, s engine.Searcher) {
	t.Helper()
	testwait.Until(t, "nobody watches", func() bool {
		st, err := s.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return st.Watching
	})
}

// watch lets an owner follow its folders until the returned function is called.
func watch(t *testing.T, owner *indexes.Owner) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- owner.Watch(ctx, nil, func(engine.Event) {}) }()
	awaitWatching(t, owner)
	return func() {
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("watch ended with %v", err)
		}
	}
}

func TestSecondOwnerWaitsOrIsRefused(t *testing.T) {
	a := testapp.New(t)
	first, err := a.OpenOwner(t.Context(), func() {})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := first.Index(t.Context(), []string{testapp.Notes(t, map[string]string{"a.md": "A heron.\n"})}, nil); err != nil {
		t.Fatal(err)
	}
	stop := watch(t, first)
	if _, err := a.OpenOwner(t.Context(), func() {}); err == nil || !strings.Contains(err.Error(), "keeps the index fresh already") {
		t.Errorf("beside one that watches: %v", err)
	}
	stop()
	// What no longer watches only passes by: it is waited for, and told of.
	told := make(chan struct{})
	second := make(chan error, 1)
	go func() {
		owner, err := a.OpenOwner(t.Context(), func() { close(told) })
		if err == nil {
			err = owner.Close()
		}
		second <- err
	}()
	select {
	case <-told:
	case err := <-second:
		t.Fatalf("it did not wait: %v", err)
	}
	if err := errors.Join(first.Close(), <-second); err != nil {
		t.Error(err)
	}
}

func TestClientOutlivesTheOwner(t *testing.T) {
	for name, access := range map[string]indexes.Access{"reader": indexes.Read, "screen": indexes.Own} {
		t.Run(name, func(t *testing.T) {
			a := testapp.New(t)
			owner, err := a.OpenOwner(t.Context(), func() {})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := owner.Index(t.Context(), []string{testapp.Notes(t, map[string]string{"a.md": "A heron.\n"})}, nil); err != nil {
				t.Fatal(err)
			}
			client, err := a.Open(t.Context(), access)
			if err != nil {
				t.Fatal(err)
			}
			testapp.CloseAfter(t, client)
			if r := testapp.Search(t, client, "heron"); !r.Stats.Warm {
				t.Error("the client did not ask the owner")
			}
			if err := owner.Close(); err != nil {
				t.Fatal(err)
			}
			if r := testapp.Search(t, client, "heron"); testapp.Names(r) != "a.md" || r.Stats.Warm {
				t.Errorf("without the owner: %q, warm %v", testapp.Names(r), r.Stats.Warm)
			}
		})
	}
}

func TestScreenWatchesOnceTheOwnerEnds(t *testing.T) {
	a := testapp.New(t)
	owner, err := a.OpenOwner(t.Context(), func() {})
	if err != nil {
		t.Fatal(err)
	}
	dir := testapp.Notes(t, map[string]string{"a.md": "A heron.\n"})
	if _, err := owner.Index(t.Context(), []string{dir}, nil); err != nil {
		t.Fatal(err)
	}
	screen, err := a.Open(t.Context(), indexes.Own)
	if err != nil {
		t.Fatal(err)
	}
	testapp.CloseAfter(t, screen)
	ctx, cancel := context.WithCancel(t.Context())
	follow := indexes.Follow(ctx, screen, []string{dir})
	if err := owner.Close(); err != nil {
		t.Fatal(err)
	}
	awaitWatching(t, screen)
	cancel()
	<-follow
}
