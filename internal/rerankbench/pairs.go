package rerankbench

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
)

// pairsRow is a query that is timed, for another program to be timed on the very
// same input.
type pairsRow struct {
	Query    string    `json:"query,omitempty"`    // absent where tokens are made up
	Passages []string  `json:"passages,omitempty"` // so are these
	IDs      [][]int32 `json:"ids"`                // tokens of each pair, special ones included
	Types    [][]int   `json:"types,omitempty"`    // their segments, where the model has any
}

// writePairs writes the queries that are timed with n candidates, as a JSON
// object a line.
func (b *bench) writePairs(n int) (err error) {
	if b.opts.Pairs == "" {
		return nil
	}
	file, err := os.Create(b.opts.Pairs)
	if err != nil {
		return fmt.Errorf("--pairs: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	out := json.NewEncoder(file)
	for _, q := range b.timed(n) {
		row := pairsRow{Query: q.text, Passages: q.passages}
		for _, p := range q.pairs {
			row.IDs = append(row.IDs, p.IDs)
			if p.Types != nil {
				types := make([]int, len(p.Types)) // bytes would be written in base 64
				for i, t := range p.Types {
					types[i] = int(t)
				}
				row.Types = append(row.Types, types)
			}
		}
		if err := out.Encode(row); err != nil {
			return fmt.Errorf("--pairs: %w", err)
		}
	}
	return nil
}
