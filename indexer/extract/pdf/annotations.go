package pdf

import "strings"

// Kinds of annotations (FPDF_ANNOT_...).
const (
	annotLink   = 2
	annotPopup  = 16
	annotWidget = 20
)

// maxAnnotations of a page are read.
const maxAnnotations = 5000

// readAnnotations reads the annotations of a page, and the values of a form's fields.
func readAnnotations(p *instance, handle uint64, pg *page) {
	for i := range min(p.count("FPDFPage_GetAnnotCount", handle), maxAnnotations) {
		annot := p.call("FPDFPage_GetAnnot", handle, uint64(i))
		if annot == 0 || p.err != nil {
			continue
		}
		get := func(key string) (value string) {
			p.named(key, func(at uint64) { value = p.text("FPDFAnnot_GetStringValue", annot, at) })
			return tidy(value)
		}
		switch p.call("FPDFAnnot_GetSubtype", annot) {
		case annotLink, annotPopup: // a popup shows what its parent says
		case annotWidget:
			if value := get("V"); value != "" && value != "Off" {
				name := get("TU")
				if name == "" {
					name = get("T")
				}
				pg.fields = append(pg.fields, [2]string{name, value})
			}
		default:
			if text := get("Contents"); text != "" {
				pg.notes = append(pg.notes, text)
			}
		}
		p.call("FPDFPage_CloseAnnot", annot)
	}
}

// tidy makes text of a string that a file holds.
func tidy(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case r < ' ' || r == 0x7f || r == '\ufeff':
			return -1
		}
		return r
	}, s))
}
