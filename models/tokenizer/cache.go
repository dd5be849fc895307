package tokenizer

import "github.com/cespare/xxhash/v2"

// wordCache remembers what short pieces were merged into. Each place holds the
// last piece whose hash led there, so its size is fixed (512 KB) and nothing
// has to be thrown out.
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

// find returns the place of a piece, and its tokens if they are known. The
// place is nil for a piece that is too long.
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
