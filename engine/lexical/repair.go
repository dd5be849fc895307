package lexical

import "context"

// Repair drops every segment that Check would complain of and returns the live
// chunks that no other one holds. next is a bound of all ids.
func Repair(ctx context.Context, rw ReadWriter, live *Set, next uint32) (missing *Set, err error) {
	ids, err := rw.Segments()
	if err != nil {
		return nil, err
	}
	held := NewSet(next)
	for _, id := range ids {
		sound, seen := true, held.Clone()
		c := &segmentCheck{ctx: ctx, id: id, report: func(string) { sound = false }}
		if err := c.run(rw, seen, next); err != nil {
			return nil, err
		}
		if sound {
			held = seen
			continue
		}
		if err := rw.Drop(id); err != nil {
			return nil, err
		}
	}
	missing = live.Clone()
	missing.AndNot(held)
	return missing, nil
}
