package indexer

import (
	"dowse/engine/layout"
	"dowse/engine/lexical"
	"dowse/store"
)

// liveChunks returns the set of chunks that files have.
func liveChunks(tx *store.Tx) (*lexical.Set, error) {
	return chunksOf(tx, func(uint8) bool { return true })
}

// vectorChunks returns the set of chunks that files have and that have a vector or a code.
func vectorChunks(tx *store.Tx) (*lexical.Set, error) { return chunksOf(tx, layout.HasVectors) }

// chunksOf returns the set of chunks that files of some kinds have.
func chunksOf(tx *store.Tx, kind func(uint8) bool) (*lexical.Set, error) {
	set := lexical.NewSet(tx.NextChunk())
	err := tx.LiveChunksOf(kind, func(first, n uint32) error {
		set.AddRange(first, n)
		return nil
	})
	return set, err
}

// heldIDs returns the set of chunk ids that postings, codes and links name, of dead
// chunks too.
func (ix *Indexer) heldIDs(tx *store.Tx) (*lexical.Set, error) {
	held := lexical.NewSet(tx.NextChunk())
	if err := lexical.Held(tx.Postings(), held.AddRange); err != nil {
		return nil, err
	}
	err := ix.index().Held(layout.VectorIndex{Tx: tx}, held.Add)
	return held, err
}

// freeIDs has the ids of chunks that are gone given again, as far as nothing
// names them any more. It ends each transaction in which postings were merged or
// codes dropped.
func (ix *Indexer) freeIDs(tx *store.Tx) error {
	held, err := ix.heldIDs(tx)
	if err != nil {
		return err
	}
	return tx.FreeChunks(held.Has)
}

// checkFree reports the ids that are free and named all the same.
func (ix *Indexer) checkFree(tx *store.Tx, report func(store.Problem)) error {
	held, err := ix.heldIDs(tx)
	if err != nil {
		return err
	}
	return tx.EachFree(func(first, n uint32) error {
		for id := first; id < first+n; id++ {
			if held.Has(id) {
				report(store.Problem{Where: "free ids", What: "postings, codes or links name a free id, or one of another chunk"})
				return nil
			}
		}
		return nil
	})
}
