package lexical

import "fmt"

// Held calls fn for the ranges of chunk ids that segments hold, tombstones too:
// ids from first to first+n-1.
func Held(r Reader, fn func(first, n uint32)) error {
	ids, err := r.Segments()
	if err != nil {
		return err
	}
	for _, id := range ids {
		data, err := r.Header(id)
		if err != nil {
			return err
		}
		_, runs, _, err := decodeRuns(data)
		if err != nil {
			return fmt.Errorf("segment %d: %w", id, err)
		}
		for _, run := range runs {
			fn(uint32(run.first), uint32(run.end-run.first))
		}
	}
	return nil
}
