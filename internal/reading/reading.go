package reading

import (
	"path/filepath"

	"dowse/indexer/extract/pdf"
	"dowse/internal/config"
	"dowse/internal/home"
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

// Use has PDFium kept compiled in this home's cache, and files read by tesseract and by the programs of the settings. It holds for
// the whole process.
func (s Settings) Use() {
	pdf.KeepIn(filepath.Join(s.Home.Cache, "runtime", "compiled"))
	s.useMedia()
	s.useOCR()
}
