package chunk

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/indexer/extract"
)

// TestHeadingsGiveWhatWasEmbedded splits real files and asks for the text of
// every chunk again, given no more than its range.
func TestHeadingsGiveWhatWasEmbedded(t *testing.T) {
	folders := []string{"testdata", "../../testdata/notes", "../../docs", ".", "../../../shared/data/corpus/til", "../../../shared/data/formats/mixed"}
	files, chunks := 0, 0
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return nil //nolint:nilerr // a folder that is not here has no files
			}
			doc, err := extract.File(path, extract.Options{MaxBytes: 1 << 20})
			if err != nil {
				return nil //nolint:nilerr // not a text
			}
			files++
			for _, opts := range []Options{{Count: countWords}, {Count: countWords, MaxTokens: 40, MinTokens: 5}} {
				headings := ReadHeadings(doc, opts)
				for _, c := range Split(doc, opts) {
					chunks++
					if got, want := headings.EmbedText(c.Start, c.End), EmbedText(doc, c); got != want {
						t.Fatalf("%s: bytes %d to %d: got %q, embedded was %q", path, c.Start, c.End, got, want)
					}
					if got := headings.Heading(c.Start); got != c.Heading {
						t.Fatalf("%s: bytes %d to %d: heading %q, was %q", path, c.Start, c.End, got, c.Heading)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat("../../../shared/data/corpus/til"); err != nil {
		t.Log("the shared corpus is absent: checked on the project's own files alone")
	}
	t.Logf("%d chunks of %d files", chunks, files)
	if files < 30 {
		t.Errorf("only %d files were found", files)
	}
}

func countWords(text string) int { return len(strings.Fields(text)) }
