package store

// Updates leave blocks of the store's own tables that are not full: where
// files were deleted, and where a block of names was split. A repacker fills
// them again. It takes the blocks of a table in order and gives those to be
// written in their place.
type repacker interface {
	// add takes a block and returns the blocks that are complete.
	add(number uint32, value []byte) ([]block, error)
	// end returns what is left.
	end() []block
}

// block is the value of a number, without its checksum.
type block struct {
	number uint32
	value  []byte
}

// newRepacker returns the repacker of a table; nil for one that is copied as it
// is.
func newRepacker(t table) repacker {
	switch t {
	case tableFiles:
		return &fileRepacker{}
	case tableNames:
		return &pathRepacker{}
	}
	return nil
}

// fileRepacker fills blocks of files.
type fileRepacker struct{ filling *fileBlock }

func (r *fileRepacker) add(number uint32, value []byte) (full []block, err error) {
	list, err := decodeFileBlock(number, value)
	if err != nil {
		return nil, locatedIn(tableFiles, number, err)
	}
	for i := range list {
		e := &list[i]
		if r.filling == nil || !r.filling.fits(e) {
			full = append(full, r.end()...)
			r.filling = newFileBlock(e.ID)
		}
		r.filling.add(e)
	}
	return full, nil
}

func (r *fileRepacker) end() []block {
	if r.filling == nil {
		return nil
	}
	done := r.filling
	r.filling = nil
	return []block{{done.number, done.encode()}}
}

// pathRepacker fills blocks of names.
type pathRepacker struct {
	first   uint32
	filling pathBlock
	size    int // of filling when it is encoded
}

// maxPathEntry is the most that an entry of a block of names takes.
const maxPathEntry = 4 + 5

func (r *pathRepacker) add(first uint32, value []byte) (full []block, err error) {
	err = eachPath(first, value, func(hash, id uint32) bool {
		n := len(r.filling.hashes)
		if n > 0 && hash != r.filling.hashes[n-1] && r.size+maxPathEntry > tableBlock {
			full = append(full, r.end()...)
			r.first = hash
		}
		last := r.first
		if n = len(r.filling.hashes); n > 0 {
			last = r.filling.hashes[n-1]
		}
		r.filling.hashes, r.filling.ids = append(r.filling.hashes, hash), append(r.filling.ids, id)
		r.size += uvarintBytes(hash-last) + uvarintBytes(id)
		return true
	})
	return full, err
}

func (r *pathRepacker) end() []block {
	if len(r.filling.hashes) == 0 {
		return nil
	}
	done := block{r.first, r.filling.encode(r.first)}
	r.filling, r.size = pathBlock{}, 0
	return []block{done}
}

// uvarintBytes returns how long a number becomes.
func uvarintBytes(n uint32) int {
	bytes := 1
	for ; n >= 0x80; n >>= 7 {
		bytes++
	}
	return bytes
}
