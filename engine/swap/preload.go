package swap

import (
	"cmp"
	"slices"

	"dowse/models/pack"
)

// Hint tells which channels were active in a layer of a pass of one token, and begins to
// read the rows that the next group probably needs. It decides when rows are read and
// nothing else.
//
// The first layer of a group predicts the next group, so that a whole group's time is left
// to read. Bundles fed by the residual stream share active channels with the next group
// (ActiveFlow 2.2, 3). Of other bundles, and of the first group of the next token, channels
// active in at least half of the tokens so far are read ahead.
func (s *Swapper) Hint(layer int, b pack.Bundle, channels []int32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	groups := s.layout.Groups()
	if layer%s.layout.GroupLayers != 0 || groups == 1 || s.dense.on || s.sizes.whole(s.budget) {
		return
	}
	next := (layer/s.layout.GroupLayers + 1) % groups
	slab := &s.slabs[b]
	p := preload{s: s, group: next, bundle: b, turns: s.turnsOf(next)}
	if b.Residual() && next > 0 {
		p.similar(channels)
	} else {
		p.frequent()
	}
	p.start(s.limit[b]*slab.perBlock - slab.used() - s.promise[b])
}

// preload is the reads ahead for a bundle of a group.
type preload struct {
	s      *Swapper
	group  int
	bundle pack.Bundle
	turns  []int
	want   []wish
}

// wish is a record that is read ahead, or a row of it.
type wish struct {
	channel int32
	layer   int  // the first that the record has a row of, or whose row is read
	single  bool // the row of the layer alone is read
	rows    int  // slots that it needs
	count   int32
}

// similar wishes for records of channels with a missing row in a layer.
func (p *preload) similar(channels []int32) {
	first := p.group * p.s.layout.GroupLayers
	for _, c := range channels {
		w := wish{channel: c, layer: first}
		for i := range p.turns {
			if p.absent(first+i, c) {
				w.rows++
				w.count += p.s.tables[first+i][p.bundle].Count[c]
			}
		}
		if w.rows > 0 {
			p.want = append(p.want, w)
		}
	}
}

// frequent wishes for rows of likely active channels: for whole records, if they cost no
// more than single rows.
func (p *preload) frequent() {
	l := p.s.layout
	first, layers := p.group*l.GroupLayers, l.RecordLayers(p.group, p.bundle)
	record := p.s.disk.Seconds(l.RecordBytes(p.group, p.bundle))
	row := p.s.disk.Seconds(l.RowBytes(p.bundle))
	for c := range int32(l.Channels[p.bundle]) {
		together := wish{channel: c, layer: first}
		before := len(p.want)
		for i := range p.turns {
			layer := first + i
			if p.absent(layer, c) && p.s.likely(layer, p.bundle, c) {
				count := p.s.tables[layer][p.bundle].Count[c]
				p.want = append(p.want, wish{channel: c, layer: layer, single: layers > 1, rows: 1, count: count})
				together.rows, together.count = together.rows+1, together.count+count
			}
		}
		if layers > 1 && together.rows > 0 && record <= float64(together.rows)*row {
			p.want = append(p.want[:before], together)
		}
	}
}

// absent reports whether a row is neither in memory nor on its way.
func (p *preload) absent(layer int, c int32) bool {
	return p.s.tables[layer][p.bundle].slot[c] == 0 && p.s.pending[layer][p.bundle][c] == nil
}

// start queues as many reads as there are slots, channels active most often first.
func (p *preload) start(slots int) {
	need := 0
	for _, w := range p.want {
		need += w.rows
	}
	if need > slots {
		slices.SortStableFunc(p.want, func(a, b wish) int { return cmp.Compare(b.count, a.count) })
		kept := 0
		for kept < len(p.want) && slots >= p.want[kept].rows {
			slots -= p.want[kept].rows
			kept++
		}
		p.want = p.want[:kept]
	}
	slices.SortStableFunc(p.want, func(a, b wish) int { return cmp.Or(cmp.Compare(a.layer, b.layer), cmp.Compare(a.channel, b.channel)) })
	var jobs []*job
	for len(p.want) > 0 {
		layer := p.want[0].layer
		end := slices.IndexFunc(p.want, func(w wish) bool { return w.layer != layer })
		if end < 0 {
			end = len(p.want)
		}
		jobs = append(jobs, p.jobs(layer, p.want[:end])...)
		p.want = p.want[end:]
	}
	p.s.readers.add(jobs)
}

// jobs makes the reads of rows of a layer, or of records that begin with it.
func (p *preload) jobs(layer int, want []wish) (jobs []*job) {
	var records []int32
	rows := map[int32]int{}
	for _, w := range want {
		if w.single {
			jobs = append(jobs, p.job(span{int(w.channel), int(w.channel) + 1, []int32{w.channel}}, layer, true, 1))
			continue
		}
		records = append(records, w.channel)
		rows[w.channel] = w.rows
	}
	for _, span := range planSpans(records, p.s.layout.RecordBytes(p.group, p.bundle), p.s.disk, p.s.sizes.mostRead()) {
		room := 0
		for _, c := range span.wanted {
			room += rows[c]
		}
		jobs = append(jobs, p.job(span, layer, false, room))
	}
	return jobs
}

// job makes a job, and marks its rows as pending.
func (p *preload) job(span span, layer int, single bool, room int) *job {
	j := &job{bundle: p.bundle, span: span, layer: layer, single: single, turns: p.turns, room: room}
	p.s.promise[p.bundle] += room
	for layer := range p.s.layersOf(j) {
		pending := p.s.pending[layer][p.bundle]
		for _, c := range span.wanted {
			if pending[c] == nil {
				pending[c] = j
			}
		}
	}
	return j
}
