package app

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"dowse/engine"
)

func TestPartsAreCopiedForAViewer(t *testing.T) {
	dir := t.TempDir()
	a := &App{}
	a.Home.Runtime = filepath.Join(dir, "runtime")
	box := filepath.Join(dir, "Inbox")
	data := "From ann@example.org Mon Jan  5 10:00:00 2026\nFrom: ann@example.org\nSubject: Hail\nContent-Type: multipart/mixed; boundary=B\n\n" +
		"--B\n\nIt hailed.\n--B\nContent-Type: text/csv; name=costs.csv\n\nItem,Cost\nLead,340\nTiles,1200\n--B--\n"
	if err := os.WriteFile(box, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	message := engine.LocatorPart{Unit: "message", Number: 1, Name: "Hail"}
	row := engine.LocatorPart{Unit: "row", Number: 3}
	place := engine.Locator{Label: "message 1 (Hail), attachment costs.csv, row 3", Parts: []engine.LocatorPart{message, {Unit: "attachment", Name: "costs.csv"}, row}}
	file, where, err := a.OpenPart(t.Context(), box, place)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil || filepath.Base(file) != "costs.csv" || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("%s: %v, %v", file, info, err)
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != "Item,Cost\nLead,340\nTiles,1200" {
		t.Errorf("%q, %v", got, err)
	}
	if where.Locator == nil || where.Locator.Label != "row 3" {
		t.Errorf("within it at %+v", where.Locator)
	}

	// What was opened two days ago goes with the next one.
	old := time.Now().Add(-2 * openedFor)
	if err := os.Chtimes(filepath.Dir(file), old, old); err != nil {
		t.Fatal(err)
	}
	if file2, where, err := a.OpenPart(t.Context(), box, engine.Locator{Parts: place.Parts[:1]}); err != nil || filepath.Base(file2) != "message 1.eml" || where.Locator != nil {
		t.Errorf("%s at %+v: %v", file2, where.Locator, err)
	}
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an old copy: %v", err)
	}

	for _, p := range []engine.LocatorPart{{Unit: "page", Number: 3}, {Unit: "message", Number: 2, Name: "Hail"}} {
		if _, _, err := a.OpenPart(t.Context(), box, engine.Locator{Label: "it", Parts: []engine.LocatorPart{p}}); !errors.Is(err, engine.ErrNoPart) {
			t.Errorf("%s: %v", p.Unit, err)
		}
	}
}

// Whoever sends a mail chooses the names in it.
func TestNamesOfCopiesAreHarmless(t *testing.T) {
	long := string(make([]byte, 300))
	for name, want := range map[string]string{
		"offer.pdf": "offer.pdf", "a/b/../c.DOCX": "c.DOCX", `C:\x\y.odt`: "y.odt", "../../etc/passwd": "passwd.txt", "run.desktop": "run.desktop.txt",
		"go.URL": "go.URL.txt", "go.webloc": "go.webloc.txt",
		"a.sh": "a.sh.txt", "page.html": "page.html", "-rf.md": "rf.md", "..": "part.txt", "": "part.txt", "x\u202efdp.exe": "x_fdp.exe.txt", "a\nb.csv": "a_b.csv",
		long + ".pdf": "", // shortened
	} {
		got := partName(name)
		if want != "" && got != want || len(got) > 104 || filepath.Base(got) != got {
			t.Errorf("%.40q becomes %q, want %q", name, got, want)
		}
	}
}
