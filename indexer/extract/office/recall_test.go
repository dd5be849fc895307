package office

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"dowse/indexer/document"
)

// TestRecall compares what is read of files not made here with what other programs read:
// pandoc, or whatever wrote FILE.ref beside them. It prints the words that both have, of those
// of the other program.
func TestRecall(t *testing.T) {
	folder := os.Getenv("DOWSE_OFFICE_FILES")
	if folder == "" {
		t.Skip("DOWSE_OFFICE_FILES names no folder of office files")
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	recalls := map[string][]float64{}
	type speed struct {
		files, bytes, text int
		took               time.Duration
	}
	speeds := map[string]*speed{}
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f := formatOf(path, data)
		if f == nil {
			continue
		}
		began := time.Now()
		d, err := f.Read(t.Context(), document.NewInput(path, data, document.DefaultLimits))
		took := time.Since(began)
		want, ok := reference(path)
		switch {
		case err != nil:
			t.Logf("%s: %v (reference has %d words)", e.Name(), err, len(words(want)))
			continue
		case !ok:
			continue
		}
		s := speeds[f.Name]
		if s == nil {
			s = &speed{}
			speeds[f.Name] = s
		}
		s.files, s.bytes, s.text, s.took = s.files+1, s.bytes+len(data), s.text+len(d.Text), s.took+took
		share, all, lost := recall(want, d.Text)
		if all == 0 {
			continue
		}
		recalls[f.Name] = append(recalls[f.Name], share)
		if share < 0.99 || testing.Verbose() && os.Getenv("DOWSE_OFFICE_EACH") != "" {
			t.Logf("%s: %.4f of %d words; lost %q", e.Name(), share, all, lost[:min(len(lost), 12)])
		}
	}
	for name, r := range recalls {
		slices.Sort(r)
		s := speeds[name]
		t.Logf("%-5s %3d files, recall: least %.4f, median %.4f, below 0.99: %d; %.1f MB/s of file, %.1f of text", name, len(r), r[0], r[len(r)/2],
			len(r)-count(r), float64(s.bytes)/1e6/s.took.Seconds(), float64(s.text)/1e6/s.took.Seconds())
	}
}

// count returns how many files are read well enough.
func count(recalls []float64) int {
	n := 0
	for _, r := range recalls {
		if r >= 0.99 {
			n++
		}
	}
	return n
}

func formatOf(path string, data []byte) *document.Format {
	for i := range Formats {
		if Formats[i].Is(filepath.Base(path), data[:min(len(data), formatHead)]) {
			return &Formats[i]
		}
	}
	return nil
}

// reference returns what another program reads.
func reference(path string) (string, bool) {
	if text, err := os.ReadFile(path + ".ref"); err == nil {
		return string(text), true
	}
	if os.Getenv("DOWSE_OFFICE_PANDOC") == "" {
		return "", false
	}
	text, err := exec.Command("pandoc", "-t", "plain", "--wrap=none", path).Output()
	return string(text), err == nil
}

// words returns those of three letters and more.
func words(text string) []string {
	return slices.DeleteFunc(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }), func(w string) bool {
		return len([]rune(w)) < 3
	})
}

// recall returns the share of the words of want that got has, each as often, and those
// that it lacks.
func recall(want, got string) (share float64, all int, lost []string) {
	have := map[string]int{}
	for _, w := range words(got) {
		have[w]++
	}
	wanted := words(want)
	for _, w := range wanted {
		if have[w]--; have[w] < 0 {
			lost = append(lost, w)
		}
	}
	if len(wanted) == 0 {
		return 1, 0, nil
	}
	return 1 - float64(len(lost))/float64(len(wanted)), len(wanted), lost
}

// text reads a file made in a test.
func text(t *testing.T, name string, data []byte) *document.Document {
	t.Helper()
	f := formatOf(name, data)
	if f == nil {
		t.Fatalf("%s is of no format", name)
	}
	d, err := f.Read(t.Context(), document.NewInput(name, data, document.DefaultLimits))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// labels returns the places of a document in their order.
func labels(d *document.Document) []string {
	var all []string
	for _, p := range d.Places {
		all = append(all, fmt.Sprint(document.Label(p.Parts)))
	}
	return all
}
