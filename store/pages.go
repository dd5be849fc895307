package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
)

// bbolt trusts its file: a page that names itself as its child makes it recurse
// until the stack ends, and a wrong number of free pages makes it allocate that
// much. So this walk reads the file and checks every number before bbolt
// follows it. The format is bbolt's internal/common: page.go, meta.go,
// bucket.go.

// pageDepth says how much of each page a walk looks at.
type pageDepth int

const (
	// pageElements is enough for bbolt: headers, and the places and sizes of
	// all keys and values.
	pageElements pageDepth = iota
	// pageKeys also checks the order of keys, gaps, and unreferenced pages.
	pageKeys
)

const (
	boltMagic       = 0xED0CDAED
	metaBytes       = 64
	pageHeaderBytes = 16
	elementBytes    = 16
	noFreelist      = ^uint64(0)
	maxTreeDepth    = 64 // a real tree of 4 KiB pages is at most 10 deep

	flagBranch, flagLeaf, flagMeta, flagFreelist = 0x01, 0x02, 0x04, 0x10

	flagBucket = 0x01 // of a leaf element: its value is a bucket
)

type meta struct {
	pageSize             int64
	root, freelist, high uint64 // page numbers; high: the first unused one
	transaction          uint64
}

// decodeMeta reads a meta page; ok is false when its magic or checksum is
// wrong.
func decodeMeta(page []byte) (m meta, ok bool) {
	if len(page) < pageHeaderBytes+metaBytes {
		return meta{}, false
	}
	b := page[pageHeaderBytes:]
	sum := fnv.New64a()
	if _, err := sum.Write(b[:metaBytes-8]); err != nil {
		return meta{}, false
	}
	order := binary.NativeEndian
	if order.Uint32(b) != boltMagic || order.Uint64(b[56:]) != sum.Sum64() {
		return meta{}, false
	}
	return meta{
		pageSize: int64(order.Uint32(b[8:])), root: order.Uint64(b[16:]),
		freelist: order.Uint64(b[32:]), high: order.Uint64(b[40:]), transaction: order.Uint64(b[48:]),
	}, true
}

// checkStart checks the file before bbolt opens or locks it: that it is a bbolt
// file, else ErrForeign, that a meta page is intact, and that the file is as
// long as that says.
func checkStart(path string) (err error) {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	known, err := isBolt(file)
	if err != nil {
		return err
	}
	if !known {
		return fmt.Errorf("%w: not a bbolt database", ErrForeign)
	}
	_, err = fittingMeta(file)
	return err
}

// isBolt looks for the magic number where page sizes from 1 KiB to 64 KiB put
// the meta pages.
func isBolt(file io.ReaderAt) (bool, error) {
	var magic [4]byte
	for at := int64(0); at <= 64<<10; at = max(1024, at*2) {
		_, err := file.ReadAt(magic[:], at+pageHeaderBytes)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return false, err
		}
		if binary.NativeEndian.Uint32(magic[:]) == boltMagic {
			return true, nil
		}
	}
	return false, nil
}

// fittingMeta returns the newest meta page if the file is as long as it says.
func fittingMeta(file *os.File) (meta, error) {
	m, err := newestMeta(file)
	if err != nil {
		return meta{}, err
	}
	// The size is read last, since a writer lengthens the file first.
	info, err := file.Stat()
	if err != nil {
		return meta{}, err
	}
	if m.pageSize < 1024 || m.pageSize > 1<<24 || m.high < 4 || m.high > uint64(info.Size()/m.pageSize) {
		return meta{}, broken("%d pages of %d bytes do not fit a file of %d bytes; it was cut short", m.high, m.pageSize, info.Size())
	}
	return m, nil
}

type pageWalk struct {
	file   io.ReaderAt
	meta   meta
	depth  pageDepth
	report func(Problem) // nil: stop at the first problem
	seen   []uint64      // bitmap of referenced pages
	pages  int
	torn   bool // a meta page is damaged
	first  error
}

// walkPages walks the newest intact state. It reports every problem; with
// report nil it returns the first one as ErrBroken.
func walkPages(file *os.File, depth pageDepth, report func(Problem)) (*pageWalk, error) {
	m, err := fittingMeta(file)
	if err != nil {
		return &pageWalk{}, err
	}
	w := &pageWalk{file: file, meta: m, depth: depth, report: report, seen: make([]uint64, m.high/64+1)}
	w.metaPage(0)
	w.metaPage(1)
	w.tree(m.root, treeBounds{buckets: true})
	w.freelist()
	return w, w.first
}

// newestMeta returns the intact meta page of the later transaction.
func newestMeta(file io.ReaderAt) (meta, error) {
	buffer := make([]byte, pageHeaderBytes+metaBytes)
	var best meta
	for at := int64(0); at <= 1<<24; at = max(1024, at*2) {
		n, err := file.ReadAt(buffer, at)
		if err != nil && !errors.Is(err, io.EOF) {
			return meta{}, err
		}
		m, ok := decodeMeta(buffer[:n])
		if ok && (at == 0 || at == m.pageSize) && (best.pageSize == 0 || m.transaction > best.transaction) {
			best = m
		}
		if best.pageSize != 0 && at >= best.pageSize {
			break
		}
	}
	if best.pageSize == 0 {
		return meta{}, broken("both meta pages fail their checksum")
	}
	return best, nil
}

// metaPage claims a meta page. A damaged one is tolerated: the other one
// serves, and the next transactions write both; but the last one may be lost.
func (w *pageWalk) metaPage(id uint64) {
	w.claim(id, 1)
	var data [pageHeaderBytes + metaBytes]byte
	if !w.read(id, data[:]) {
		return
	}
	_, whole := decodeMeta(data[:])
	if whole && binary.NativeEndian.Uint64(data[:]) == id && binary.NativeEndian.Uint16(data[8:]) == flagMeta {
		return
	}
	w.torn = true
	if w.report != nil {
		w.problem(id, "is not the meta page that was written; the last change may be lost")
	}
}

func (w *pageWalk) problem(page uint64, format string, args ...any) {
	what := fmt.Sprintf(format, args...)
	if w.first == nil {
		w.first = broken("page %d: %s", page, what)
	}
	if w.report != nil {
		w.report(Problem{Where: fmt.Sprintf("page %d", page), What: what})
	}
}

// done reports that the walk may stop.
func (w *pageWalk) done() bool { return w.report == nil && w.first != nil }

// claim marks n pages as referenced; false when one is beyond the file or
// taken.
func (w *pageWalk) claim(page uint64, n uint64) bool {
	if page >= w.meta.high || n > w.meta.high-page {
		w.problem(page, "lies beyond the last page, %d", w.meta.high-1)
		return false
	}
	for p := page; p < page+n; p++ {
		if w.taken(p) {
			w.problem(p, "is referred to twice")
			return false
		}
		w.seen[p/64] |= 1 << (p % 64)
	}
	w.pages += int(n)
	return true
}

func (w *pageWalk) taken(page uint64) bool { return w.seen[page/64]&(1<<(page%64)) != 0 }

// page is a page with its overflow pages; data holds the part that was read.
type page struct {
	id           uint64
	flags, count int
	size         int64 // bytes in all
	data         []byte
}

// open claims a page and reads its header and its first part, or all of it.
func (w *pageWalk) open(id uint64, whole bool) (page, bool) {
	if id >= w.meta.high {
		w.problem(id, "lies beyond the last page, %d", w.meta.high-1)
		return page{}, false
	}
	var header [pageHeaderBytes]byte
	if !w.read(id, header[:]) {
		return page{}, false
	}
	order := binary.NativeEndian
	p := page{id: id, flags: int(order.Uint16(header[8:])), count: int(order.Uint16(header[10:]))}
	pages := uint64(order.Uint32(header[12:])) + 1
	if got := order.Uint64(header[:]); got != id {
		w.problem(id, "says that it is page %d", got)
		return page{}, false
	}
	if !w.claim(id, pages) {
		return page{}, false
	}
	p.size = int64(pages) * w.meta.pageSize
	need := int64(pageHeaderBytes)
	if p.flags == flagBranch || p.flags == flagLeaf {
		need += int64(p.count) * elementBytes
	}
	if need > p.size {
		w.problem(id, "%d elements do not fit it", p.count)
		return page{}, false
	}
	if whole {
		need = p.size
	}
	p.data = make([]byte, need)
	return p, w.read(id, p.data)
}

func (w *pageWalk) read(id uint64, into []byte) bool {
	if _, err := w.file.ReadAt(into, int64(id)*w.meta.pageSize); err != nil {
		w.problem(id, "cannot be read: %v", err)
		return false
	}
	return true
}

// freelist checks the list of free pages: its length, no page twice, none in
// use.
func (w *pageWalk) freelist() {
	if w.meta.freelist == noFreelist || w.done() {
		return
	}
	p, ok := w.open(w.meta.freelist, true)
	if !ok {
		return
	}
	if p.flags != flagFreelist {
		w.problem(p.id, "is not a list of free pages")
		return
	}
	ids, count := p.data[pageHeaderBytes:], uint64(p.count)
	if count == 0xFFFF { // the header's field is too small: the first entry counts
		count, ids = binary.NativeEndian.Uint64(ids), ids[8:]
	}
	if count > uint64(len(ids)/8) {
		w.problem(p.id, "%d free pages do not fit it", count)
		return
	}
	for i := uint64(0); i < count && !w.done(); i++ {
		id := binary.NativeEndian.Uint64(ids[i*8:])
		if id < 2 {
			w.problem(p.id, "lists meta page %d as free", id)
			continue
		}
		if w.claim(id, 1) {
			w.pages--
		}
	}
	for id := uint64(0); w.depth == pageKeys && id < w.meta.high; id++ {
		if !w.taken(id) {
			w.problem(id, "is neither used nor free")
		}
	}
}
