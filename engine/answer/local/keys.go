package local

import (
	"context"
	"errors"
	"sync"

	"dowse/engine"
	"dowse/engine/kv"
	"dowse/engine/kv/contexts"
	"dowse/engine/kv/disk"
)

// Keys stores conversations' keys and values in a folder. A Writer with Keys
// continues conversations; alone they report and erase what is stored. A nil
// Keys stores nothing.
type Keys struct {
	options KeysOptions
	focus   func(id string) // of the Writer that has them, or nil

	mu      sync.RWMutex // held to change the fields below
	disk    *disk.Disk
	model   string // that the disk was opened for; "": the last one
	manager *contexts.Manager
	problem error // why the disk is not open
}

// KeysOptions configure the storage of conversations.
type KeysOptions struct {
	Folder string // private to the user
	Quota  int64  // bytes on the disk; 0: unlimited
	// Ratio is the mean share of their bytes at 8 bits that older keys and
	// values may have; 0 keeps all at 8 bits.
	Ratio float64
}

// NewKeys returns the Keys of a folder, which need not exist.
func NewKeys(o KeysOptions) *Keys { return &Keys{options: o} }

// attach opens the folder for a model; made makes the manager of its
// conversations from the disk, nil if the folder cannot be used.
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

// detach releases a manager before it is closed.
func (k *Keys) detach() {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.manager = nil
}

// shut closes the disk, if open. The caller holds mu.
func (k *Keys) shut() error {
	if k.disk == nil {
		return nil
	}
	err := k.disk.Close()
	k.disk, k.model = nil, ""
	return err
}

// Close closes the folder. Close the Writer first.
func (k *Keys) Close() error {
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.shut()
}

// openStored opens the folder for the model that used it last, unless it is open.
func (k *Keys) openStored() error {
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

// Focus begins to load a conversation and returns.
func (k *Keys) Focus(id string) {
	if k != nil && k.focus != nil {
		k.focus(id)
	}
}

// Forget erases a conversation's keys and values and returns their bytes on the
// disk. It waits for an answer that uses them.
func (k *Keys) Forget(ctx context.Context, id string) (int64, error) {
	if k == nil {
		return 0, nil
	}
	if err := k.openStored(); err != nil {
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

// Drain waits until all is written to the disk, and stops preloading.
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

// Problem says why conversations do not outlast this process; nil where they
// do, or before a model was opened.
func (k *Keys) Problem() error {
	if k == nil {
		return nil
	}
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.problem
}

// Use returns the size of a conversation's keys and values.
func (k *Keys) Use(id string) engine.KeysUse {
	use := engine.KeysUse{}
	if k == nil || k.openStored() != nil {
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
	if k == nil || k.openStored() != nil {
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
	if k == nil || k.openStored() != nil {
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
	if k == nil || k.openStored() != nil {
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

// focusing preloads conversations before their questions.
type focusing struct {
	writer  *Writer
	ctx     context.Context // until the writer is closed
	stop    context.CancelFunc
	mu      sync.Mutex
	working sync.WaitGroup
}

func (f *focusing) init(w *Writer) {
	f.writer = w
	f.ctx, f.stop = context.WithCancel(context.Background())
	if w.keys != nil {
		w.keys.focus = f.begin
	}
}

// begin opens the model if necessary and loads a conversation.
func (f *focusing) begin(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ctx.Err() != nil {
		return
	}
	f.working.Add(1)
	go func() {
		defer f.working.Done()
		model, done, err := f.writer.Acquire(f.ctx)
		if err != nil {
			return // the question will say why
		}
		model.conversations.Focus(id)
		_ = done() // closes a model that was replaced meanwhile
	}()
}

func (f *focusing) close() {
	f.mu.Lock()
	f.stop()
	f.mu.Unlock()
	f.working.Wait()
}
