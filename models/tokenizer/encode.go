package tokenizer

// scratch is the working memory of one encoding; a Tokenizer keeps a few.
type scratch struct {
	word    word
	lattice lattice
	cache   *wordCache // of BPE models
}

// keptScratch bounds the text, in bytes, whose buffers are kept for later.
const keptScratch = 1 << 16

func (t *Tokenizer) newScratch() any {
	s := &scratch{}
	if t.settings.Pipeline.Model == modelBPE {
		s.cache = new(wordCache)
	}
	return s
}

// encode runs text through the tokenizer.
func (t *Tokenizer) encode(o *output, text string) {
	if t.settings.Pipeline == nil {
		// A copy, so that nothing of it has to live on the heap.
		e := encoder{t: t, output: *o, marksEnd: -1}
		e.encode(text)
		*o = e.output
		return
	}
	s := t.pool.Get().(*scratch)
	added := t.addedSet(o.literal).raw
	for at := 0; at < len(text) && !o.full(); {
		start, end, id := added.next(text, at)
		if start > at {
			t.segment(o, s, text[at:start], at)
		}
		if id != noToken && !o.full() {
			o.emit(id, Span{start, end})
		}
		at = end
	}
	if len(s.word.ids) > keptScratch || cap(s.lattice.paths) > keptScratch {
		s.word, s.lattice = word{}, lattice{}
	}
	t.pool.Put(s)
}

// segment encodes text, which starts at base and holds no added token of the
// raw kind.
func (t *Tokenizer) segment(o *output, s *scratch, text string, base int) {
	a := t.normalize(aligned{text: text, base: base, track: o.tracking})
	added := t.addedSet(o.literal).normalized
	for at := 0; at < len(a.text) && !o.full(); {
		start, end, id := added.next(a.text, at)
		if start > at {
			t.shaped(o, s, a.slice(at, start), base == 0 && at == 0)
		}
		if id != noToken && !o.full() {
			o.emit(id, a.source(start, end))
		}
		at = end
	}
}

// shaped shapes a for the model and encodes its pieces.
func (t *Tokenizer) shaped(o *output, s *scratch, a aligned, first bool) {
	p := t.settings.Pipeline
	if p.Shape != nil {
		a = p.Shape.apply(a, first)
	}
	stretch := 0 // end of the stretch around at
	for at := 0; at < len(a.text) && !o.full(); {
		if at == stretch {
			stretch += p.stretch(a.text[at:])
		}
		end := at + p.next(a.text[at:stretch])
		if p.Model == modelUnigram {
			t.unigram.encode(o, &s.lattice, a.slice(at, end))
		} else {
			t.piece(o, s, &a, at, end)
		}
		at = end
	}
}

// piece encodes a.text[start:end] by merging.
func (t *Tokenizer) piece(o *output, s *scratch, a *aligned, start, end int) {
	piece := a.text[start:end]
	place, ids := s.cache.find(piece)
	if ids == nil || o.tracking {
		t.bpe.encode(&s.word, piece)
		ids = s.word.ids
		place.store(piece, ids)
	}
	switch {
	case o.counting:
		o.count += len(ids)
	case o.tracking:
		from := start
		for i, id := range ids {
			to := start + int(s.word.ends[i])
			o.emit(id, a.source(from, to))
			from = to
		}
	default:
		o.ids = append(o.ids, ids...)
	}
}
