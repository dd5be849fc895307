package tui

import (
	"errors"
	"os/exec"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"dowse/engine"
)

func TestViewerIsToldThePage(t *testing.T) {
	const file = "/home/ann/my report.pdf"
	for command, want := range map[string][]string{
		"zathura":             {"zathura", "-P", "7", file},
		"/usr/bin/evince":     {"/usr/bin/evince", "-i", "7", file},
		"okular --unique":     {"okular", "--unique", "-p", "7", file},
		"mupdf":               {"mupdf", file, "7"},
		"qpdfview":            {"qpdfview", file + "#7"},
		"SumatraPDF.exe":      {"SumatraPDF.exe", "-page", "7", file},
		"firefox":             {"firefox", "file:///home/ann/my%20report.pdf#page=7"},
		`"my viewer" --quick`: {"my viewer", "--quick", file},
	} {
		args, there, err := viewerCommand(command, file, 7)
		if err != nil || !reflect.DeepEqual(args, want) || there == strings.Contains(command, "my viewer") {
			t.Errorf("%s: %q, there %v, error %v", command, args, there, err)
		}
		args, there, err = viewerCommand(command, file, 0)
		if err != nil || there || args[len(args)-1] != file || slices.Contains(args, "0") {
			t.Errorf("%s without a page: %q, there %v, error %v", command, args, there, err)
		}
	}
}

func TestViewerIsChosen(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("other systems have another opener")
	}
	installed := []string{"okular", "evince", "xdg-open"}
	variable, display := "", ":0"
	o := Options{
		Getenv: func(name string) string {
			return map[string]string{viewerVariable: variable, "DISPLAY": display}[name]
		},
		LookPath: func(name string) (string, error) {
			if slices.Contains(installed, name) {
				return "/usr/bin/" + name, nil
			}
			return "", exec.ErrNotFound
		},
	}
	for _, c := range []struct {
		path string
		page int
		want string
	}{{"/a.PDF", 3, "evince"}, {"/a.pdf", 0, "xdg-open"}, {"/a.ods", 0, "xdg-open"}, {"/a.djvu", 3, "xdg-open"}} {
		if got, err := chooseViewer(o, c.path, c.page); got != c.want || err != nil {
			t.Errorf("%s, page %d: %q, error %v", c.path, c.page, got, err)
		}
	}
	variable = "mupdf -r 90"
	if got, err := chooseViewer(o, "/a.pdf", 3); got != variable || err != nil {
		t.Errorf("%q, error %v", got, err)
	}
	variable, display = "", ""
	if got, err := chooseViewer(o, "/a.pdf", 3); !errors.Is(err, errNoViewer) {
		t.Errorf("without a desktop: %q, error %v", got, err)
	}
	display, installed = ":0", nil
	if _, err := chooseViewer(o, "/a.pdf", 3); !errors.Is(err, errNoViewer) {
		t.Errorf("error %v", err)
	}
}

// A long name of a part leaves room for that of the file.
func TestPlaceIsDrawnShort(t *testing.T) {
	where := engine.Where{Extracted: true, Locator: &engine.Locator{Label: "message 17 (Re: " + strings.Repeat("the roof ", 30) + "\x1b[31m)"}}
	if got := whereText(where, 1, 60); width(got) != 30 || !strings.HasPrefix(got, ", message 17 (Re: the roof") {
		t.Errorf("%q", got)
	}
	where.Locator.Label = "page \x1b[31m3"
	if got := whereText(where, 1, 60); strings.Contains(got, "\x1b") {
		t.Errorf("%q steers the terminal", got)
	}
}
