package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"dowse/engine"
	"dowse/internal/child"
	"dowse/internal/indexes"
	"dowse/internal/reading"
)

// checkMedia says of each of these programs whether it is found.
func (e examination) checkMedia() (findings []Finding) {
	for _, each := range []struct {
		topic, of string
		command   []string
	}{{"pictures", "described", e.Config.Extract.Picture}, {"sound", "written down", e.Config.Extract.Sound}} {
		if len(each.command) == 0 {
			continue
		}
		path, err := child.Find(each.command[0])
		if err != nil {
			findings = append(findings, Finding{each.topic, Warning, fmt.Sprintf("not %s: the program %s is not there: %v", each.of, each.command[0], err)})
			continue
		}
		findings = append(findings, Finding{each.topic, Fine, fmt.Sprintf("%s by %s", each.of, path)})
	}
	return findings
}

// checkOCR says whether pictures are read, and with what.
func (e examination) checkOCR(ctx context.Context) Finding {
	const topic = "ocr"
	asked := e.reading.Languages()
	if len(asked) == 0 {
		if hint := e.reading.OCRHint(e.leftOut(ctx)); hint != "" {
			return Finding{topic, Warning, hint}
		}
		return Finding{topic, Fine, "not asked for; extract.ocr in the settings has pages that are pictures read"}
	}
	out, err := child.Output(ctx, os.TempDir(), reading.Tesseract, "--list-langs")
	if errors.Is(err, child.ErrMissing) {
		return Finding{topic, Warning, "extract.ocr asks for tesseract, which is not installed; " + e.reading.InstallTesseract()}
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
			strings.Join(missing, ", "), e.Config.Extract.OCR, strings.Join(has, ", "), getIt(e.reading.InstallTesseract()))}
	}
	path, err := child.Find(reading.Tesseract)
	if err != nil {
		return Finding{topic, Warning, err.Error()}
	}
	return Finding{topic, Fine, fmt.Sprintf("pictures are read by %s in %s", path, strings.Join(asked, ", "))}
}

// getIt makes of how to get tesseract how to get what it lacks.
func getIt(how string) string { return strings.Replace(how, "get it by", "get that by", 1) }

// leftOut counts the files that the index left out, by reason; nil where it cannot be opened.
func (e examination) leftOut(ctx context.Context) map[string]int {
	service, err := e.Open(ctx, indexes.Read)
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
