package indexer_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWhyNot says of each file that is left out what does it.
func TestWhyNot(t *testing.T) {
	b := newBench(t)
	b.write(".gitignore", "# logs\n*.log\nbuild/\n")
	b.write(".ignore", "!kept.log\nsecret*\n")
	b.write("a.md", "a unicorn\n")
	b.run(b.root)
	for _, path := range []string{"deep/x.log", "build/deep/x.md", "secret.md", "node_modules/x.md", ".hid/x.md", "new.md", "cache/x.md", "dir/.git/x.md"} {
		b.write(path, "a horse\n")
	}
	b.write("cache/CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n")
	b.write("data.bin", "\x00\x01\x02\x00")
	b.write("old.doc", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"+strings.Repeat("\x00", 9<<10))
	b.write("empty.md", "")
	b.write("blank.md", " \n\n")
	b.must(os.Symlink(b.path("a.md"), b.path("link.md")))
	outside := t.TempDir()
	for path, want := range map[string]string{
		"deep/x.log":         "the rule *.log in " + b.path(".gitignore") + " leaves it out",
		"build/deep/x.md":    "the rule build/ in " + b.path(".gitignore") + " leaves it out",
		"secret.md":          "the rule secret* in " + b.path(".ignore") + " leaves it out",
		"node_modules/x.md":  "dowse leaves out node_modules/",
		"dir/.git/x.md":      "begins with a dot",
		".hid/x.md":          "begins with a dot",
		"cache/x.md":         "is a cache",
		"data.bin":           "it is binary",
		"old.doc":            "save it as .docx, for instance by soffice --headless --convert-to docx",
		"empty.md":           "it is empty",
		"blank.md":           "it is empty",
		"link.md":            "symbolic link",
		"gone.md":            "it is not there",
		"new.md":             "not indexed yet; run dowse index",
		"kept.log":           "it is not there",
		outside + "/note.md": "outside the folders that are indexed; dowse index " + outside,
	} {
		if !filepath.IsAbs(path) {
			path = b.path(path)
		}
		got, err := b.index.WhyNot(path)
		if err != nil || !strings.Contains(got, want) {
			t.Errorf("%s: %q, %v, want %q", path, got, err, want)
		}
	}
}
