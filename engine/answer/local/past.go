package local

import (
	"errors"
	"path/filepath"

	"dowse/engine/generate/draft"
	"dowse/engine/memory"
	"dowse/internal/home"
	"dowse/models"
)

// pastAnswers are drafted from.
type pastAnswers struct {
	*draft.History
	unlock  func() error // unlocks the folder; nil if it is not locked
	ledger  *memory.Ledger
	charged int64
}

const (
	// PastPool is the ledger's pool of past answers.
	PastPool = "answers.past"
	// pastMemory is their most bytes: some 100 for each of draft.DefaultHistory
	// tokens.
	pastMemory = 20 << 20
)

// openPast opens a model's past answers. One process may use the folder.
// Others, or one that cannot write there, remember their own answers until they
// end: only speed is lost.
func openPast(folder, model string, ledger *memory.Ledger) *pastAnswers {
	p := &pastAnswers{ledger: ledger}
	p.open(folder, model)
	p.charge()
	return p
}

func (p *pastAnswers) open(folder, model string) {
	if home.MakePrivate(folder) == nil {
		unlock, held, err := models.TryLock(filepath.Join(folder, "lock"))
		if err == nil && held {
			if h, err := draft.OpenHistory(folder, model, 0); err == nil {
				p.History, p.unlock = h, unlock
				return
			}
			_ = unlock() // no file was written
		}
	}
	p.History = draft.NewHistory(0)
}

// charge updates the ledger.
func (p *pastAnswers) charge() {
	held := int64(p.Bytes())
	p.ledger.Grow(PastPool, max(0, held-p.charged))
	p.ledger.Shrink(PastPool, max(0, p.charged-held))
	p.charged = held
}

// close releases the folder.
func (p *pastAnswers) close() error {
	if p == nil {
		return nil
	}
	p.ledger.Shrink(PastPool, p.charged)
	p.charged = 0
	err := p.Close()
	if p.unlock != nil {
		err = errors.Join(err, p.unlock())
	}
	return err
}
