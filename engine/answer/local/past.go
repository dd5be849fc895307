package local

import (
	"errors"
	"path/filepath"

	"dowse/engine/generate/draft"
	"dowse/engine/memory"
	"dowse/internal/home"
	"dowse/models"
)

// pastAnswers are answers that later ones are drafted from.
type pastAnswers struct {
	*draft.History
	unlock  func() error // lets others open the folder; nil if that is not held
	ledger  *memory.Ledger
	charged int64
}

const (
	// PastPool is the ledger's pool of past answers.
	PastPool = "answers.past"
	// pastMemory is the most that they take: some 100 bytes for each of
	// draft.DefaultHistory tokens.
	pastMemory = 20 << 20
)

// openPast opens the past answers of a model. One process at a time may use the
// folder. Another one that answers meanwhile, or one that cannot write there,
// remembers what it says itself, and forgets that when it ends: what is lost is
// speed alone.
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
			_ = unlock() // of a file that nothing was written to
		}
	}
	p.History = draft.NewHistory(0)
}

// charge tells the ledger what is held by now.
func (p *pastAnswers) charge() {
	held := int64(p.Bytes())
	p.ledger.Grow(PastPool, max(0, held-p.charged))
	p.ledger.Shrink(PastPool, max(0, p.charged-held))
	p.charged = held
}

// close lets go of the folder.
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
