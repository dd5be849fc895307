package app_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/engine"
	"dowse/engine/endpoint/endpointtest"
	"dowse/internal/config"
	"dowse/internal/indexes"
	"dowse/internal/testapp"
)

// hidden is what stands in files outside of the indexed folder.
const hidden = "-----BEGIN OPENSSH PRIVATE KEY----- hunter2"

// grepNotes are notes of which one is about to be replaced. It has as many
// bytes as what replaces it.
func grepNotes(t *testing.T) (dir, note string) {
	t.Helper()
	text := "Ken Thompson wrote grep."
	dir = testapp.Notes(t, map[string]string{
		"tools/unix/grep.md": text + strings.Repeat("\n", len(hidden)-len(text)),
		"birds.md":           "A heron stood in the reeds of the lake.\n",
	})
	return dir, filepath.Join(dir, "tools", "unix", "grep.md")
}

// asking is an owner whose questions a server answers.
func asking(t *testing.T, folder string) (*indexes.Owner, *endpointtest.Server) {
	t.Helper()
	server := endpointtest.Start("Ken Thompson wrote grep. [1]")
	t.Cleanup(server.Close)
	a := testapp.New(t)
	a.Config.Endpoint = config.Endpoint{URL: server.URL, Model: endpointtest.Whole}
	return testapp.Own(t, a, folder), server
}

// TestReplacedFileIsNotRead puts other things in the place of an indexed file,
// and of the folders above it: neither a search nor a preview nor a server gets
// what stands there.
func TestReplacedFileIsNotRead(t *testing.T) {
	for name, replace := range map[string]func(t *testing.T, note, secret string){
		"file by link": func(t *testing.T, note, secret string) {
			testapp.Require(t, os.Remove(note))
			testapp.Require(t, os.Symlink(filepath.Join(secret, "grep.md"), note))
		},
		"folder by link": func(t *testing.T, note, secret string) {
			testapp.Require(t, os.RemoveAll(filepath.Dir(note)))
			testapp.Require(t, os.Symlink(secret, filepath.Dir(note)))
		},
		"folder above by link": func(t *testing.T, note, secret string) {
			above := filepath.Dir(filepath.Dir(note))
			testapp.Require(t, os.Rename(filepath.Dir(note), filepath.Join(secret, "old")))
			testapp.Require(t, os.RemoveAll(above))
			testapp.Require(t, os.MkdirAll(filepath.Join(secret, "unix"), 0o700))
			testapp.Require(t, os.Rename(filepath.Join(secret, "grep.md"), filepath.Join(secret, "unix", "grep.md")))
			testapp.Require(t, os.Symlink(secret, above))
		},
		"root by link": func(t *testing.T, note, secret string) {
			root := filepath.Dir(filepath.Dir(filepath.Dir(note)))
			testapp.Require(t, os.MkdirAll(filepath.Join(secret, "tools", "unix"), 0o700))
			testapp.Require(t, os.Rename(filepath.Join(secret, "grep.md"), filepath.Join(secret, "tools", "unix", "grep.md")))
			testapp.Require(t, os.Rename(root, root+".old"))
			testapp.Require(t, os.Symlink(secret, root))
		},
		"file by pipe": makePipe,
	} {
		t.Run(name, func(t *testing.T) {
			dir, note := grepNotes(t)
			owner, server := asking(t, dir)
			secret := testapp.Notes(t, map[string]string{"grep.md": hidden})
			found := answered(t, owner, "who wrote grep?")
			if p := found.Passages[0]; p.Path != note || p.Stale || len(server.Asked()) != 1 {
				t.Fatalf("before: %+v, asked %d times", p, len(server.Asked()))
			}
			preview, err := owner.Preview(t.Context(), found.Passages[0], 5, 5)
			if err != nil || !strings.Contains(strings.Join(preview.Lines, "\n"), "Ken Thompson") {
				t.Fatalf("before: %+v, %v", preview, err)
			}
			replace(t, note, secret)
			again := answered(t, owner, "who wrote grep?")
			for _, p := range again.Passages {
				if p.Path == note {
					t.Errorf("a passage of what took its place: %q", p.Text)
				}
			}
			if preview, err := owner.Preview(t.Context(), found.Passages[0], 5, 5); !errors.Is(err, engine.ErrFileGone) {
				t.Errorf("preview %+v, %v", preview, err)
			}
			_, err = owner.Index(t.Context(), nil, nil)
			testapp.Require(t, err)
			after := answered(t, owner, "openssh private key who wrote grep?")
			for what, value := range map[string]any{"search": again, "search after indexing": after, "server": server.Asked()} {
				if text, err := json.Marshal(value); err != nil || strings.Contains(string(text), "hunter2") {
					t.Errorf("%s: %s, %v", what, text, err)
				}
			}
		})
	}
}

// TestChangedPassageIsNotSent edits an indexed file: its passage is shown,
// marked, and not sent, and the person is told.
func TestChangedPassageIsNotSent(t *testing.T) {
	dir, note := grepNotes(t)
	owner, server := asking(t, dir)
	testapp.Require(t, os.WriteFile(note, []byte(hidden), 0o600))
	r := answered(t, owner, "who wrote grep?")
	i := 0
	for i < len(r.Passages) && r.Passages[i].Path != note {
		i++
	}
	if i == len(r.Passages) || !r.Passages[i].Stale || r.Passages[i].Text != hidden {
		t.Fatalf("passages %+v", r.Passages)
	}
	asked, err := json.Marshal(server.Asked())
	testapp.Require(t, err)
	if len(server.Asked()) != 1 || strings.Contains(string(asked), "hunter2") || !strings.Contains(string(asked), "heron") {
		t.Errorf("the server was asked %s", asked)
	}
	if !strings.Contains(r.Answer.Problem, "a passage changed since it was indexed and was not sent") || r.Answer.Sent.Passages != 1 {
		t.Errorf("answer %+v", r.Answer)
	}

	testapp.Require(t, os.WriteFile(filepath.Join(dir, "birds.md"), []byte("changed as well, into hunter2\n"), 0o600))
	r = answered(t, owner, "who wrote grep?")
	if len(server.Asked()) != 1 || r.Answer.Sent != nil || !strings.Contains(r.Answer.Problem, "every passage changed") {
		t.Errorf("asked %d times, answer %+v", len(server.Asked()), r.Answer)
	}
}

func answered(t *testing.T, s engine.Searcher, question string) *engine.Result {
	t.Helper()
	r, err := s.Search(t.Context(), engine.Request{Query: question, Mode: engine.Hybrid, Answer: true}, func(engine.Event) {})
	testapp.Require(t, err)
	return r
}
