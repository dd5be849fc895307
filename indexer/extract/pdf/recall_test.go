package pdf

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"dowse/indexer/document"
)

// filesVariable names a folder of PDF files for TestRecall.
const filesVariable = "DOWSE_TEST_PDFS"

// minRecall is what pdftotext's words are found of, in the mean of the files.
const minRecall = 0.97

// TestRecall counts how many of the words of pdftotext are found, over the PDF files of a
// folder: words of three letters or more, each as often as it occurs, running headers and
// footers once, lines of contents and of an index never.
func TestRecall(t *testing.T) {
	folder := os.Getenv(filesVariable)
	if folder == "" {
		t.Skipf("%s names no folder of PDF files", filesVariable)
	}
	if _, err := exec.LookPath("pdftotext"); err != nil {
		t.Skipf("%v (Debian: poppler-utils)", err)
	}
	reader := newReader(t)
	files, err := filepath.Glob(filepath.Join(folder, "*.pdf"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no PDF files: %v", err)
	}
	var recalls []float64
	for _, file := range files {
		start := time.Now()
		text, err := exec.Command("pdftotext", "-enc", "UTF-8", file, "-").Output()
		theirs := time.Since(start)
		laid, _ := exec.Command("pdftotext", "-layout", "-enc", "UTF-8", file, "-").Output() // the same error
		if err != nil {
			t.Logf("%-40s pdftotext: %v", filepath.Base(file), err)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		start = time.Now()
		in := document.NewInput(file, data, document.DefaultLimits)
		in.Inner = func(context.Context, *document.Input) (*document.Document, error) { return nil, document.ErrNoReader } // of attachments
		d, err := reader.read(context.Background(), in)
		ours := time.Since(start)
		if err != nil {
			known := errors.Is(err, document.ErrNoText) || errors.Is(err, document.ErrEncrypted)
			if t.Logf("%-40s %v", filepath.Base(file), err); !known || len(words(string(text))) > 0 {
				t.Errorf("%s has words", file)
			}
			continue
		}
		if out := os.Getenv("DOWSE_TEST_TEXTS"); out != "" {
			base := filepath.Join(out, filepath.Base(file))
			if err := errors.Join(os.WriteFile(base+".ref", text, 0o600), os.WriteFile(base+".txt", []byte(d.Text), 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		got := words(d.Text)
		all, r := recall(words(string(text)), got), recall(words(withoutRunning(withoutContents(string(text), string(laid)))), got)
		recalls = append(recalls, r)
		t.Logf("%-40s %5.1f%% (%5.1f%% with running lines)  %4d pages  %6.2f MB  %7.0f ms, pdftotext %6.0f ms", filepath.Base(file), 100*r, 100*all, strings.Count(string(text), "\f"),
			float64(len(data))/1e6, ours.Seconds()*1000, theirs.Seconds()*1000)
	}
	slices.Sort(recalls)
	mean := 0.0
	for _, r := range recalls {
		mean += r / float64(len(recalls))
	}
	t.Logf("%d files: least %.1f%%, median %.1f%%, mean %.1f%%", len(recalls), 100*recalls[0], 100*recalls[len(recalls)/2], 100*mean)
	if mean < minRecall {
		t.Errorf("the mean is below %v", minRecall)
	}
}

// withoutRunning takes out of pdftotext's pages what it says on most of them, but for the
// first time: a Document says it once.
func withoutRunning(text string) string {
	pages := strings.Split(text, "\f")
	numbers := strings.NewReplacer("0", "", "1", "", "2", "", "3", "", "4", "", "5", "", "6", "", "7", "", "8", "", "9", "")
	count, seen := map[string]int{}, map[string]bool{}
	for _, page := range pages {
		once := map[string]bool{}
		for l := range strings.Lines(page) {
			if key := numbers.Replace(l); !once[key] {
				once[key] = true
				count[key]++
			}
		}
	}
	var out strings.Builder
	for _, page := range pages {
		for l := range strings.Lines(page) {
			key := numbers.Replace(l)
			if count[key] < max(runningLeast, int(runningShare*float64(len(pages)))) || !seen[key] {
				out.WriteString(l)
			}
			seen[key] = true
		}
	}
	return out.String()
}

// withoutContents leaves out pages of contents and of indexes: those of which half of the lines, as they are
// laid out, end in a page number or have dots that lead to one. A Document has their words where the numbers lead.
func withoutContents(text, laid string) string {
	pages := strings.Split(text, "\f")
	for p, page := range strings.Split(laid, "\f") {
		leaders, all := 0, 0
		for l := range strings.Lines(page) {
			if l = strings.TrimSpace(l); l == "" {
				continue
			}
			all++
			if e := leaderOf(l); len(e.numbers) > 0 && e.key != "" || strings.Contains(l, ". . .") {
				leaders++
			}
		}
		if leaders >= contentsLeast && 2*leaders >= all && p < len(pages) {
			pages[p] = ""
		}
	}
	return strings.Join(pages, "\f")
}

// words counts the words of a text; of scripts without spaces, the characters. Shapes that a
// letter has within a word (of Arabic, ligatures) are the letter: pdftotext keeps some.
func words(text string) map[string]int {
	counts := map[string]int{}
	for word := range strings.FieldsFuncSeq(norm.NFKC.String(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if strings.ContainsFunc(word, isWide) {
			for _, r := range word {
				counts[string(r)]++
			}
		} else if len([]rune(word)) >= 3 {
			counts[strings.ToLower(word)]++
		}
	}
	return counts
}

// recall is the share of the words of want that got has, 1 of none.
func recall(want, got map[string]int) float64 {
	found, total := 0, 0
	for word, n := range want {
		found += min(n, got[word])
		total += n
	}
	if total == 0 {
		return 1
	}
	return float64(found) / float64(total)
}
