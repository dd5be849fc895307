package app

import (
	"fmt"
	"path/filepath"

	"dowse/indexer/extract/pdf"
	"dowse/models"
)

// usePDFium has PDF files read by the PDFium of this home's caches.
func (a *App) usePDFium() {
	pdf.Use(pdf.Options{Find: a.findPDFium, Cache: filepath.Join(a.Home.Cache, "runtime", "compiled")})
}

// findPDFium looks for PDFium in all caches.
func (a *App) findPDFium() (path string, err error) {
	for _, cache := range a.Home.Caches() {
		if path, err = models.FindPDFium(cache); err == nil {
			return path, nil
		}
	}
	return "", err
}

// checkPDFium says whether PDF files are read.
func (a *App) checkPDFium() Finding {
	path, err := a.findPDFium()
	if err != nil {
		return Finding{"pdf", Warning, fmt.Sprintf("PDF files are left out: %v", err)}
	}
	return Finding{"pdf", Fine, "read by " + path}
}
