package indexer_test

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
)

// place is where a record lies in the file.
type place struct {
	what   string
	at, to int
}

// damage is a way to spoil an image.
type damage struct {
	name  string
	spoil func(image []byte, random *rand.Rand) (spoilt []byte, where string)
}

// damages returns the ways; of records each bucket and table has its share.
func damages(records map[string][]place) []damage {
	const block = 4096
	blockOf := func(image []byte, random *rand.Rand) int { return random.IntN(len(image)/block) * block }
	list := []damage{
		{"bit", func(image []byte, random *rand.Rand) ([]byte, string) {
			at := random.IntN(len(image))
			image[at] ^= 1 << random.IntN(8)
			return image, fmt.Sprint("byte ", at)
		}},
		{"bit of a page's head", func(image []byte, random *rand.Rand) ([]byte, string) {
			at := random.IntN(len(image)/1024)*1024 + random.IntN(80)
			image[at] ^= 1 << random.IntN(8)
			return image, fmt.Sprint("byte ", at)
		}},
		{"zeroed block", func(image []byte, random *rand.Rand) ([]byte, string) {
			at := blockOf(image, random)
			clear(image[at:][:block])
			return image, fmt.Sprint("block at ", at)
		}},
		{"swapped blocks", func(image []byte, random *rand.Rand) ([]byte, string) {
			a, b := blockOf(image, random), blockOf(image, random)
			kept := bytes.Clone(image[a:][:block])
			copy(image[a:][:block], image[b:][:block])
			copy(image[b:][:block], kept)
			return image, fmt.Sprint("blocks at ", a, " and ", b)
		}},
		{"cut short", func(image []byte, random *rand.Rand) ([]byte, string) {
			n := 1 + random.IntN(len(image)-1)
			return image[:n], fmt.Sprint("to ", n)
		}},
		{"garbage behind", func(image []byte, random *rand.Rand) ([]byte, string) {
			for range 1 + random.IntN(9000) {
				image = append(image, byte(random.Uint32()))
			}
			return image, ""
		}},
	}
	for what, places := range records {
		list = append(list, damage{"record of " + what, func(image []byte, random *rand.Rand) ([]byte, string) {
			p := places[random.IntN(len(places))]
			at := p.at + random.IntN(p.to-p.at)
			image[at] ^= 1 << random.IntN(8)
			return image, fmt.Sprint("byte ", at, ", ", at-p.at, " of ", p.to-p.at)
		}})
	}
	slices.SortFunc(list, func(a, b damage) int { return cmp.Compare(a.name, b.name) })
	return list
}

// recordsOf finds the records of an index in its file, by what they are, as
// bbolt's pages and the store's keys tell.
func recordsOf(image []byte) map[string][]place {
	found := map[string][]place{}
	order := binary.NativeEndian
	pageSize := int(order.Uint32(image[16+8:]))
	for page := 2 * pageSize; page < len(image); page += pageSize {
		if int(order.Uint64(image[page:])) != page/pageSize || order.Uint16(image[page+8:]) != 2 {
			continue
		}
		for i := range int(order.Uint16(image[page+10:])) {
			element := page + 16 + 16*i
			if order.Uint32(image[element:]) != 0 { // a bucket
				continue
			}
			key := element + int(order.Uint32(image[element+4:]))
			value := key + int(order.Uint32(image[element+8:]))
			end := value + int(order.Uint32(image[element+12:]))
			if end <= len(image) && value > key {
				what := kindOf(image[key:value], end-value)
				found[what] = append(found[what], place{what, key, end})
			}
		}
	}
	return found
}

// kindOf returns what a record is by its key and its length.
func kindOf(key []byte, length int) string {
	tables := []string{"", "folders", "files", "names", "codes", "codebook"}
	switch {
	case len(key) == 5 && key[0] > 0 && int(key[0]) < len(tables):
		return tables[key[0]]
	case key[0] > 5:
		return "main"
	case len(key) == 4 && length == 4*fakeDim+4:
		return "vectors"
	case len(key) == 4:
		return "segments"
	}
	return "postings"
}
