package paths_test

import (
	"slices"
	"testing"

	"dowse/indexer/paths"
)

func TestInnermost(t *testing.T) {
	folders := []string{"/a", "/a/b", "/c", "/a/bc"}
	for path, want := range map[string]string{"/a": "/a", "/a/b": "/a/b", "/a/b/x.md": "/a/b", "/a/bd/x.md": "/a", "/ab": "", "/": "", "/c/d/e": "/c"} {
		if got := paths.Innermost(path, folders); got != want || paths.WithinAny(path, folders) != (want != "") {
			t.Errorf("%s lies in %q, want %q", path, got, want)
		}
		if !paths.Within(path, "/") {
			t.Errorf("%s is not in /", path)
		}
	}
}

func TestOutermost(t *testing.T) {
	got := paths.Outermost([]string{"/a/b", "/a-b", "/a", "/a/b/c", "/ab", "/c/d", "/c/d"})
	if want := []string{"/a", "/a-b", "/ab", "/c/d"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := paths.Outermost([]string{"/x", "/"}); !slices.Equal(got, []string{"/"}) {
		t.Errorf("got %q", got)
	}
}
