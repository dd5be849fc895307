package search

import (
	"sync"

	"dowse/engine/leann"
)

// asks are the vectors that searches asked for and Warm is to keep.
type asks struct {
	mu   sync.Mutex
	list map[leann.MemoKey][]int8 // packed
}

// maxAsks bounds them between two looks of Warm: some hundred searches, .8 MB.
const maxAsks = 2048

// note notes the vectors that are known (ok), where eight bits a number tell them.
func (a *asks) note(keys []leann.MemoKey, vectors []float32, ok []bool) {
	dim := len(vectors) / len(keys)
	a.mu.Lock()
	defer a.mu.Unlock()
	for i, key := range keys {
		if _, noted := a.list[key]; noted || !ok[i] || len(a.list) >= maxAsks {
			continue
		}
		if packed := leann.Pack(vectors[i*dim : (i+1)*dim]); packed != nil {
			if a.list == nil {
				a.list = map[leann.MemoKey][]int8{}
			}
			a.list[key] = packed
		}
	}
}

// take empties the list and returns what was in it.
func (a *asks) take() []leann.Kept {
	a.mu.Lock()
	defer a.mu.Unlock()
	list := make([]leann.Kept, 0, len(a.list))
	for key, packed := range a.list {
		list = append(list, leann.Kept{Key: key, Packed: packed, Asked: true})
	}
	a.list = nil
	return list
}
