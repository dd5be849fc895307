package charsmap

import (
	"encoding/binary"
	"errors"
	"fmt"
	"unicode/utf8"

	"dowse/models/internal/view"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// Map is a compiled character map. It refers to the bytes it was made from and
// never changes.
type Map struct {
	units []uint32
	text  []byte
	plain [utf8.RuneSelf]bool // ASCII characters that stay as they are
}

// maxCluster is the length in bytes from which on a cluster is not looked up
// as a whole.
const maxCluster = 6

// New reads a map: the length of the trie in bytes, the trie, the strings, all
// numbers little-endian.
func New(data []byte) (*Map, error) {
	if len(data) < 4 {
		return nil, errors.New("character map: cut short")
	}
	size := int(binary.LittleEndian.Uint32(data))
	if size%4 != 0 || size == 0 || size > len(data)-4 {
		return nil, fmt.Errorf("character map: a trie of %d bytes in %d", size, len(data))
	}
	m := &Map{units: view.Uint32s(data[4 : 4+size]), text: data[4+size:]}
	for c := range m.plain {
		_, found := m.find(string(rune(c)))
		m.plain[c] = !found && c != '\r' && c != '\n'
	}
	return m, nil
}

// Output receives the normalised text in order.
type Output interface {
	// Keep takes over from[start:end] as it is.
	Keep(start, end int)
	// Put adds text, which from[start:end] became.
	Put(text string, start, end int)
}

// Apply normalises text.
func (m *Map) Apply(text string, out Output) {
	for at := 0; at < len(text); {
		if end := m.plainEnd(text, at); end > at {
			out.Keep(at, end)
			at = end
			continue
		}
		end := at + clusterLength(text[at:])
		m.cluster(text, at, end, out)
		at = end
	}
}

// plainEnd finds where the ASCII characters that stay as they are, and that no
// later character can join, end.
func (m *Map) plainEnd(text string, at int) int {
	for at < len(text) && text[at] < utf8.RuneSelf && m.plain[text[at]] {
		if at+1 < len(text) && text[at+1] >= utf8.RuneSelf {
			break
		}
		at++
	}
	return at
}

// clusterLength returns the length of the first grapheme cluster of text.
func clusterLength(text string) int {
	clusters := graphemes.FromString(text)
	clusters.Next()
	return len(clusters.Value())
}

// cluster normalises the grapheme cluster text[start:end].
func (m *Map) cluster(text string, start, end int, out Output) {
	if end-start < maxCluster {
		if to, found := m.find(text[start:end]); found {
			out.Put(to, start, end)
			return
		}
	}
	for at := start; at < end; {
		_, width := utf8.DecodeRuneInString(text[at:end])
		if to, found := m.find(text[at : at+width]); found {
			out.Put(to, at, at+width)
		} else {
			out.Keep(at, at+width)
		}
		at += width
	}
}

// The fields of a unit of the trie.
const (
	unitLabel  = 1<<31 | 0xff
	unitLeaf   = 1 << 8
	unitValue  = 1<<31 - 1
	unitOffset = 10
	unitWide   = 1 << 9
)

// offset returns the distance from a unit to its children.
func offset(unit uint32) uint32 { return unit >> unitOffset << (unit & unitWide >> 6) }

// find returns what the shortest entry that text starts with becomes.
func (m *Map) find(text string) (string, bool) {
	at := offset(m.units[0])
	for i := 0; i < len(text) && text[i] != 0; i++ {
		at ^= uint32(text[i])
		if int(at) >= len(m.units) {
			return "", false
		}
		unit := m.units[at]
		if unit&unitLabel != uint32(text[i]) {
			return "", false
		}
		at ^= offset(unit)
		if unit&unitLeaf != 0 {
			return m.value(at)
		}
	}
	return "", false
}

// value returns the string that the leaf at unit at points to.
func (m *Map) value(at uint32) (string, bool) {
	if int(at) >= len(m.units) {
		return "", false
	}
	start := int(m.units[at] & unitValue)
	if start > len(m.text) {
		return "", false
	}
	end := start
	for end < len(m.text) && m.text[end] != 0 {
		end++
	}
	return string(m.text[start:end]), true
}
