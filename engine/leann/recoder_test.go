package leann

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// grown returns an index whose codebook was trained for its first n chunks and that grew, a
// little at a time and by other kinds of text, to all of a cloud; and one that has the vectors.
func grown(t testing.TB, rng *rand.Rand, n, size, dim int) (c *cloud, m, kept *memory) {
	t.Helper()
	c = newCloud(rng, size, dim)
	for at := 0; at < n*dim; at += dim { // what is there first is much alike
		copy(c.of[at:at+dim], gauss(rng, c.of[:dim], 0.5))
	}
	m = newMemory(t, dim)
	opts := QuantizeOptions{CodeBytes: dim / 4, Queries: slices.Concat(c.queries(rng, 24)...)}
	for from, to := 0, n; from < size; from, to = to, min(to+to/2, size) {
		m.add(rng, c, from, to)
		m.quantize(opts)
	}
	if books := len(m.library()); books != 1 {
		t.Fatalf("%d codebooks for what grew a little at a time", books)
	}
	return c, m, stored(t, rng, c, size)
}

// recodeOptions are what a Recoder is made with.
type recodeOptions struct {
	bytes   int
	queries []float32
}

// recoder is NewRecoder, which must succeed.
func (m *memory) recoder(live Allowed, opts recodeOptions) *Recoder {
	m.t.Helper()
	r, err := m.index().NewRecoder(m.t.Context(), m, live, opts.bytes)
	if err != nil {
		m.t.Fatal(err)
	}
	r.Queries = opts.queries
	return r
}

// recode takes one step.
func (m *memory) recode(r *Recoder, live Allowed, exact Exact) {
	m.t.Helper()
	err := r.Read(m.t.Context(), m, live)
	if err == nil {
		err = r.Compute(m.t.Context(), exact)
	}
	if err == nil {
		err = r.Write(m.t.Context(), m)
	}
	if err != nil {
		m.t.Fatal(err)
	}
}

func TestOutgrown(t *testing.T) {
	turned := &rotation{}
	for _, c := range []struct {
		book *codebook
		n    int
		want bool
	}{
		{&codebook{trained: 1500}, 6000, false},
		{&codebook{trained: 1500}, 6001, true},
		{&codebook{trained: 60_000}, rotateChunks - 1, false},
		{&codebook{trained: 60_000}, rotateChunks, true},
		{&codebook{trained: rotateChunks, rotation: turned}, 4 * rotateChunks, false},
		{&codebook{trained: rotateChunks, rotation: turned}, 4*rotateChunks + 1, true},
	} {
		if got := (Index{}).outgrown(c.book, c.n); got != c.want {
			t.Errorf("trained for %d, of %d chunks: outgrown %v", c.book.trained, c.n, got)
		}
	}
}

// TestRecoder has an index grow from 1,500 chunks to a little more than four times as many
// and ends recoding after every number of steps: what is there is sound and searched as
// well as before, and the next Recoder goes on to the same bytes. Afterwards searches
// recompute fewer vectors for no less recall.
func TestRecoder(t *testing.T) {
	if testing.Short() {
		t.Skip("compares numbers: nothing for the race detector")
	}
	rng := seeded(t, 141)
	const n, size = 1500, 4*1500 + 100
	c, start, kept := grown(t, rng, n, size, 24)
	queries := slices.Concat(c.queries(rng, 24)...)
	opts := recodeOptions{6, slices.Concat(c.queries(rng, 24)...)}
	model := ErrorModel{Slope: 1, Deviation: 0.1, Margin: minMargin}
	recall, cost := searchWith(c, start, kept, queries, model)
	t.Logf("before: recall@%d %.3f by %.1f recomputed", Wanted, recall, cost)

	whole, last := start.clone(), recall
	r := whole.recoder(below(size), opts)
	steps := 0
	for ; r.Due(); steps++ {
		whole.recode(r, below(size), c)
		whole.sound(below(size), size)
		got, now := searchWith(c, whole, kept, queries, model)
		t.Logf("after step %d: %.3f by %.1f", steps, got, now)
		if !r.Done.Switched && (got != recall || now != cost) {
			t.Errorf("before the switch the recall is %.3f by %.1f vectors, was %.3f by %.1f", got, now, recall, cost)
		}
		last = got
	}
	_, after := searchWith(c, whole, kept, queries, model)
	if steps != 5 || r.Done.Books != 1 || r.Done.Blocks != 2 || !r.Done.Switched || r.Done.Left != 0 || !r.Done.Errors.Sound() {
		t.Errorf("%d steps did %+v", steps, r.Done)
	}
	if after >= cost || last < recall-0.01 {
		t.Errorf("recall %.3f by %.1f vectors, before %.3f by %.1f", last, after, recall, cost)
	}
	whole.checkCodes(c, size)
	for id, own := range whole.codes() {
		if own.book != 1 {
			t.Fatalf("chunk %d has a code of book %d", id, own.book)
		}
	}
	if r := whole.recoder(below(size), opts); r.Due() {
		t.Error("there is more to do")
	}
	for done := range steps {
		m := start.clone()
		for r, at := m.recoder(below(size), opts), 0; at < done; at++ {
			m.recode(r, below(size), c)
		}
		again := m.recoder(below(size), opts)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := again.Read(ctx, m, below(size)); err == nil && again.Compute(ctx, cancelled{}) == nil {
			t.Errorf("after %d steps, one that was cancelled made something", done)
		}
		m.sound(below(size), size)
		for again = m.recoder(below(size), opts); again.Due(); {
			m.recode(again, below(size), c)
		}
		if !m.equal(whole) || again.Done.Errors != r.Done.Errors {
			t.Errorf("ended after %d steps and begun again, the index is another one", done)
		}
	}
}

// cancelled is an Exact that goes by its context alone.
type cancelled struct{}

func (cancelled) Vectors(ctx context.Context, _ []uint32, _ []float32, _ []bool) error {
	return ctx.Err()
}

// TestRecoderOfWhatCannotBeRead: few texts that changed get codes of what their old ones
// stand for; a block of which much cannot be read stays as it is.
func TestRecoderOfWhatCannotBeRead(t *testing.T) {
	rng := seeded(t, 142)
	const size = blockSize + 2100
	c, start, _ := grown(t, rng, 1500, size, 8)
	c.stale = map[uint32]bool{7: true, 8: true}
	m := start.clone()
	r := m.recoder(nil, recodeOptions{bytes: 2})
	for r.Due() {
		m.recode(r, nil, c)
	}
	m.sound(below(size), size)
	books, codes := m.library(), m.codes()
	if want := books.recode(start.codes()[7], 1); codes[7].book != 1 || !slices.Equal(codes[7].code, want) {
		t.Errorf("chunk 7 has the code %x of book %d, want %x", codes[7].code, codes[7].book, want)
	}
	for id := range uint32(blockSize) {
		c.stale[id] = id%3 == 0
	}
	m = start.clone()
	for r = m.recoder(nil, recodeOptions{bytes: 2}); r.Due(); {
		m.recode(r, nil, c)
	}
	if r.Done.Left != 2 || r.Done.Books != 0 || !m.equal(start) {
		t.Errorf("with a sixth of all unreadable: %+v", r.Done)
	}
	for id := range uint32(blockSize) { // one in seven of a block, one in fourteen of all
		c.stale[id] = id%7 == 0
	}
	for r = m.recoder(nil, recodeOptions{bytes: 2}); r.Due(); {
		m.recode(r, nil, c)
	}
	if r.Done != (Recoded{Books: 1, Blocks: 1, Left: 1}) || m.codes()[7].book != 0 {
		t.Errorf("with a seventh of the first block unreadable: %+v", r.Done)
	}
	m.sound(below(size), size)
	c.stale, c.asked = nil, nil
	for r = m.recoder(nil, recodeOptions{bytes: 2}); r.Due(); {
		m.recode(r, nil, c)
	}
	if r.Done != (Recoded{Blocks: 1, Switched: true}) || len(c.asked) != blockSize || len(m.blocks[NextRuns]) != 0 {
		t.Errorf("once all can be read: %+v by %d vectors", r.Done, len(c.asked))
	}
	m.checkCodes(c, size)
}

// TestRecoderAmongChanges: codes that came or went between Read and Write are not lost, and
// who is overtaken by another codebook says so.
func TestRecoderAmongChanges(t *testing.T) {
	rng := seeded(t, 143)
	const size = blockSize + 2600
	c, m, _ := grown(t, rng, 1500, size-500, 8)
	c.of = append(c.of[:(size-500)*8], newCloud(rng, 500, 8).of...)
	r := m.recoder(below(size), recodeOptions{bytes: 2})
	m.recode(r, below(size-500), c) // it trains
	m.recode(r, below(size-500), c)
	if err := errors.Join(r.Read(t.Context(), m, below(size-500)), r.Compute(t.Context(), c)); err != nil {
		t.Fatal(err)
	}
	m.add(rng, c, size-500, size)
	m.quantize(QuantizeOptions{CodeBytes: 2})
	if err := r.Write(t.Context(), m); err != nil || r.Done.Blocks != 1 || !r.Due() {
		t.Errorf("over a change: %+v, %v", r.Done, err)
	}
	m.sound(below(size), size)
	for r.Due() {
		m.recode(r, without{}, c)
	}
	m.sound(below(size), size)
	m.checkCodes(c, size)

	c, m, _ = grown(t, rng, 1500, size, 8)
	r = m.recoder(nil, recodeOptions{bytes: 2})
	if err := errors.Join(r.Read(t.Context(), m, nil), r.Compute(t.Context(), c)); err != nil {
		t.Fatal(err)
	}
	if err := m.PutBlock(Books, 1, m.library()[0].append(nil)); err != nil {
		t.Fatal(err)
	}
	if err := r.Write(t.Context(), m); !errors.Is(err, ErrOvertaken) {
		t.Errorf("written over another codebook: %v", err)
	}
	if err := r.Read(t.Context(), m, nil); !errors.Is(err, ErrOvertaken) {
		t.Errorf("read after another codebook: %v", err)
	}
}

// TestOldCodebook: a codebook that does not say for how many chunks it was trained is read as
// one of the least index that has codes, or that has a rotation.
func TestOldCodebook(t *testing.T) {
	rng := seeded(t, 144)
	c := newCloud(rng, 200, 8)
	for _, turned := range []bool{false, true} {
		book, err := train(t.Context(), c.of, c.dim, 4)
		want := MinChunks
		if turned {
			book, err = trainRotated(t.Context(), plainDot{}, c.of, c.dim, 4)
			want = rotateChunks
		}
		if err != nil {
			t.Fatal(err)
		}
		b := book.append(nil)
		old := append([]byte{oldCodebookVersion}, b[2:]...) // no chunks were noted: one byte
		got, err := parseCodebook(old)
		if err != nil || got.trained != want || !slices.Equal(got.values, book.values) {
			t.Errorf("trained for %d chunks, want %d, %v", got.trained, want, err)
		}
		book.trained = 1_000_000
		if again, err := parseCodebook(book.append(nil)); err != nil || again.trained != 1_000_000 {
			t.Errorf("trained for %d chunks, %v", again.trained, err)
		}
	}
}
