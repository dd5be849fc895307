package reading

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dowse/indexer/document"
	"dowse/indexer/extract/ocr"
	"dowse/internal/config"
	"dowse/internal/home"
	"dowse/internal/testenv"
)

// withOCR are settings that ask for OCR.
func withOCR(t *testing.T, languages string) *Settings {
	t.Helper()
	folder := t.TempDir()
	a := Of(home.Home{Config: folder, Data: filepath.Join(folder, "index"), Cache: filepath.Join(folder, "cache")}, config.Default())
	a.Extract.OCR, a.Extract.Time = languages, 20*time.Second
	t.Cleanup(func() { ocr.Use(ocr.Options{}) })
	a.useOCR()
	return &a
}

func TestTesseractReads(t *testing.T) {
	testenv.OneProgram(t, Tesseract, `read -r picture
echo "the words of $picture, asked as $1 $2 $3 $4 with $OMP_THREAD_LIMIT core"
`)
	withOCR(t, "eng+deu")
	text, err := ocr.Text(t.Context(), []byte("a roof\n"))
	if want := "the words of a roof, asked as stdin stdout -l eng+deu with 1 core"; err != nil || text != want {
		t.Errorf("%q, %v", text, err)
	}
}

func TestTesseractFails(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		want   error
		says   string
	}{
		"missing":    {"", document.ErrNoReader, "extract.ocr asks for tesseract, which is not installed; get it "},
		"a language": {"echo \"Error opening data file xyz.traineddata\nCould not initialize tesseract.\" >&2\nexit 1\n", document.ErrNoReader, "tesseract cannot read extract.ocr = \"xyz\": Error opening data file"},
		"a picture":  {"echo 'Image file cannot be read!' >&2\nexit 1\n", nil, "tesseract failed: Image file cannot be read! (exit status 1)"},
		"endless":    {"while :; do echo 'more and more and more and more and more and more and more words'; done\n", nil, "it prints more than is read of one file"},
		"hangs":      {"while :; do :; done\n", ocr.ErrSlow, "took too long"},
	} {
		t.Run(name, func(t *testing.T) {
			testenv.OneProgram(t, Tesseract, c.script)
			a := withOCR(t, "xyz")
			if errors.Is(c.want, ocr.ErrSlow) {
				a.Extract.Time = 100 * time.Millisecond
				a.useOCR()
			}
			_, err := ocr.Text(t.Context(), []byte("a roof\n"))
			if err == nil || !strings.Contains(err.Error(), c.says) || c.want != nil && !errors.Is(err, c.want) || c.want == nil && errors.Is(err, document.ErrNoReader) {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestTheRealTesseract asks the one that is installed.
func TestTheRealTesseract(t *testing.T) {
	if _, err := exec.LookPath(Tesseract); err != nil {
		t.Skip("tesseract is not installed")
	}
	a := withOCR(t, "xyz")
	if _, err := a.readPicture(t.Context(), []byte("P5\n1 1\n255\nx")); !errors.Is(err, document.ErrNoReader) || !strings.Contains(err.Error(), "\"xyz\"") {
		t.Errorf("a language that it has not: %v", err)
	}
}

func TestOCRHint(t *testing.T) {
	testenv.OneProgram(t, Tesseract, "")
	a := withOCR(t, "")
	for skipped, want := range map[int]string{0: "", 1: "1 file has pictures", 12: "12 files have pictures and no text; to have them read by OCR, put the line extract.ocr = \"eng\" first into " + a.Home.ConfigFile() + ", and get tesseract: "} {
		if got := a.OCRHint(map[string]int{"no text": skipped, "binary": 5}); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%d: %q", skipped, got)
		}
	}
	testenv.OneProgram(t, Tesseract, "exit 0\n")
	if got := a.OCRHint(map[string]int{"no text": 1}); strings.Contains(got, "get tesseract") {
		t.Error(got)
	}
	if got := withOCR(t, "eng").OCRHint(map[string]int{"no text": 1}); got != "" {
		t.Error(got)
	}
}

func TestGetTesseract(t *testing.T) {
	for _, c := range [][3]string{
		{"linux", "apt", "sudo apt install tesseract-ocr tesseract-ocr-deu tesseract-ocr-chi-sim"},
		{"linux", "dnf", "sudo dnf install tesseract tesseract-langpack-deu tesseract-langpack-chi_sim"},
		{"darwin", "", "brew install tesseract tesseract-lang"},
		{"linux", "", "packages of your system"},
		{"windows", "", "installer"},
	} {
		has := func(name string) bool { return name == c[1] }
		if got := getTesseract(c[0], []string{"eng", "deu", "chi_sim"}, has); !strings.Contains(got, c[2]) {
			t.Errorf("%s with %s: %s", c[0], c[1], got)
		}
	}
}

// TestSignature: what has files read again that were left out.
func TestSignature(t *testing.T) {
	testenv.OneProgram(t, Tesseract, "exit 0\n")
	seen := map[string]string{}
	for name, a := range map[string]*Settings{"none": withOCR(t, ""), "eng": withOCR(t, "eng"), "deu": withOCR(t, "deu"), "a command": withOCR(t, "eng")} {
		if name == "a command" {
			a.Extract.Picture = []string{"describe", "{}"}
		}
		by := a.Signature()
		if other := seen[by]; other != "" || strings.ContainsRune(by, 0) || by != a.Signature() || (by == "") != (name == "none") {
			t.Errorf("%s and %q are read by %q", name, other, by)
		}
		seen[by] = name
	}
}
