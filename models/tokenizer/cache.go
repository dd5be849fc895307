package tokenizer

import "github.com/cespare/xxhash/v2"

// wordCache remembers merged short pieces. Each place holds the last piece with
// its hash, so that the size is fixed (512 KB).
type wordCache struct {
	places [cachePlaces]cachedWord
}

const (
	cachePlaces  = 8192
	cachedBytes  = 30
	cachedTokens = 8
)

// cachedWord is 64 bytes, a cache line.
type cachedWord struct {
	text   [cachedBytes]byte
	length uint8 // 0: nothing here
	count  uint8
	ids    [cachedTokens]int32
}

// find returns the place of a piece, nil if it is too long, and its tokens if
// known.
func (c *wordCache) find(piece string) (place *cachedWord, ids []int32) {
	if len(piece) > cachedBytes {
		return nil, nil
	}
	place = &c.places[xxhash.Sum64String(piece)%cachePlaces]
	if string(place.text[:place.length]) == piece {
		return place, place.ids[:place.count]
	}
	return place, nil
}

// store keeps the tokens of piece at a place that find returned.
func (w *cachedWord) store(piece string, ids []int32) {
	if w == nil || len(ids) == 0 || len(ids) > cachedTokens {
		return
	}
	w.length = uint8(copy(w.text[:], piece))
	w.count = uint8(copy(w.ids[:], ids))
}
