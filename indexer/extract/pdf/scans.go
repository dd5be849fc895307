package pdf

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"dowse/indexer/document"
	"dowse/indexer/extract/ocr"
)

// A page that shows something and has no text, or an image over half of it and 64 characters at most, is drawn by PDFium in grey,
// at 300 dots an inch and 20 million pixels at most, by an instance of its own, and read by package ocr. Time is bounded by the
// pages: five minutes, and a quarter of what one may take for each.

const (
	// maxScans is how many pages of a file are read by OCR.
	maxScans = 3000
	// pageShare is the part of what OCR of a page may take that a page of a long file takes.
	pageShare = 4
	// maxFailures is how many pages may fail before the first one is read, and how many may
	// take too long, until no more are tried.
	maxFailures = 3
)

// scans reads pages that are pictures, by OCR.
type scans struct {
	reader *reader
	data   []byte
	file   *file

	mu    sync.Mutex
	read  int   // pages that OCR was done with
	slow  int   // that took too long
	other int   // that failed
	first error // of those that failed or took too long
}

// readScans fills the pages of a file that are pictures, where the person asked for OCR. A page
// that fails is left out. Where all do, and the file has no other text, the error says why.
func (r *reader) readScans(ctx context.Context, data []byte, f *file) error {
	var pages []int
	for i := range f.pages {
		if f.pages[i].picture && len(pages) < maxScans {
			pages = append(pages, i)
		}
	}
	if len(pages) == 0 || !ocr.On() || !document.Programs(ctx) {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, document.MaxTime+ocr.Time()*time.Duration(len(pages)+pageShare)/pageShare)
	defer cancel()
	s := &scans{reader: r, data: data, file: f}
	group, stage := errgroup.WithContext(limited)
	group.SetLimit(ocr.AtOnce())
	for _, i := range pages {
		if stage.Err() != nil {
			break
		}
		group.Go(func() error { return s.page(stage, i) })
	}
	err := group.Wait()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case f.hasText():
		return nil
	case limited.Err() != nil:
		return limited.Err()
	case err != nil || s.read > 0:
		return err
	}
	return s.first
}

// page reads a page. The error ends the reading of the file.
func (s *scans) page(ctx context.Context, i int) error {
	pgm, err := s.reader.drawn(ctx, s.data, i)
	drawn, text := err == nil, ""
	if drawn && pgm != nil {
		text, err = ocr.Page(ctx, pgm)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	pg := &s.file.pages[i]
	document.Report(ctx, document.Part{Unit: document.Page, Number: i + 1, Name: pg.label}, len(s.file.pages))
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case err == nil:
		s.read++
		pg.scanned = text
		return nil
	case errors.Is(err, document.ErrNoReader):
		return err
	case errors.Is(err, ocr.ErrSlow):
		s.slow++
	case !drawn: // the file's fault
		return nil
	default: // a picture that was drawn here is one that OCR can read
		s.other++
		err = noReader{fmt.Errorf("OCR of page %d: %w", i+1, err)}
	}
	if s.first == nil {
		s.first = err
	}
	if s.slow >= maxFailures || s.other >= maxFailures && s.read == 0 {
		return s.first
	}
	return nil
}
