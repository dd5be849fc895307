package extract_test

import (
	"os"
	"path/filepath"
	"testing"

	"dowse/indexer/extract"
	"dowse/indexer/skip"
)

// A link of git-annex is read as the contents that it stands for, if they lie in its own repository; any
// other link stays one, also if it looks alike.
func TestLinksOfGitAnnex(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	const key = "SHA256E-s25--4d2f.md"
	object := "repo/.git/annex/objects/Wx/9k/" + key + "/" + key
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(object, "The heron left the pond.\n")
	write("repo/notes/deep/x", "")
	write("other/x", "")
	for link, c := range map[string]struct {
		target string
		reason skip.Reason
	}{
		"repo/heron.md":            {".git/annex/objects/Wx/9k/" + key + "/" + key, ""},
		"repo/notes/deep/heron.md": {"../../.git/annex/objects/Wx/9k/" + key + "/" + key, ""},
		"repo/absent.md":           {".git/annex/objects/Wx/9k/SHA256E-s9--00.md/SHA256E-s9--00.md", skip.NotHere},
		"other/heron.md":           {"../" + object, skip.Symlink},
		"repo/absolute.md":         {filepath.Join(dir, object), skip.Symlink},
		"repo/plain.md":            {"notes/deep/x", skip.Symlink},
		"repo/config.md":           {".git/annex/objects/../../../notes/deep/x", skip.Symlink},
	} {
		path := filepath.Join(dir, link)
		if err := os.Symlink(c.target, path); err != nil {
			t.Fatal(err)
		}
		d, err := extract.File(path, extract.Options{})
		reason, _ := skip.ReasonOf(err)
		if reason != c.reason || c.reason == "" && (err != nil || d.Text != "The heron left the pond.\n") {
			t.Errorf("%s: %v", link, err)
		}
	}
}
