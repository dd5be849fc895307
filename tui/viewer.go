package tui

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// viewerVariable names the program that opens other formats than text.
const viewerVariable = "DOWSE_VIEWER"

var errNoViewer = errors.New("no program to open it with: set $" + viewerVariable + ", for example export " + viewerVariable + "=zathura")

// pageForm is the syntax by which a viewer takes a page.
type pageForm int

const (
	letterPage   pageForm = iota + 1 // -P PAGE FILE
	indexPage                        // -i PAGE FILE
	smallPage                        // -p PAGE FILE
	behindPage                       // FILE PAGE
	hashPage                         // FILE#PAGE
	longPage                         // -page PAGE FILE
	fragmentPage                     // file:///FILE#page=PAGE
)

// pageForms are the known viewers of PDF.
var pageForms = map[string]pageForm{
	"zathura": letterPage, "evince": indexPage, "papers": indexPage, "atril": indexPage, "xreader": indexPage,
	"okular": smallPage, "mupdf": behindPage, "mupdf-gl": behindPage, "mupdf-x11": behindPage, "xpdf": behindPage,
	"qpdfview": hashPage, "SumatraPDF": longPage, "sumatrapdf": longPage,
	"firefox": fragmentPage, "chromium": fragmentPage, "google-chrome": fragmentPage, "brave-browser": fragmentPage,
}

// pageViewers are tried in order for a page of a PDF: pure viewers that can
// open at it.
var pageViewers = []string{"zathura", "evince", "papers", "okular", "mupdf", "atril", "xreader", "qpdfview", "xpdf"}

// openers are the desktop's commands to open a file.
var openers = map[string]string{"darwin": "open", "windows": "explorer"}

// chooseViewer returns the command for a file of another format: the
// environment's, a viewer that can go to the page, or the desktop's; else
// errNoViewer.
func chooseViewer(o Options, path string, page int) (string, error) {
	if command := o.Getenv(viewerVariable); strings.TrimSpace(command) != "" {
		return command, nil
	}
	if !hasDesktop(o.Getenv) {
		return "", errNoViewer
	}
	var names []string
	if page > 0 && strings.EqualFold(filepath.Ext(path), ".pdf") {
		names = append(names, pageViewers...)
	}
	opener := openers[runtime.GOOS]
	if opener == "" {
		opener = "xdg-open"
	}
	for _, name := range append(names, opener) {
		if _, err := o.LookPath(name); err == nil {
			return name, nil
		}
	}
	return "", errNoViewer
}

// revealCommand returns the words that show a file in its folder on the desktop, or
// the folder where no program can point at a file; nil where nothing can.
func revealCommand(o Options, path string) []string {
	switch {
	case runtime.GOOS == "darwin":
		return []string{"open", "-R", path}
	case runtime.GOOS == "windows":
		return []string{"explorer", "/select," + path}
	case !hasDesktop(o.Getenv):
		return nil
	}
	if _, err := o.LookPath("xdg-open"); err != nil {
		return nil
	}
	return []string{"xdg-open", filepath.Dir(path)}
}

// hasDesktop reports whether a program may open a window. On macOS and Windows
// there is always a desktop; elsewhere the environment names it.
func hasDesktop(getenv func(string) string) bool {
	return openers[runtime.GOOS] != "" || getenv("DISPLAY") != "" || getenv("WAYLAND_DISPLAY") != ""
}

// viewerCommand returns the words that open path at a page, 0 for the start,
// and whether it goes there.
func viewerCommand(command, path string, page int) (args []string, there bool, err error) {
	if args, err = splitCommand(command); err != nil {
		return nil, false, fmt.Errorf("%w; check $%s", err, viewerVariable)
	}
	number := strconv.Itoa(page)
	form := pageForms[strings.TrimSuffix(filepath.Base(args[0]), ".exe")]
	if page <= 0 {
		form = 0
	}
	switch form {
	case letterPage:
		return append(args, "-P", number, path), true, nil
	case indexPage:
		return append(args, "-i", number, path), true, nil
	case smallPage:
		return append(args, "-p", number, path), true, nil
	case behindPage:
		return append(args, path, number), true, nil
	case hashPage:
		return append(args, path+"#"+number), true, nil
	case longPage:
		return append(args, "-page", number, path), true, nil
	case fragmentPage:
		link := url.URL{Scheme: "file", Path: filepath.ToSlash(path), Fragment: "page=" + number}
		return append(args, link.String()), true, nil
	}
	return append(args, path), false, nil
}
