package models

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestRevision: a repository comes from the revision that is asked for, and what
// the catalogue pins from no other one.
func TestRevision(t *testing.T) {
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path)
		http.NotFound(w, r)
	}))
	defer server.Close()
	pull := func(name, revision string) error {
		err := Pull(t.Context(), t.TempDir(), name, PullOptions{From: Hub, Endpoint: server.URL, Revision: revision}, nil)
		return err
	}
	commit := strings.Repeat("0c", 20)
	if err := pull("owner/name", commit); err == nil || len(asked) != 1 || asked[0] != "/owner/name/resolve/"+commit+"/config.json" {
		t.Errorf("asked for %q, error %v", asked, err)
	}
	if err := pull("owner/name", ""); err == nil || len(asked) != 2 || asked[1] != "/owner/name/resolve/main/config.json" {
		t.Errorf("asked for %q, error %v", asked, err)
	}
	for _, c := range []struct{ name, revision, want string }{
		{PublishedEmbedder, commit, "the catalogue pins"},
		{"owner/name", "..", "cannot be a revision"},
		{"owner/name", "a/../../b", "cannot be a revision"},
	} {
		if err := pull(c.name, c.revision); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s at %q: error %v, want one with %q", c.name, c.revision, err, c.want)
		}
	}
	if err := pull("Llama-3.2-3B-Instruct", ""); !errors.Is(err, errUnknown) || !strings.Contains(err.Error(), "--revision") {
		t.Errorf("a name that nobody pins: %v", err)
	}
	if len(asked) != 2 {
		t.Errorf("the hub was asked for %q", asked)
	}
}
