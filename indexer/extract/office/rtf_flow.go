package office

import "dowse/indexer/document"

// show writes text of the document, into a paragraph and, if that is in one, a table.
func (r *rtfReader) show(s string) {
	p := &r.para
	if !p.open {
		t := r.flow.top()
		switch inTable := t != nil && t.isTable; {
		case p.inTable && !inTable:
			r.flow.begin(true)
			p.newRow = true
		case !p.inTable && inTable:
			r.flow.end(true)
		}
		if p.inTable {
			r.beginCell()
		}
		r.flow.begin(false)
		p.open = true
	}
	r.flow.shift = r.groups.Now.shift
	r.flow.write(s)
}

// beginCell opens the row and the cell that text is for.
func (r *rtfReader) beginCell() {
	p := &r.para
	if p.newRow {
		r.flow.beginRow()
	}
	if p.newRow || p.newCell {
		r.flow.beginCell(1, false)
	}
	p.newRow, p.newCell = false, false
}

// endParagraph ends the paragraph as what it is by then.
func (r *rtfReader) endParagraph() {
	if r.groups.Now.hidden || r.groups.Now.target != "" || !r.para.open {
		return
	}
	r.flow.set(r.para.kind, r.para.level)
	r.flow.end(false)
	r.para.open = false
}

// endCell ends a cell of a table, which may be empty.
func (r *rtfReader) endCell() {
	if r.groups.Now.hidden || r.groups.Now.target != "" {
		return
	}
	if !r.para.open {
		r.show("")
	}
	r.endParagraph()
	r.para.newCell = true
}

// enterFlow begins a text of its own, which is put after the paragraph, or at the end.
func (r *rtfReader) enterFlow(ending bool) {
	if r.groups.Now.hidden || r.groups.Now.flow || len(r.outer) >= maxFlows {
		return
	}
	if r.groups.Depth() == 0 { // it is not in a group that could end it
		return
	}
	r.outer = append(r.outer, r.flow)
	r.flow = flow{size: r.flow.size}
	r.groups.Now.flow, r.groups.Now.ending, r.groups.Now.shift = true, ending, document.OnLine
	r.saved = append(r.saved, r.para)
	r.para = rtfParagraph{}
}

// leaveFlow ends it.
func (r *rtfReader) leaveFlow(ending bool) {
	n := len(r.outer) - 1
	if r.para.open {
		r.flow.set(r.para.kind, r.para.level)
	}
	blocks, size := r.flow.finish(), r.flow.size
	r.flow, r.para = r.outer[n], r.saved[n]
	r.flow.size = size
	r.outer, r.saved = r.outer[:n], r.saved[:n]
	if ending {
		r.ends = append(r.ends, blocks...)
	} else {
		r.flow.add(blocks...)
	}
}
