package media

// readRAW reads what a camera wrote, as far as it is TIFF or boxes with such blocks in them.
func (w *words) readRAW(s *source) {
	w.readEXIF(s)
	for _, b := range s.boxes(0, min(s.size, maxPart)) {
		if b.kind == "uuid" && string(s.part(b.start, 16)) == "\xbe\x7a\xcf\xcb\x97\xa9\x42\xe8\x9c\x71\x99\x94\x91\xe3\xaf\xac" {
			w.readXMP(s.part(b.start+16, b.end-b.start-16))
		}
	}
}
