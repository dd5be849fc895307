package indexes_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"dowse/engine"
	"dowse/internal/testapp"
	"dowse/internal/testwait"
)

// TestFolderLeavesDuringAChangeOfEmbedder removes or moves a folder in the middle of the change of the index to another
// embedder: neither index tells of the place that was left, then or when the change is over, which loses nothing else.
func TestFolderLeavesDuringAChangeOfEmbedder(t *testing.T) {
	for _, action := range []engine.FolderAction{engine.RemoveFolder, engine.MoveFolder} {
		a := small(t)
		const n, secret = 500, 100
		dir, secrets := birdNotes(t, n), secretFiles(t, secret)
		owner := testapp.Own(t, a, secrets, dir)
		chooses(t, newModel)
		if _, err := owner.FollowModel(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		watching := make(chan error, 1)
		go func() { watching <- owner.Watch(ctx, nil, func(engine.Event) {}) }()
		// A change may be over before anybody sees that it has begun; the next one goes back.
		model, next := oldModel, newModel
		for over, tries := true, 0; over; tries++ {
			if tries == 20 {
				t.Fatal("each change was over before a folder left: the test shows nothing")
			}
			if tries > 0 {
				model, next = next, model
				_, err := chooses(t, next).FollowModel(t.Context())
				testapp.Require(t, err)
			}
			testwait.Until(t, "the second index has passages", func() bool {
				st := statusOf(t, owner)
				over = st.Model == next
				return over || st.Change != nil && st.Change.Done > 0
			})
		}
		to := filepath.Join(t.TempDir(), "moved")
		if action == engine.MoveFolder {
			testapp.Require(t, os.Rename(secrets, to))
		}
		change(t, owner, engine.FolderChange{Action: action, Folder: secrets, To: to})
		words := []string{secretFolder, secretWord}
		if action == engine.MoveFolder {
			words = words[:1] // the files are elsewhere, and are found
		}
		if found := bytesWith(t, a.Home.Data, words...); len(found) > 0 {
			t.Errorf("%s: %q tell of it", action, found)
		}
		testwait.Until(t, "the change is over", func() bool {
			st := statusOf(t, owner)
			return st.Model == next && st.Change == nil
		})
		if found := bytesWith(t, a.Home.Data, words...); len(found) > 0 {
			t.Errorf("%s: %q tell of it after the change", action, found)
		}
		want := n
		if action == engine.MoveFolder {
			want += secret
		}
		check, err := owner.Check(t.Context(), nil)
		if err != nil || check.Problems > 0 || check.Files != want {
			t.Errorf("%s: %+v, %v; want %d files", action, check, err, want)
		}
		cancel()
		if err := <-watching; err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}
