package snapshot

import (
	"strings"
	"testing"

	"dowse/engine"
	"dowse/store"
)

func TestGlobMatch(t *testing.T) {
	tests := []struct {
		pattern, s string
		want       bool
	}{
		{"", "", true},
		{"", "a", false},
		{"*", "", true},
		{"*", "a/b", true},
		{"**", "", true},
		{"?", "", false},
		{"?", "é", true},
		{"??", "é", false},
		{"*??x?", "€xy", false}, // stars and marks move by characters
		{"a*b*c", "aXbXbXc", true},
		{"a*b*c", "aXbXbX", false},
		{"*.md", "notes/a.md", true},
		{"*.md", "notes/a.mdx", false},
		{"[a]", "a", false},
		{"[a]", "[a]", true},
		{"a*", "b", false},
		{"a\\*b", "a\\cb", true}, // a backslash is a character
		{"a.b*", "aXb", false},
		{"a*b", "a\nb", true},
	}
	for _, tt := range tests {
		if got := globExpression(tt.pattern).MatchString(tt.s); got != tt.want {
			t.Errorf("globExpression(%q), %q = %v", tt.pattern, tt.s, got)
		}
	}
}

// Trying every star again would take longer than the universe lasts.
func TestGlobMatchWorstCase(t *testing.T) {
	if globExpression(strings.Repeat("*a", 200) + "b").MatchString(strings.Repeat("a", 4096)) {
		t.Error("matched")
	}
}

func TestBelow(t *testing.T) {
	tests := []struct {
		path, dir string
		want      bool
	}{
		{"/a/b", "/a", true},
		{"/a/b", "/a/", true},
		{"/a", "/a", true},
		{"/ab", "/a", false},
		{"/a", "/a/b", false},
		{"/a", "/", true},
	}
	for _, tt := range tests {
		if got := Below(tt.path, tt.dir); got != tt.want {
			t.Errorf("below(%q, %q) = %v", tt.path, tt.dir, got)
		}
	}
}

func TestFileFilter(t *testing.T) {
	file := store.File{
		Path:    "/home/Ada/Notes/Trips/Île.TAR.gz",
		Root:    "/home/Ada/Notes",
		ModTime: day(2026, 3, 10).UnixNano(),
	}
	tests := []struct {
		line    string
		folders []string
		want    bool
	}{
		{"", nil, true},
		{"path:trips", nil, true},
		{"path:TRIPS/î", nil, true},
		{"path:trips/*", nil, true},       // from the indexed folder
		{"path:/home/*gz", nil, true},     // the whole path
		{"path:?le.tar.gz", nil, true},    // the name; ? is a character, not a byte
		{"path:notes/trips*", nil, false}, // neither
		{"path:trips path:home", nil, true},
		{"path:trips path:work", nil, false},
		{"-path:trips", nil, false},
		{"-path:work", nil, true},
		{"ext:gz", nil, true},
		{"ext:tar.gz", nil, true},
		{"ext:z", nil, false},
		{"ext:md,gz", nil, true},
		{"ext:md ext:gz", nil, true}, // one of them
		{"-ext:gz", nil, false},
		{"ext:gz -ext:tar.gz", nil, false},
		{"after:2026-03-10", nil, true}, // at or after
		{"after:2026-03-11", nil, false},
		{"before:2026-03-10", nil, false}, // strictly
		{"before:2026-03-11", nil, true},
		{"-before:2026-03-10", nil, true},
		{"after:2027 after:2025", nil, false}, // all must hold
		{"before:2025 before:2027", nil, false},
		{"after:1500", nil, true}, // beyond what nanoseconds reach
		{"after:9999", nil, false},
		{"before:9999", nil, true},
		{"before:1500", nil, false},
		{"before:1970", nil, false}, // 0 in unix time is a date like any other
		{"after:100000y", nil, true},
		{"", []string{"/home/Ada"}, true},
		{"", []string{"/x", "/home/Ada/Notes/Trips"}, true},
		{"", []string{"/home/Ada/Note"}, false},
		{"", []string{"/home/ada"}, false}, // folders are exact
	}
	for _, tt := range tests {
		q, err := engine.Parse(tt.line, testNow)
		if err != nil {
			t.Fatal(err)
		}
		f := NewFilter(q, tt.folders)
		if got := f.Admits(file); got != tt.want {
			t.Errorf("%q in %q: %v", tt.line, tt.folders, got)
		}
		if none := tt.line == "" && tt.folders == nil; f.Empty() && !tt.want || none && !f.Empty() {
			t.Errorf("%q in %q: empty is %v", tt.line, tt.folders, f.Empty())
		}
	}
	before1970 := store.File{Path: "/old", ModTime: -1}
	q, err := engine.Parse("after:1970", testNow)
	if err != nil || NewFilter(q, nil).Admits(before1970) {
		t.Errorf("a file of 1969 passes after:1970 (%v)", err)
	}
}
