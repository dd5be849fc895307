package local

import (
	"context"

	"dowse/engine"
)

// Drain waits until what the last questions left is on the disk. What is being loaded for
// a question that does not come any more is stopped.
func (k *Keys) Drain(ctx context.Context) error {
	if k == nil {
		return nil
	}
	k.mu.RLock()
	defer k.mu.RUnlock()
	if k.manager == nil {
		return nil
	}
	k.manager.Interrupt()
	return k.manager.Drain(ctx)
}

// Check reads all that is kept, and tells emit in a sentence each what is wrong with the
// files. The report is nil where there are none.
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

// IDs returns those of the conversations that the folder knows of; none while another
// process has it.
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
