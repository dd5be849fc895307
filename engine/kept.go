package engine

import (
	"cmp"
	"slices"
	"strings"
)

// KeptQueries are queries that a person asked on the screen, and those that they
// saved under a name.
type KeptQueries struct {
	Asked []string     `json:"asked"` // the oldest first, each once
	Saved []SavedQuery `json:"saved"` // by name
}

// SavedQuery is a query with a name.
type SavedQuery struct {
	Name  string `json:"name"`
	Query string `json:"query"`
}

// Save puts a saved query at its place by name, instead of the one that has the
// name in any case of letters. One without a query takes the name away.
func (k *KeptQueries) Save(q SavedQuery) {
	k.Saved = slices.DeleteFunc(k.Saved, func(s SavedQuery) bool { return strings.EqualFold(s.Name, q.Name) })
	if q.Query == "" {
		return
	}
	at, _ := slices.BinarySearchFunc(k.Saved, q.Name, func(s SavedQuery, name string) int { return cmp.Compare(s.Name, name) })
	k.Saved = slices.Insert(k.Saved, at, q)
}
