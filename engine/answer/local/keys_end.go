package local

import "context"

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
