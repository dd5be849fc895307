package indexer_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/engine"
)

// secretFolder returns a folder outside of the root, with a file a.md and a folder
// sub that has one too.
func (b *bench) secretFolder() string {
	b.t.Helper()
	secret, err := filepath.EvalSymlinks(b.t.TempDir())
	b.must(err)
	b.must(os.MkdirAll(filepath.Join(secret, "sub"), 0o755))
	for _, name := range []string{"a.md", "sub/a.md"} {
		b.must(os.WriteFile(filepath.Join(secret, name), []byte("a secret unicorn\n"), 0o600))
	}
	return secret
}

// noSecret says that nothing of the secret folder was embedded or indexed.
func (b *bench) noSecret() {
	b.t.Helper()
	for _, text := range b.embed.take() {
		if strings.Contains(text, "secret") {
			b.t.Errorf("embedded: %q", text)
		}
	}
	for name, n := range b.files() {
		if n > 0 {
			b.t.Errorf("%s was indexed", name)
		}
	}
}

// TestLinkPutThereAfterTheWalkIsNotFollowed replaces a file, and its folder,
// between the walk that lists it and the reading.
func TestLinkPutThereAfterTheWalkIsNotFollowed(t *testing.T) {
	for _, at := range []string{"dir/a.md", "dir"} {
		t.Run(at, func(t *testing.T) {
			b := newBench(t)
			secret := b.secretFolder()
			b.write("dir/a.md", "mine\n")
			target := secret
			if at != "dir" {
				target = filepath.Join(secret, "a.md")
			}
			swapped := false
			b.onEvent = func(e engine.Event) {
				if e.Progress == nil || e.Progress.Phase != engine.Indexing || swapped {
					return
				}
				swapped = true // what is to be read is known, and nothing was read so far
				b.must(os.RemoveAll(b.path(at)))
				b.must(os.Symlink(target, b.path(at)))
			}
			r := b.run(b.root)
			if !swapped || r.Skipped["symlink"] != 1 || r.Files != 0 {
				t.Errorf("swapped %v, report %+v", swapped, r)
			}
			b.noSecret()
		})
	}
}

// TestEventsBelowALinkLeadNowhere: a folder that events named is a link by the
// time that it is looked at.
func TestEventsBelowALinkLeadNowhere(t *testing.T) {
	b := newBench(t)
	secret := b.secretFolder()
	b.write("dir/sub/a.md", "mine\n")
	b.run(b.root)
	b.must(os.RemoveAll(b.path("dir")))
	b.must(os.Symlink(secret, b.path("dir")))
	for _, named := range []string{"dir/sub", "dir/sub/a.md", "dir/a.md", "dir"} {
		b.follow(b.path(named))
		b.noSecret()
	}
	b.run()
	b.noSecret()
	b.expect(map[string]int{})
}

// TestRootThatBecameALinkIsKept: what a link in the place of a root leads to was
// never asked for; what was indexed stays, and the person is told.
func TestRootThatBecameALinkIsKept(t *testing.T) {
	b := newBench(t)
	secret := b.secretFolder()
	b.write("notes/b.md", "mine\n")
	b.run(b.path("notes"))
	b.must(os.Rename(b.path("notes"), b.path("old")))
	b.must(os.Symlink(secret, b.path("notes")))
	b.run()
	b.follow(b.path("notes"))
	b.follow()
	b.noSecret()
	b.expect(map[string]int{"notes/b.md": 0})
	b.told("leads through a symbolic link")
	b.run(b.path("notes")) // the person names it again
	rel, err := filepath.Rel(b.root, filepath.Join(secret, "a.md"))
	b.must(err)
	if b.files()[filepath.ToSlash(rel)] != 1 {
		t.Errorf("what was named is not indexed: %v", b.files())
	}
}
