package doctor

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"dowse/internal/config"
	"dowse/internal/reading"
	"dowse/internal/testenv"
)

// withOCR examines a dowse whose settings ask for OCR.
func withOCR(t *testing.T, languages string) examination {
	t.Helper()
	a := bareApp(t)
	a.Config = config.Default()
	a.Config.Extract.OCR, a.Config.Extract.Time = languages, 20*time.Second
	return of(a)
}

func TestDoctorLooksAtTesseract(t *testing.T) {
	const lists = "echo 'List of available languages in \"/usr\" (3):'\necho deu\necho eng\necho osd\n"
	for _, c := range []struct {
		script, languages string
		level             Level
		says              string
	}{
		{lists, "", Fine, "not asked for"},
		{lists, "eng+deu", Fine, "tesseract in eng, deu"},
		{lists, "eng+fra", Warning, "tesseract has not fra of extract.ocr = \"eng+fra\", but deu, eng; get"},
		{"exit 1\n", "eng", Warning, "does not say which languages it has"},
		{"", "eng", Warning, "is not installed; get it"},
	} {
		testenv.OneProgram(t, reading.Tesseract, c.script)
		if f := withOCR(t, c.languages).checkOCR(t.Context()); f.Topic != "ocr" || f.Level != c.level || !strings.Contains(f.Detail, c.says) {
			t.Errorf("%q: %+v", c.languages, f)
		}
	}
}

// TestTheRealTesseract has the doctor ask the one that is installed.
func TestTheRealTesseract(t *testing.T) {
	if _, err := exec.LookPath(reading.Tesseract); err != nil {
		t.Skip("tesseract is not installed")
	}
	if f := withOCR(t, "eng").checkOCR(t.Context()); f.Level != Fine && !strings.Contains(f.Detail, "has not eng") {
		t.Errorf("%+v", f)
	}
	if f := withOCR(t, "xyz").checkOCR(t.Context()); f.Level != Warning || !strings.Contains(f.Detail, "has not xyz") {
		t.Errorf("%+v", f)
	}
}
