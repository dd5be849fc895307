package skip_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"dowse/indexer/skip"
)

func TestFromOSTellsVanishedFromUnreadable(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "gone")
	_, err := os.ReadFile(missing)
	if got := skip.FromOS(missing, err).Reason; got != skip.Vanished {
		t.Errorf("missing file: reason %q, want %q", got, skip.Vanished)
	}
	if got := skip.FromOS("x", os.ErrPermission).Reason; got != skip.Unreadable {
		t.Errorf("no permission: reason %q, want %q", got, skip.Unreadable)
	}
}

func TestReasonOfLooksThroughWrapping(t *testing.T) {
	err := fmt.Errorf("extract: %w", &skip.Error{Reason: skip.Binary, Path: "a.png"})
	if got, ok := skip.ReasonOf(err); !ok || got != skip.Binary {
		t.Errorf("ReasonOf = %q, %v", got, ok)
	}
	if _, ok := skip.ReasonOf(errors.New("other")); ok {
		t.Error("ReasonOf found a reason in an error that has none")
	}
}

func ExampleError() {
	err := &skip.Error{Reason: skip.TooLarge, Path: "/notes/dump.sql", Detail: "5.0 GB, the limit is 16 MB"}
	fmt.Println(err)
	// Output: /notes/dump.sql: too large (5.0 GB, the limit is 16 MB)
}
