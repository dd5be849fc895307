package mail_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"dowse/indexer/extract"
)

// samplesVariable names a folder of messages that this project did not write. The test
// of the words is skipped without it.
const samplesVariable = "DOWSE_MAIL_SAMPLES"

// TestWordsAreThoseOfPython compares with Python's email package, on messages with odd encodings that a script
// writes and on those of the folder.
func TestWordsAreThoseOfPython(t *testing.T) {
	samples := os.Getenv(samplesVariable)
	python, err := exec.LookPath("python3")
	if samples == "" || err != nil {
		t.Skipf("%s names no folder of messages, or there is no python3", samplesVariable)
	}
	odd := t.TempDir()
	if out, err := exec.Command(python, "testdata/odd.py", odd, "1000").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, c := range []struct {
		folder string
		least  float64 // recall of all words
	}{{odd, 0.99}, {samples, 0.99}} {
		var shares []float64
		found, wanted := 0, 0
		for file, want := range reference(t, python, c.folder) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(data), "message/partial") { // base64 that Python leaves as it is
				continue
			}
			d, err := extract.Bytes(context.Background(), file, data, extract.Options{})
			if err != nil {
				if len(want) > 0 {
					t.Logf("%s: %v", file, err)
				}
				continue
			}
			f, n := recall(words(d.Text), want)
			if n == 0 {
				continue
			}
			share := float64(f) / float64(n)
			if d.Format == "mbox" { // quotations stand in it once
				t.Logf("%s: %.3f of %d words, a mailbox", file, share, n)
				continue
			}
			found, wanted = found+f, wanted+n
			if share < 0.99 {
				t.Logf("%s: %.3f of %d words, as %s", file, share, n, d.Format)
			}
			shares = append(shares, share)
		}
		if len(shares) == 0 {
			t.Fatalf("%s has no messages", c.folder)
		}
		slices.Sort(shares)
		bad, _ := slices.BinarySearch(shares, 0.99)
		total := float64(found) / float64(wanted)
		t.Logf("%s: %d files: least %.3f, median %.3f, %d below 0.99, all words %.4f of %d", c.folder, len(shares), shares[0], shares[len(shares)/2], bad, total, wanted)
		if total < c.least {
			t.Errorf("%s: %.4f of the words", c.folder, total)
		}
	}
}

// reference returns the words that Python finds in the files of a folder.
func reference(t *testing.T, python, folder string) map[string]map[string]int {
	t.Helper()
	var names bytes.Buffer
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			names.WriteString(path + "\n")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, "testdata/reference.py")
	cmd.Stdin = &names
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]map[string]int{}
	for line := range bytes.Lines(out) {
		var r struct {
			File  string
			Words map[string]int
		}
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		all[r.File] = r.Words
	}
	return all
}

// recall returns how many of the wanted words stand in a text, and how many are wanted.
func recall(have, want map[string]int) (found, wanted int) {
	for w, n := range want {
		found += min(n, have[w])
		wanted += n
	}
	return found, wanted
}

// words counts the words of three letters or more.
func words(text string) map[string]int {
	counts := map[string]int{}
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if len([]rune(w)) >= 3 {
			counts[strings.ToLower(w)]++
		}
	}
	return counts
}
