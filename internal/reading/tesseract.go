package reading

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"dowse/indexer/document"
	"dowse/indexer/extract/ocr"
	"dowse/indexer/skip"
	"dowse/internal/child"
)

// Tesseract is the program that reads pictures.
const Tesseract = "tesseract"

// tesseractText is how many bytes it may print of a page: a newspaper has some 50,000.
const tesseractText = 4 << 20

// useOCR has pictures read by tesseract, in the languages of the settings, or not at all.
func (s Settings) useOCR() {
	if s.Extract.OCR == "" {
		ocr.Use(ocr.Options{})
		return
	}
	ocr.Use(ocr.Options{Read: s.readPicture, Time: s.Extract.Time, AtOnce: s.Threads})
}

// readPicture returns what tesseract reads in a picture.
func (s Settings) readPicture(ctx context.Context, picture []byte) (string, error) {
	out, err := child.Filter{
		Program: Tesseract,
		Args:    []string{"stdin", "stdout", "-l", s.Extract.OCR},
		Input:   picture,
		// As many run as there are workers, so that each has one core.
		Env:       []string{"OMP_THREAD_LIMIT=1"},
		MaxOutput: tesseractText,
	}.Run(ctx)
	var failed *child.ExitError
	switch {
	case errors.Is(err, child.ErrMissing):
		return "", noOCR{fmt.Errorf("extract.ocr asks for tesseract, which is not installed; %s", s.InstallTesseract())}
	case errors.As(err, &failed) && isAboutLanguages(failed.Said):
		return "", noOCR{fmt.Errorf("tesseract cannot read extract.ocr = %q: %s; dowse doctor says which languages it has", s.Extract.OCR, failed.Said)}
	}
	return string(out), err
}

// noOCR is a document.ErrNoReader that says what is missing.
type noOCR struct{ error }

func (noOCR) Is(target error) bool { return target == document.ErrNoReader }

// isAboutLanguages reports whether tesseract says that it has not what a language takes.
func isAboutLanguages(said string) bool {
	return slices.ContainsFunc([]string{"initialize tesseract", "load any languages", "opening data file"}, func(part string) bool {
		return strings.Contains(said, part)
	})
}

// InstallTesseract says how to get tesseract, with its languages.
func (s Settings) InstallTesseract() string {
	return getTesseract(runtime.GOOS, s.Languages(), func(name string) bool {
		_, err := child.Find(name)
		return err == nil
	})
}

// getTesseract is the line that gets tesseract on a system that has some programs.
func getTesseract(system string, languages []string, has func(name string) bool) string {
	packages := func(prefix string) string {
		names := ""
		for _, l := range languages {
			if l = filepath.Base(l); l != "eng" && l != "osd" {
				names += " " + prefix + strings.ReplaceAll(l, "_", "-")
			}
		}
		return names
	}
	switch {
	case system == "windows":
		return "its installer is at https://github.com/UB-Mannheim/tesseract/wiki"
	case has("apt"):
		return "get it by: sudo apt install tesseract-ocr" + packages("tesseract-ocr-")
	case has("dnf"):
		return "get it by: sudo dnf install tesseract" + strings.ReplaceAll(packages("tesseract-langpack-"), "chi-", "chi_")
	case has("pacman"):
		return "get it by: sudo pacman -S tesseract tesseract-data-eng"
	case system == "darwin", has("brew"):
		return "get it by: brew install tesseract tesseract-lang"
	}
	return "get it by the packages of your system, or from https://tesseract-ocr.github.io"
}

// Languages are those of the settings.
func (s Settings) Languages() []string {
	if s.Extract.OCR == "" {
		return nil
	}
	return strings.Split(s.Extract.OCR, "+")
}

// OCRHint says how to have files read that were left out as pictures of text; "" if there are none
// or OCR is on.
func (s Settings) OCRHint(skipped map[string]int) string {
	n := skipped[string(skip.NoText)]
	if n == 0 || s.Extract.OCR != "" {
		return ""
	}
	what := "1 file has pictures and no text"
	if n > 1 {
		what = fmt.Sprintf("%d files have pictures and no text", n)
	}
	hint := fmt.Sprintf("%s; to have them read by OCR, put the line extract.ocr = \"eng\" first into %s", what, s.Home.ConfigFile())
	if _, err := child.Find(Tesseract); err != nil {
		hint += ", and get tesseract: " + strings.TrimPrefix(s.InstallTesseract(), "get it by: ")
	}
	return hint
}
