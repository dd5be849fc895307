package leann

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

// linkVersion is the first byte of a block of links.
const linkVersion = 1

// upperBits: a block of an upper level covers 2^17 ids, of which 4096 reach level 1.
const upperBits = blockBits + 5

// errLinks: the block was not written by this package.
var errLinks = errors.New("links that cannot have been written")

// blockPlace is the key of a block of links.
type blockPlace struct {
	part Part
	key  uint32
}

func placeOf(level int, node uint32) blockPlace {
	if level == 0 {
		return blockPlace{Links, node >> blockBits}
	}
	return blockPlace{UpperLinks, uint32(level)<<(32-upperBits) | node>>upperBits}
}

// level returns the level of a block and its ids, span of them from first on.
func (p blockPlace) level() (level int, first, span uint32, err error) {
	if p.part == Links {
		if p.key >= 1<<(32-blockBits) {
			return 0, 0, 0, fmt.Errorf("links %d: %w", p.key, errLinks)
		}
		return 0, p.key << blockBits, 1 << blockBits, nil
	}
	level = int(p.key >> (32 - upperBits))
	if level < 1 || level > maxLevel {
		return 0, 0, 0, fmt.Errorf("upper links %d: %w", p.key, errLinks)
	}
	return level, p.key << upperBits, 1 << upperBits, nil
}

// slots calls f with the ids of a block that reach its level, ascending, until f returns
// false. Each is one bit of the bitmap.
func slots(level int, first, span uint32, f func(slot int, id uint32) bool) {
	slot := 0
	for i := range span {
		if id := first + i; level == 0 || levelOf(id) >= level {
			if !f(slot, id) {
				return
			}
			slot++
		}
	}
}

// linkList holds the links that a node owns on a level, ascending.
type linkList struct {
	node uint32
	to   []uint32
}

// appendLinks appends a block: version, length of the bitmap, bitmap of the slots that are
// nodes, each node's coded links.
func appendLinks(dst []byte, place blockPlace, lists []linkList) ([]byte, error) {
	level, first, span, err := place.level()
	if err != nil {
		return nil, err
	}
	var bitmap []byte
	at := 0
	slots(level, first, span, func(slot int, id uint32) bool {
		if at < len(lists) && lists[at].node == id {
			bitmap = append(bitmap, make([]byte, slot/8+1-len(bitmap))...)
			bitmap[slot/8] |= 1 << (slot % 8)
			at++
		}
		return at < len(lists)
	})
	if at < len(lists) {
		return nil, fmt.Errorf("node %d belongs to no slot of its block", lists[at].node)
	}
	dst = append(dst, linkVersion)
	dst = binary.AppendUvarint(dst, uint64(len(bitmap)))
	dst = append(dst, bitmap...)
	w, m := newLinkWriter(dst), newLinkModel()
	for _, l := range lists {
		m.list(w, l.node, l.to)
	}
	return w.Close(), nil
}

// linkBitmap splits a block into its bitmap and its coded links.
func linkBitmap(place blockPlace, value []byte) (bitmap, rest []byte, err error) {
	bad := fmt.Errorf("links %d: %w", place.key, errLinks)
	if len(value) < 2 || value[0] != linkVersion {
		return nil, nil, bad
	}
	size, n := binary.Uvarint(value[1:])
	if n <= 0 || size > 1<<upperBits/8 || uint64(len(value)-1-n) < size {
		return nil, nil, bad
	}
	return value[1+n : 1+n+int(size)], value[1+n+int(size):], nil
}

// eachLinkNode calls f with the nodes of a block, ascending, without decoding links.
func eachLinkNode(place blockPlace, value []byte, f func(node uint32)) error {
	level, first, span, err := place.level()
	if err != nil {
		return err
	}
	bitmap, _, err := linkBitmap(place, value)
	if err != nil {
		return err
	}
	left := 0
	for _, b := range bitmap {
		left += bits.OnesCount8(b)
	}
	slots(level, first, span, func(slot int, id uint32) bool {
		if slot/8 < len(bitmap) && bitmap[slot/8]>>(slot%8)&1 == 1 {
			f(id)
			left--
		}
		return left > 0 && slot/8 < len(bitmap)
	})
	if left > 0 {
		return fmt.Errorf("links %d: %w", place.key, errLinks)
	}
	return nil
}

// parseLinks reverses appendLinks.
func parseLinks(place blockPlace, value []byte) ([]linkList, error) {
	var lists []linkList
	err := eachLinkNode(place, value, func(node uint32) { lists = append(lists, linkList{node: node}) })
	if err != nil {
		return nil, err
	}
	_, rest, err := linkBitmap(place, value)
	if err != nil {
		return nil, err
	}
	r, m := newLinkReader(rest), newLinkModel()
	for i := range lists {
		lists[i].to = m.list(r, lists[i].node, nil)
		if r.Short() || !ascending(lists[i]) {
			return nil, fmt.Errorf("links %d: %w", place.key, errLinks)
		}
	}
	if !r.Ended() {
		return nil, fmt.Errorf("links %d: %w", place.key, errLinks)
	}
	return lists, nil
}

// ascending reports whether a list is a valid one: ascending, without its owner.
func ascending(l linkList) bool {
	for i, x := range l.to {
		if x == l.node || x == none || i > 0 && x <= l.to[i-1] {
			return false
		}
	}
	return true
}

// linkModel is the adaptive model of a block's links. A node's links are coded as gaps on
// either side of it, the nearest first: chunks of one file have neighbouring ids and
// resemble each other, so many gaps are small.
type linkModel struct {
	degrees numbers        // links of a node
	above   [16]chance     // whether a link leads to a higher number, by links left
	first   [2][8]numbers  // the least gap, by side and links on that side
	next    [2][34]numbers // further gaps, by side and bits of the previous gap
}

func newLinkModel() *linkModel {
	m := &linkModel{}
	m.degrees.renew()
	renew(m.above[:])
	for side := range 2 {
		for i := range m.first[side] {
			m.first[side][i].renew()
		}
		for i := range m.next[side] {
			m.next[side][i].renew()
		}
	}
	return m
}

// maxOwn is the most links that a node may own on a level.
const maxOwn = 255

// list codes the links that a node owns. A reader passes nil and gets them.
func (m *linkModel) list(c coder, node uint32, links []uint32) []uint32 {
	degree := int(min(m.degrees.code(c, uint64(len(links))), maxOwn))
	below := 0 // links to lower numbers
	for below < len(links) && links[below] < node {
		below++
	}
	// Unary: a 0 for each lower link, then a 1 if any are left.
	n := 0
	for n < degree && c.code(&m.above[min(degree-n, 15)], bitOf(n >= below)) == 0 {
		n++
	}
	got := make([]uint32, degree)
	m.gaps(c, 0, node, n, got[:n], links, below)
	m.gaps(c, 1, node, degree-n, got[n:], links, below)
	return got
}

// gaps codes n links on one side of a node. Only damage leads beyond all numbers, and is
// clamped to stay invalid.
func (m *linkModel) gaps(c coder, side int, node uint32, n int, got, links []uint32, below int) {
	at, model := int64(node), &m.first[side][min(n, 7)]
	for i := range n {
		gap := uint64(0)
		switch {
		case len(links) > 0 && side == 0:
			gap = uint64(at - int64(links[below-1-i]) - 1)
		case len(links) > 0:
			gap = uint64(int64(links[below+i]) - at - 1)
		}
		gap = model.code(c, gap)
		model = &m.next[side][bits.Len64(gap)]
		if side == 0 {
			at -= int64(gap) + 1
			got[n-1-i] = uint32(max(at, 0))
		} else {
			at += int64(gap) + 1
			got[i] = uint32(min(at, int64(none)))
		}
	}
}
