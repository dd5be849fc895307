package kernel

// Head turns the last hidden state of a decoder into logits, one for each word
// of the vocabulary: WordScale[n] times the product of the state and row n.
// Where embeddings are tied, Words is the table of an Embedding.
type Head struct {
	Width     int
	Words     []int8    // [vocabulary,Width], each in -127..127
	WordScale []float32 // [vocabulary]
}

// Logits quantises x [rows,Width] per row and writes all logits to dst
// [rows,vocabulary]. The error is that of growing scratch memory.
func (k *Kernel) Logits(dst, x []float32, rows int, h *Head, s *Scratch) error {
	needLen("x", len(x), rows*h.Width)
	scratch := k.ops.logitsScratch(rows, h.Width)
	if err := s.begin(rows*h.Width, rowScaleSize*rows, scratch); err != nil {
		return err
	}
	q, scale := s.bytes(rows*h.Width), s.rowScales(rows)
	k.QuantizeRows(q, scale, x, rows, h.Width)
	k.logits(dst, q, scale, rows, h, Columns{To: len(h.WordScale)}, s.bytes(scratch))
	return nil
}

// LogitsColumns is Logits for rows that QuantizeRows has quantised and for some
// words; the others stay as they are in dst [rows,vocabulary]. The bits are
// those of Logits, so that goroutines, each with its own Scratch, may share a
// vocabulary.
func (k *Kernel) LogitsColumns(dst []float32, q []uint8, scale []RowScale, rows int, h *Head, c Columns, s *Scratch) error {
	scratch := k.ops.logitsScratch(rows, h.Width)
	if err := s.begin(scratch); err != nil {
		return err
	}
	k.logits(dst, q, scale, rows, h, c, s.bytes(scratch))
	return nil
}

func (k *Kernel) logits(dst []float32, q []uint8, scale []RowScale, rows int, h *Head, c Columns, scratch []byte) {
	needLen("dst", len(dst), rows*len(h.WordScale))
	needLen("q", len(q), rows*h.Width)
	needLen("scale", len(scale), rows)
	needLen("words", len(h.Words), len(h.WordScale)*h.Width)
	c.need(len(h.WordScale))
	if rows > 0 && c.From < c.To {
		k.ops.logits(dst, q, scale, rows, h, c, scratch)
	}
}
