package reading

import (
	"path/filepath"

	"dowse/indexer/extract/pdf"
	"dowse/internal/config"
	"dowse/internal/home"
	"dowse/models"
)

// Settings are what the settings of a home say about reading files.
type Settings struct {
	Home    home.Home
	Extract config.Extraction
	Threads int
}

// Of returns those of a home.
func Of(h home.Home, c config.Config) Settings {
	return Settings{Home: h, Extract: c.Extract, Threads: c.Threads}
}

// Use has files read by PDFium, by tesseract and by the programs of the settings. It holds for
// the whole process.
func (s Settings) Use() {
	s.usePDFium()
	s.useMedia()
	s.useOCR()
}

// usePDFium has PDF files read by the PDFium of this home's caches.
func (s Settings) usePDFium() {
	pdf.Use(pdf.Options{Find: s.FindPDFium, Cache: filepath.Join(s.Home.Cache, "runtime", "compiled")})
}

// FindPDFium looks for PDFium in all caches.
func (s Settings) FindPDFium() (path string, err error) {
	for _, cache := range s.Home.Caches() {
		if path, err = models.FindPDFium(cache); err == nil {
			return path, nil
		}
	}
	return "", err
}
