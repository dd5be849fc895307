package tui

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode"
)

func TestPlaceText(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("other shells")
	}
	for path, want := range map[string]string{
		"/home/ada/notes/dns-2.md":  "/home/ada/notes/dns-2.md:7",
		"/grüße/日本語_v1.2+3,@4%=.md": "/grüße/日本語_v1.2+3,@4%=.md:7",
		"/a b/c.md":                 "'/a b/c.md:7'",
		"/a/it's.md":                `'/a/it'\''s.md:7'`,
		"/a/$(touch x);&.md":        "'/a/$(touch x);&.md:7'",
		"/a\nrm -rf x":              `$'/a\012rm -rf x:7'`,
		"/a\x1b[2J\\'\u202e":        `$'/a\033[2J\\\'\342\200\256:7'`,
		"/caf\xe9":                  `$'/caf\351:7'`,
	} {
		if got := placeText(path, 7); got != want {
			t.Errorf("%q: %s, want %s", path, got, want)
		}
	}
}

// TestPlaceIsOneWordOfAShell: a shell that is given the place sees path and line,
// and runs nothing.
func TestPlaceIsOneWordOfAShell(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	t.Chdir(t.TempDir())
	var every strings.Builder
	for c := range 256 {
		if c != 0 && c != '/' {
			every.WriteByte(byte(c))
		}
	}
	for _, path := range []string{
		"/" + every.String(), "/a b", "/$(touch ran)", "/`touch ran`", "/a;touch ran", "/a\ntouch ran\n", "/a'b\"c\\d", "/-n", "/a*?[b]{c,d}~!#", "/\u00a0\u202e\u2028\x9b", "/caf\xe9",
	} {
		place := placeText(path, 12)
		if strings.ContainsFunc(place, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }) {
			t.Errorf("%q is pasted as %q", path, place)
		}
		out, err := exec.CommandContext(t.Context(), bash, "-c", "printf %s "+place).Output()
		if err != nil || string(out) != path+":12" {
			t.Errorf("%q: the shell reads %s as %q, %v", path, place, out, err)
		}
	}
	if left, err := filepath.Glob("*"); err != nil || len(left) != 0 {
		t.Errorf("something was run: %v, %v", left, err)
	}
}
