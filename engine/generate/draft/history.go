package draft

import (
	"fmt"
	"slices"
	"sync"
)

// DefaultHistory is the tokens of past answers kept.
const DefaultHistory = 200_000

// separator stands between answers in the automaton.
const separator = -1

// History holds past answers to draft from and drops the oldest above a number
// of tokens. It is private data: see Erase and EraseFolder. It is safe for
// concurrent use.
type History struct {
	mu        sync.RWMutex
	limit     int
	answers   []answer // oldest first
	tokens    int
	automaton *automaton
	version   int // counts changes of automaton
	log       *historyLog
}

type answer struct {
	session string
	tokens  []int32
}

// NewHistory returns an empty history in memory of at most limit tokens; 0
// means DefaultHistory.
func NewHistory(limit int) *History {
	if limit <= 0 {
		limit = DefaultHistory
	}
	h := &History{limit: limit}
	h.rebuild()
	return h
}

// OpenHistory opens, or makes, a model's history in a folder. Each model has
// its own log, since token ids belong to a tokenizer. A torn log is cut after
// its last whole answer. A folder may have one open History at a time.
func OpenHistory(folder, model string, limit int) (*History, error) {
	h := NewHistory(limit)
	log, answers, err := openLog(folder, model)
	if err != nil {
		return nil, err
	}
	h.log, h.answers = log, answers
	for _, a := range answers {
		h.tokens += len(a.tokens)
	}
	if h.trim() {
		if err := log.rewrite(h.answers); err != nil {
			return nil, err
		}
	}
	h.rebuild()
	return h, nil
}

// Add stores an answer of a session, without its prompt. It is logged at once
// but not flushed: a power failure costs speed alone.
func (h *History) Add(session string, tokens []int32) error {
	if len(tokens) == 0 {
		return nil
	}
	if i := slices.IndexFunc(tokens, func(t int32) bool { return t < 0 }); i >= 0 {
		return fmt.Errorf("history of answers: token %d of an answer is %d; ids are not negative", i, tokens[i])
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(tokens) > h.limit {
		tokens = tokens[len(tokens)-h.limit:]
	}
	a := answer{session: session, tokens: slices.Clone(tokens)}
	h.answers = append(h.answers, a)
	h.tokens += len(a.tokens)
	if h.trim() {
		h.rebuild()
		if h.log != nil {
			return h.log.rewrite(h.answers)
		}
		return nil
	}
	h.put(a)
	if h.log != nil {
		return h.log.append(a)
	}
	return nil
}

// Erase removes all answers of a session, of every model, and rewrites the
// logs. File systems may keep replaced bytes.
func (h *History) Erase(session string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	kept := h.answers[:0:0]
	for _, a := range h.answers {
		if a.session != session {
			kept = append(kept, a)
		}
	}
	h.replace(kept)
	if h.log != nil {
		return h.log.erase(session)
	}
	return nil
}

// Len counts answers and tokens.
func (h *History) Len() (answers, tokens int) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return len(h.answers), h.tokens
}

// Bytes returns the memory held.
func (h *History) Bytes() int {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.automaton.bytes() + 4*h.tokens
}

// Close closes the log.
func (h *History) Close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.log == nil {
		return nil
	}
	return h.log.close()
}

// trim drops the oldest answers above the limit, and a tenth of the limit more,
// so that rebuilding is rare. It reports whether it dropped any.
func (h *History) trim() bool {
	if h.tokens <= h.limit {
		return false
	}
	drop := 0
	for drop < len(h.answers)-1 && h.tokens > h.limit-h.limit/10 {
		h.tokens -= len(h.answers[drop].tokens)
		drop++
	}
	h.answers = slices.Clone(h.answers[drop:])
	return drop > 0
}

func (h *History) replace(answers []answer) {
	h.answers, h.tokens = answers, 0
	for _, a := range answers {
		h.tokens += len(a.tokens)
	}
	h.rebuild()
}

// rebuild builds a new automaton, since nothing can be removed from one.
func (h *History) rebuild() {
	h.automaton = newAutomaton(h.tokens + len(h.answers))
	for _, a := range h.answers {
		h.put(a)
	}
	h.version++
}

func (h *History) put(a answer) {
	for _, token := range a.tokens {
		h.automaton.extend(token)
	}
	h.automaton.extend(separator)
	h.version++
}

// mostPast bounds the text that is looked up again after a change of the
// history: longer matches draft the same.
const mostPast = 64

// pastMatch follows a text through a history that may change.
type pastMatch struct {
	history   *History // or nil
	automaton *automaton
	match     match
	version   int
	seen      int // tokens of the text
}

// lock follows the text since the last call, and locks the history until
// unlock.
func (p *pastMatch) lock(text []int32) {
	if p.history == nil {
		return
	}
	p.history.mu.RLock()
	p.automaton = p.history.automaton
	if p.version != p.history.version || len(text)-p.seen > mostPast {
		p.version, p.match = p.history.version, match{}
		p.seen = max(0, len(text)-mostPast)
	}
	for _, token := range text[p.seen:] {
		p.match = p.automaton.next(p.match, token)
	}
	p.seen = len(text)
}

func (p *pastMatch) unlock() {
	if p.history != nil {
		p.automaton = nil
		p.history.mu.RUnlock()
	}
}
