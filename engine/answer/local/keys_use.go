package local

import (
	"context"

	"dowse/engine"
	"dowse/engine/kv"
)

// Use returns the size of a conversation's keys and values.
func (k *Keys) Use(id string) engine.KeysUse {
	use := engine.KeysUse{}
	if k == nil || k.look() != nil {
		return use
	}
	k.mu.RLock()
	defer k.mu.RUnlock()
	chunks := map[kv.Level]int{}
	if k.disk != nil {
		kept := k.disk.Conversation(id)
		use.Tokens, use.Disk = kept.Tokens, kept.Bytes
		for _, c := range k.disk.Chunks(id) {
			chunks[c.Level]++
		}
	}
	if k.manager != nil {
		if now, known := k.manager.Use(id); known {
			use.Memory = now.Memory
			use.Tokens = max(use.Tokens, now.Tokens)
			if len(chunks) == 0 {
				chunks = now.Chunks
			}
		}
	}
	use.Levels = k.levels(chunks)
	return use
}

// levels counts chunks and bytes by level.
func (k *Keys) levels(chunks map[kv.Level]int) []engine.LevelUse {
	var list []engine.LevelUse
	for _, level := range kv.Levels {
		if n := chunks[level]; n > 0 {
			one := engine.LevelUse{Bits: int(level), Chunks: n}
			if k.disk != nil {
				layout := k.disk.Layout()
				one.Bytes = int64(n * layout.Bytes(level))
			}
			list = append(list, one)
		}
	}
	return list
}

// Total returns the size of all conversations. Shared beginnings count once on
// the disk.
func (k *Keys) Total() engine.KeysUse {
	total := engine.KeysUse{}
	if k == nil || k.look() != nil {
		return total
	}
	k.mu.RLock()
	defer k.mu.RUnlock()
	chunks := map[kv.Level]int{}
	if k.disk != nil {
		total.Disk = k.disk.Bytes()
		for _, c := range k.disk.Conversations() {
			total.Tokens += c.Tokens
			for _, owned := range k.disk.Chunks(c.Name) {
				chunks[owned.Level]++
			}
		}
	}
	if k.manager != nil {
		total.Memory = k.manager.Stats().Memory
	}
	total.Levels = k.levels(chunks)
	return total
}

// Check reads all files and emits a sentence for each fault. The report is nil
// where there are no files.
func (k *Keys) Check(ctx context.Context, emit func(problem string)) (*engine.KeysReport, error) {
	if k == nil || k.look() != nil {
		return nil, nil
	}
	k.mu.RLock()
	defer k.mu.RUnlock()
	if k.disk == nil {
		return nil, nil
	}
	found, err := k.disk.Check(ctx)
	if err != nil {
		return nil, err
	}
	for _, p := range found.Problems {
		emit(p)
	}
	return &engine.KeysReport{Conversations: found.Conversations, Chunks: found.Stored + found.Damaged, Bytes: found.Bytes, Damaged: found.Damaged}, nil
}

// IDs returns the folder's conversations; nil while another process has it.
func (k *Keys) IDs() []string {
	if k == nil || k.look() != nil {
		return nil
	}
	k.mu.RLock()
	defer k.mu.RUnlock()
	if k.disk == nil {
		return nil
	}
	var ids []string
	for _, c := range k.disk.Conversations() {
		ids = append(ids, c.Name)
	}
	return ids
}
