package tokenizer

import (
	"errors"
	"fmt"
	"math"
	"unicode/utf8"
)

// unigramSettings are the switches of a Unigram model.
type unigramSettings struct {
	ByteFallback bool `json:"byte_fallback,omitempty"`
}

// unknownPenalty is how much lower than the lowest score an unknown character
// scores.
const unknownPenalty = 10

// unigram finds the segmentation with the highest sum of scores (Kudo 2018,
// "Subword Regularization", section 3.2) by the Viterbi algorithm over the
// pieces of the vocabulary that start at each character.
type unigram struct {
	settings     unigramSettings
	unknown      int32
	trie         *trie
	scores       []uint32 // of each token, a float64 as its low and its high half
	specials     specialIDs
	unknownScore float64
	bytes        [256]int32
	fallback     bool // every byte has a token
}

// score returns the logarithm of a token's probability.
func (u *unigram) score(id int32) float64 {
	return math.Float64frombits(uint64(u.scores[2*id]) | uint64(u.scores[2*id+1])<<32)
}

// prepare derives the score of unknown characters and the tokens of bytes.
func (u *unigram) prepare() {
	lowest := math.Inf(1)
	for id := range int32(len(u.scores) / 2) {
		lowest = min(lowest, u.score(id))
	}
	u.unknownScore = lowest - unknownPenalty
	u.fallback = u.settings.ByteFallback
	for c := range u.bytes {
		u.bytes[c] = noToken
		if s := u.trie.walk(0, fmt.Sprintf(byteTokenFormat, c)); s != deadState {
			u.bytes[c] = u.trie.values[s]
		}
		u.fallback = u.fallback && u.bytes[c] != noToken
	}
}

// check verifies the table of scores; size is that of the vocabulary.
func (u *unigram) check(size int) error {
	if len(u.scores) != 2*size {
		return fmt.Errorf("%d scores for %d tokens", len(u.scores)/2, size)
	}
	for id := range int32(size) {
		if s := u.score(id); math.IsNaN(s) || math.IsInf(s, 0) {
			return fmt.Errorf("token %d has no finite score", id)
		}
	}
	if u.unknown == noToken {
		return errors.New("a Unigram model needs an unknown token")
	}
	return nil
}

// path is the best segmentation of a prefix of the piece.
type path struct {
	score float64
	start int32 // where its last token starts; noStart if nothing ends here
	id    int32
}

const noStart = -1

// lattice holds the best paths of a piece; its buffer is used again.
type lattice struct {
	paths []path
	cuts  []int32 // ends of the tokens of the best path, from the right
}

// encode emits the tokens of piece.
func (u *unigram) encode(o *output, l *lattice, piece aligned) {
	u.search(l, piece.text, o.literal)
	l.cuts = l.cuts[:0]
	for end := int32(len(piece.text)); end > 0; end = l.paths[end].start {
		l.cuts = append(l.cuts, end)
	}
	start := 0
	for i := len(l.cuts) - 1; i >= 0; i-- {
		end := int(l.cuts[i])
		id := l.paths[end].id
		// Unknown characters in a row are one token.
		for id == u.unknown && i > 0 && l.paths[l.cuts[i-1]].id == u.unknown {
			i--
			end = int(l.cuts[i])
		}
		if id != u.unknown || !u.spell(o, piece, start, end) {
			o.emit(id, piece.source(start, end))
		}
		start = end
	}
}

// spell emits the bytes of unknown characters, where the model wants that.
func (u *unigram) spell(o *output, piece aligned, start, end int) bool {
	if !u.fallback {
		return false
	}
	for i := start; i < end; i++ {
		o.emit(u.bytes[piece.text[i]], piece.source(start, end))
	}
	return true
}

// search fills in the best path to every place of text; over special tokens
// only if text is not literal.
func (u *unigram) search(l *lattice, text string, literal bool) {
	l.paths = l.paths[:0]
	for range len(text) + 1 {
		l.paths = append(l.paths, path{start: noStart})
	}
	for at := 0; at < len(text); {
		_, width := utf8.DecodeRuneInString(text[at:])
		if !u.extend(l, text, at, width, literal) {
			l.offer(at, at+width, u.unknown, u.unknownScore)
		}
		at += width
	}
}

// extend offers every token that starts at text[at]. It returns whether one of
// them is the character there, of the given width.
func (u *unigram) extend(l *lattice, text string, at, width int, literal bool) bool {
	known := false
	state := int32(0)
	for end := at; end < len(text); end++ {
		if state = u.trie.step(state, text[end]); state == deadState {
			break
		}
		id := u.trie.values[state]
		if id == noToken || literal && u.specials.has(id) {
			continue
		}
		l.offer(at, end+1, id, u.score(id))
		known = known || end+1-at == width
	}
	return known
}

// offer takes the path over a token if it beats the one known so far.
func (l *lattice) offer(start, end int, id int32, score float64) {
	score += l.paths[start].score
	if to := &l.paths[end]; to.start == noStart || score > to.score {
		*to = path{score: score, start: int32(start), id: id}
	}
}
