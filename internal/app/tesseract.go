package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"dowse/engine"
	"dowse/indexer/document"
	"dowse/indexer/extract/ocr"
	"dowse/indexer/skip"
	"dowse/internal/child"
)

// tesseract is the program that reads pictures.
const tesseract = "tesseract"

// tesseractText is how many bytes it may print of a page: a newspaper has some 50,000.
const tesseractText = 4 << 20

// useOCR has pictures read by tesseract, in the languages of the settings, or not at all.
func (a *App) useOCR() {
	if a.Config.Extract.OCR == "" {
		ocr.Use(ocr.Options{})
		return
	}
	ocr.Use(ocr.Options{Read: a.readPicture, Time: a.Config.Extract.Time, AtOnce: a.Config.Threads})
}

// readPicture returns what tesseract reads in a picture.
func (a *App) readPicture(ctx context.Context, picture []byte) (string, error) {
	out, err := child.Filter{
		Program: tesseract,
		Args:    []string{"stdin", "stdout", "-l", a.Config.Extract.OCR},
		Input:   picture,
		// As many run as there are workers, so that each has one core.
		Env:       []string{"OMP_THREAD_LIMIT=1"},
		MaxOutput: tesseractText,
	}.Run(ctx)
	var failed *child.ExitError
	switch {
	case errors.Is(err, child.ErrMissing):
		return "", noOCR{fmt.Errorf("extract.ocr asks for tesseract, which is not installed; %s", a.getTesseract())}
	case errors.As(err, &failed) && isAboutLanguages(failed.Said):
		return "", noOCR{fmt.Errorf("tesseract cannot read extract.ocr = %q: %s; dowse doctor says which languages it has", a.Config.Extract.OCR, failed.Said)}
	}
	return string(out), err
}

// noOCR is a document.ErrNoReader that says what is missing.
type noOCR struct{ error }

func (noOCR) Is(target error) bool { return target == document.ErrNoReader }

// isAboutLanguages reports whether tesseract says that it has not what a language takes.
func isAboutLanguages(said string) bool {
	return slices.ContainsFunc([]string{"initialize tesseract", "load any languages", "opening data file"}, func(s string) bool {
		return strings.Contains(said, s)
	})
}

// readers names the programs of the person's that read files, and their settings, as far as
// another one may find a text where this one found none.
func (a *App) readers() string {
	e := a.Config.Extract
	var out []string
	if e.OCR != "" {
		path, _ := child.Find(tesseract) // one that is missing leaves no file out for good
		version := ""
		if info, err := os.Stat(path); err == nil {
			version = fmt.Sprintf("%d %d", info.Size(), info.ModTime().Unix())
		}
		out = append(out, fmt.Sprintf("ocr %s in %v by %s %s", e.OCR, e.Time, path, version))
	}
	for what, command := range map[string][]string{"picture": e.Picture, "sound": e.Sound} {
		if len(command) > 0 {
			out = append(out, fmt.Sprintf("%s %q in %v", what, command, e.Time))
		}
	}
	slices.Sort(out)
	return strings.Join(out, "; ")
}

// getTesseract says how to get tesseract, with its languages.
func (a *App) getTesseract() string {
	return getTesseract(runtime.GOOS, a.ocrLanguages(), func(name string) bool {
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

// ocrLanguages are those of the settings.
func (a *App) ocrLanguages() []string {
	if a.Config.Extract.OCR == "" {
		return nil
	}
	return strings.Split(a.Config.Extract.OCR, "+")
}

// OCRHint says what to do about files that were left out because they have pictures where
// text would be, "" where that is nothing.
func (a *App) OCRHint(skipped map[string]int) string {
	n := skipped[string(skip.NoText)]
	if n == 0 || a.Config.Extract.OCR != "" {
		return ""
	}
	what := "1 file has pictures and no text"
	if n > 1 {
		what = fmt.Sprintf("%d files have pictures and no text", n)
	}
	hint := fmt.Sprintf("%s; to have them read by OCR, put the line extract.ocr = \"eng\" first into %s", what, a.Home.ConfigFile())
	if _, err := child.Find(tesseract); err != nil {
		hint += ", and get tesseract: " + strings.TrimPrefix(a.getTesseract(), "get it by: ")
	}
	return hint
}

// checkOCR says whether pictures are read, and with what.
func (a *App) checkOCR(ctx context.Context) Finding {
	const topic = "ocr"
	asked := a.ocrLanguages()
	if len(asked) == 0 {
		if hint := a.OCRHint(a.leftOut(ctx)); hint != "" {
			return Finding{topic, Warning, hint}
		}
		return Finding{topic, Fine, "not asked for; extract.ocr in the settings has pages that are pictures read"}
	}
	out, err := child.Output(ctx, os.TempDir(), tesseract, "--list-langs")
	if errors.Is(err, child.ErrMissing) {
		return Finding{topic, Warning, "extract.ocr asks for tesseract, which is not installed; " + a.getTesseract()}
	}
	if err != nil {
		return Finding{topic, Warning, fmt.Sprintf("tesseract does not say which languages it has: %v", err)}
	}
	var has, missing []string
	for line := range strings.Lines(string(out)) {
		if name := strings.TrimSpace(line); name != "" && name != "osd" && !strings.Contains(name, " ") {
			has = append(has, name)
		}
	}
	for _, language := range asked {
		if !slices.Contains(has, language) {
			missing = append(missing, language)
		}
	}
	if len(missing) > 0 {
		return Finding{topic, Warning, fmt.Sprintf("tesseract has not %s of extract.ocr = %q, but %s; %s",
			strings.Join(missing, ", "), a.Config.Extract.OCR, strings.Join(has, ", "), getIt(a.getTesseract()))}
	}
	path, err := child.Find(tesseract)
	if err != nil {
		return Finding{topic, Warning, err.Error()}
	}
	return Finding{topic, Fine, fmt.Sprintf("pictures are read by %s in %s", path, strings.Join(asked, ", "))}
}

// getIt makes of how to get tesseract how to get what it lacks.
func getIt(how string) string { return strings.Replace(how, "get it by", "get that by", 1) }

// leftOut counts what the index left out; nil where nobody can say.
func (a *App) leftOut(ctx context.Context) map[string]int {
	service, err := a.Open(ctx, Read)
	if err != nil {
		return nil
	}
	var st *engine.Status
	st, err = service.Status(ctx)
	if errors.Join(err, service.Close()) != nil {
		return nil
	}
	return st.Skipped
}
