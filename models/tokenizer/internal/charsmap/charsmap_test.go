package charsmap

import (
	"encoding/binary"
	"strings"
	"testing"
)

// build compiles rules into a map, one block of 256 units for each state.
func build(rules map[string]string) []byte {
	const block = 256
	units := make([]uint32, block) // the root is unit 0, its children fill the first block
	states := map[string]uint32{"": 0}
	var text []byte
	add := func(key string) uint32 {
		base := uint32(len(units))
		units = append(units, make([]uint32, block)...)
		states[key] = base
		return base
	}
	rootBase := add("")
	units[0] = rootBase << unitOffset
	for key, value := range rules {
		for i := range len(key) {
			if _, known := states[key[:i+1]]; known {
				continue
			}
			base := add(key[:i+1])
			at := states[key[:i]] ^ uint32(key[i])
			units[at] = (at^base)<<unitOffset | uint32(key[i])
		}
		at := states[key[:len(key)-1]] ^ uint32(key[len(key)-1])
		units[at] |= unitLeaf
		units[states[key]] = uint32(len(text))
		text = append(append(text, value...), 0)
	}
	data := binary.LittleEndian.AppendUint32(nil, uint32(4*len(units)))
	for _, u := range units {
		data = binary.LittleEndian.AppendUint32(data, u)
	}
	return append(data, text...)
}

// builder is an Output that also checks the order of what it is given.
type builder struct {
	t    *testing.T
	from string
	text strings.Builder
	at   int
}

func (b *builder) Keep(start, end int) { b.Put(b.from[start:end], start, end) }

func (b *builder) Put(text string, start, end int) {
	if start != b.at || end <= start || end > len(b.from) {
		b.t.Fatalf("%q: %d to %d after %d", b.from, start, end, b.at)
	}
	b.at = end
	b.text.WriteString(text)
}

func apply(t *testing.T, m *Map, text string) string {
	b := &builder{t: t, from: text}
	m.Apply(text, b)
	if b.at != len(text) {
		t.Fatalf("%q is read up to %d", text, b.at)
	}
	return b.text.String()
}

func TestApply(t *testing.T) {
	m, err := New(build(map[string]string{
		"ﬁ": "fi", "\r": " ", "\n": " ", "\u00ad": "", "e\u0301": "é", "A": "a", "\u0301": "", "\x7f": "",
	}))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"":                    "",
		"plain text":          "plain text",
		"ﬁn":                  "fin",
		"a\r\nb":              "a b",  // one cluster, so one of the two is lost
		"a\n\nb":              "a  b", // two clusters
		"e\u0301x":            "éx",
		"x\u0301":             "x",             // no entry starts with x, so by characters
		"A\u0301":             "a",             // the shortest entry stands for the whole cluster
		"A\u0301\u20dd\u20dd": "a\u20dd\u20dd", // a long cluster, so by characters
		"Abc\x7f":             "abc",
		"\u00ad":              "",
		"\xff\xc3":            "\xff\xc3",
	} {
		if got := apply(t, m, text); got != want {
			t.Errorf("%+q becomes %+q, want %+q", text, got, want)
		}
	}
}

func TestNewRefusesDamage(t *testing.T) {
	data := build(map[string]string{"a": "b"})
	for _, broken := range [][]byte{nil, data[:3], data[:100], {3, 0, 0, 0, 1, 2, 3}, {0, 0, 0, 0}} {
		if _, err := New(broken); err == nil {
			t.Errorf("%d bytes are accepted", len(broken))
		}
	}
}

func FuzzMap(f *testing.F) {
	data := build(map[string]string{"ﬁ": "fi", "e\u0301": "é"})
	f.Add("ﬁe\u0301", uint32(8), uint32(0))
	f.Add("e\u0301", uint32(1200), ^uint32(0))
	f.Fuzz(func(t *testing.T, text string, at, to uint32) {
		broken := append([]byte(nil), data...)
		binary.LittleEndian.PutUint32(broken[int(at)%(len(broken)-3):], to)
		if m, err := New(broken); err == nil {
			apply(t, m, text)
		}
	})
}
