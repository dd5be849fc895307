package lexical_test

import (
	"errors"
	"slices"

	"dowse/engine/lexical"
)

// memoryStore keeps segments in maps: the obvious twin of the real store.
type memoryStore struct {
	headers map[uint32][]byte
	blocks  map[uint32]map[string][]byte
	next    uint32

	dictionary, written int64 // bytes
}

var _ lexical.ReadWriter = (*memoryStore)(nil)

func newMemoryStore() *memoryStore {
	return &memoryStore{headers: map[uint32][]byte{}, blocks: map[uint32]map[string][]byte{}}
}

func (m *memoryStore) Segments() ([]uint32, error) {
	var ids []uint32
	for id := range m.headers {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids, nil
}

func (m *memoryStore) Header(id uint32) ([]byte, error) {
	if h, ok := m.headers[id]; ok {
		return h, nil
	}
	return nil, errors.New("no such segment")
}

func (m *memoryStore) Seek(id uint32, term string) (string, []byte, error) {
	best, found := "", false
	for first := range m.blocks[id] {
		if first <= term && (!found || first > best) {
			best, found = first, true
		}
	}
	if !found {
		return "", nil, nil
	}
	return best, m.blocks[id][best], nil
}

func (m *memoryStore) Next(id uint32, after string) (string, []byte, error) {
	best, found := "", false
	for first := range m.blocks[id] {
		if first > after && (!found || first < best) {
			best, found = first, true
		}
	}
	if !found {
		return "", nil, nil
	}
	return best, m.blocks[id][best], nil
}

func (m *memoryStore) NewSegment() (uint32, error) {
	m.next++
	m.blocks[m.next] = map[string][]byte{}
	return m.next, nil
}

func (m *memoryStore) PutHeader(id uint32, header []byte, dictionary int64) error {
	m.headers[id] = slices.Clone(header)
	m.dictionary += dictionary
	return nil
}

func (m *memoryStore) PutBlock(id uint32, first string, block []byte) error {
	if _, taken := m.blocks[id][first]; taken {
		return errors.New("block written twice")
	}
	m.blocks[id][first] = slices.Clone(block)
	m.written += int64(len(first) + len(block))
	return nil
}

func (m *memoryStore) Drop(id uint32) error {
	delete(m.headers, id)
	delete(m.blocks, id)
	return nil
}
