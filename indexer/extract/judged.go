package extract

import (
	"sync"

	"github.com/cespare/xxhash/v2"
)

// judgedTexts is how many texts Judged remembers: 8 bytes each, twice that in a map.
const judgedTexts = 1 << 14

// Judged remembers texts that were found to be something to read and not data, so that
// who reads files again and again judges each once: that takes half of the time of
// reading a short note. A nil Judged remembers nothing. It may be used by several
// goroutines.
type Judged struct {
	all bool // whatever it is

	mu    sync.Mutex
	texts map[uint64]struct{} // hashes
}

// Trust says that a source is a file that was judged before, as it is.
func (s *Source) Trust() { s.opts.Judged = &Judged{all: true} }

// dataLike is the function of that name, for texts that are not remembered.
func (j *Judged) dataLike(text string) string {
	if j == nil || len(text) < dataBytes {
		return dataLike(text)
	}
	if j.all {
		return ""
	}
	hash := xxhash.Sum64String(text)
	j.mu.Lock()
	_, known := j.texts[hash]
	j.mu.Unlock()
	if known {
		return ""
	}
	why := dataLike(text)
	if why != "" {
		return why
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.texts == nil || len(j.texts) == judgedTexts {
		j.texts = map[uint64]struct{}{}
	}
	j.texts[hash] = struct{}{}
	return ""
}
