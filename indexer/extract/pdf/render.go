package pdf

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/tetratelabs/wazero/api"
)

// How a page is drawn.
const (
	dotsPerInch  = 300 // what tesseract was trained for
	pointsAnInch = 72
	maxPixels    = 20 << 20 // a page of A3 has 17 million at 300 dots an inch
	maxSide      = 20_000   // pixels

	bitmapGray = 1        // FPDFBitmap_Gray
	white      = 0xffffff // beside full opacity
	drawNotes  = 0x01     // FPDF_ANNOT
	drawGray   = 0x08     // FPDF_GRAYSCALE

	// drawTime is how long a page may take to be drawn.
	drawTime = time.Minute
	// leastContrast is how much darker than the lightest a page has something.
	leastContrast = 32
)

// errNoPage is the error of a page that cannot be drawn.
var errNoPage = errors.New("the page cannot be drawn")

// drawnSize gives what draws a page all memory: a page of a scan unpacks to a hundred times of its size.
const drawnSize = maxBytes

// drawn returns a picture of a page as PGM, nil of one that is of one colour. Each is drawn
// by an instance of its own: one that takes too much memory takes no other page along.
func (r *reader) drawn(ctx context.Context, data []byte, page int) (pgm []byte, err error) {
	err = r.sandboxed(ctx, drawnSize, drawTime, func(p *instance) error {
		at := p.put(data)
		doc := p.call("FPDF_LoadMemDocument", uint64(at), uint64(len(data)), 0)
		handle := p.call("FPDF_LoadPage", doc, uint64(page))
		if p.err == nil && handle == 0 {
			return errNoPage
		}
		pgm, err = draw(p, handle)
		return err
	})
	return pgm, err
}

// draw draws a page in grey.
func draw(p *instance, handle uint64) ([]byte, error) {
	width := finite(float64(api.DecodeF32(p.call("FPDF_GetPageWidthF", handle))))
	height := finite(float64(api.DecodeF32(p.call("FPDF_GetPageHeightF", handle))))
	w, h := pixels(width, height)
	if p.err != nil || w == 0 {
		return nil, errors.Join(errNoPage, p.err)
	}
	bitmap := p.call("FPDFBitmap_CreateEx", uint64(w), uint64(h), bitmapGray, 0, 0)
	if p.err != nil || bitmap == 0 {
		return nil, errors.Join(errNoPage, p.err)
	}
	p.call("FPDFBitmap_FillRect", bitmap, 0, 0, uint64(w), uint64(h), 0xff<<24|white)
	p.call("FPDF_RenderPageBitmap", bitmap, handle, 0, 0, uint64(w), uint64(h), 0, drawNotes|drawGray)
	buffer := uint32(p.call("FPDFBitmap_GetBuffer", bitmap))
	stride := uint32(p.call("FPDFBitmap_GetStride", bitmap))
	if p.err != nil || stride < uint32(w) {
		return nil, errors.Join(errNoPage, p.err)
	}
	pgm := append(make([]byte, 0, w*h+32), fmt.Sprintf("P5\n%d %d\n255\n", w, h)...)
	head := len(pgm)
	for y := range uint32(h) {
		row, ok := p.memory.Read(buffer+y*stride, uint32(w))
		if !ok {
			return nil, errMemory
		}
		pgm = append(pgm, row...)
	}
	if slices.Max(pgm[head:])-slices.Min(pgm[head:]) < leastContrast {
		return nil, nil
	}
	return pgm, nil
}

// pixels returns how large a page of so many points is drawn, 0 of one that has no area.
func pixels(width, height float64) (w, h int) {
	if !(width >= 1 && height >= 1) {
		return 0, 0
	}
	scale := min(float64(dotsPerInch)/pointsAnInch, math.Sqrt(maxPixels/(width*height)), maxSide/max(width, height))
	return max(int(width*scale), 1), max(int(height*scale), 1)
}

// Types of what a page shows (FPDF_PAGEOBJ_...).
const objectImage = 3

const (
	maxObjects  = 500  // of a page are looked at for images
	pictureArea = 0.5  // of a page that is a picture
	stampChars  = 64   // of text, such as a page number, that a picture of a page may have on it
	inchesGone  = 1e-3 // what a page has at least to divide by
)

// isPicture reports whether a page that has so many characters of text is a picture: it shows
// something and has no text, or an image that covers most of it and a line.
func isPicture(p *instance, handle uint64, chars int) bool {
	n := p.count("FPDFPage_CountObjects", handle)
	if chars == 0 || n == 0 || chars > stampChars {
		return chars == 0 && n > 0
	}
	page := finite(float64(api.DecodeF32(p.call("FPDF_GetPageWidthF", handle)))) * finite(float64(api.DecodeF32(p.call("FPDF_GetPageHeightF", handle))))
	covered := 0.0
	for i := range min(n, maxObjects) {
		object := p.call("FPDFPage_GetObject", handle, uint64(i))
		if object == 0 || p.call("FPDFPageObj_GetType", object) != objectImage {
			continue
		}
		at := uint64(p.scratch)
		if p.call("FPDFPageObj_GetBounds", object, at, at+4, at+8, at+12) == 0 {
			continue
		}
		left, bottom, right, top := p.float(0), p.float(4), p.float(8), p.float(12)
		covered += max(right-left, 0) * max(top-bottom, 0)
	}
	return covered >= pictureArea*max(page, inchesGone)
}
