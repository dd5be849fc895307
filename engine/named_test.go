package engine

import (
	"errors"
	"strings"
	"testing"
)

func TestFindFolder(t *testing.T) {
	known := []NamedFolder{{"notes", "/a/notes"}, {"two/notes", "/b"}, {"Mail", "/m"}}
	for name, want := range map[string]string{
		"notes": "/a/notes", "NOTES/": "/a/notes", "notes/x/y": "/a/notes/x/y", "two/notes": "/b", "two/notes/z": "/b/z", "mail": "/m",
	} {
		if got, err := FindFolder(name, known); err != nil || got != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	for _, name := range []string{"two", "note", ""} {
		if _, err := FindFolder(name, known); !errors.Is(err, ErrQuery) || !strings.Contains(err.Error(), "there are notes, two/notes, Mail") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What is said of a folder that is gone can be typed as it stands.
func TestAwayText(t *testing.T) {
	f := Folder{NamedFolder: NamedFolder{"my notes", "/a"}, State: Gone, Why: "is not there", Elsewhere: "/b/it's"}
	if got := f.AwayText(); !strings.HasSuffix(got, `dowse folders move 'my notes' '/b/it'\''s' follows it`) {
		t.Error(got)
	}
}
