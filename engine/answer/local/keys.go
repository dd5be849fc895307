package local

import (
	"context"
	"errors"
	"sync"

	"dowse/engine/kv/contexts"
	"dowse/engine/kv/disk"
)

// Keys keeps what language models of this machine computed of conversations: their keys
// and values, in a folder of their own. A Writer that has them goes on with
// conversations; by themselves they tell what is kept, and erase it. A nil Keys keeps
// nothing.
type Keys struct {
	options KeysOptions
	focus   func(id string) // of the Writer that has them; nil without

	mu      sync.RWMutex // held by who changes what follows
	disk    *disk.Disk
	model   string // that the disk was opened for; "" for the one that used it last
	manager *contexts.Manager
	problem error // why the disk is not open
}

// KeysOptions say what is kept of conversations.
type KeysOptions struct {
	Folder string // for this user alone
	Quota  int64  // bytes of keys and values on the disk; 0 is no limit
	// Ratio is the part of their bytes at 8 bits that older keys and values may have in
	// the mean; 0 leaves all at 8 bits.
	Ratio float64
}

// NewKeys returns what is kept in a folder, which need not exist.
func NewKeys(o KeysOptions) *Keys { return &Keys{options: o} }

// attach opens the folder for a model whose conversations a manager keeps, made from
// the disk, which is nil if the folder cannot be used.
func (k *Keys) attach(model string, layout disk.Layout, made func(d *disk.Disk) *contexts.Manager) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.disk == nil || k.model != model {
		k.problem = k.shut()
		if k.problem == nil {
			k.disk, k.problem = disk.Open(disk.Options{Folder: k.options.Folder, Model: model, Layout: layout, Quota: k.options.Quota})
			k.model = model
		}
	}
	k.manager = made(k.disk)
}

// detach lets go of a manager that is about to be closed.
func (k *Keys) detach() {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.manager = nil
}

// shut closes the disk, if it is open. The caller holds mu.
func (k *Keys) shut() error {
	if k.disk == nil {
		return nil
	}
	err := k.disk.Close()
	k.disk, k.model = nil, ""
	return err
}

// Close closes the folder. The Writer that has them is closed before.
func (k *Keys) Close() error {
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.shut()
}

// look opens the folder as it was left, unless it is open.
func (k *Keys) look() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.disk != nil {
		return nil
	}
	d, err := disk.OpenAsLeft(k.options.Folder)
	if errors.Is(err, disk.ErrNothing) {
		return nil
	}
	k.disk, k.model = d, ""
	return err
}

// Focus begins to load the keys and values of a conversation, and returns.
func (k *Keys) Focus(id string) {
	if k != nil && k.focus != nil {
		k.focus(id)
	}
}

// Forget erases the keys and values of a conversation, in memory and on the disk, and
// returns how many bytes were on the disk. It waits for an answer that goes on with it.
func (k *Keys) Forget(ctx context.Context, id string) (int64, error) {
	if k == nil {
		return 0, nil
	}
	if err := k.look(); err != nil {
		return 0, err
	}
	k.mu.RLock()
	defer k.mu.RUnlock()
	if k.manager != nil {
		return k.manager.Delete(ctx, id)
	}
	if k.disk == nil {
		return 0, nil
	}
	bytes := k.disk.Conversation(id).Bytes
	if err := k.disk.Delete(id); !errors.Is(err, disk.ErrUnknown) {
		return bytes, err
	}
	return 0, nil
}

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

// Problem says why conversations do not outlast this process; nil where they do, or
// where no model was open yet.
func (k *Keys) Problem() error {
	if k == nil {
		return nil
	}
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.problem
}
