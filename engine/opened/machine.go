package opened

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"dowse/engine/kernel"
	"dowse/engine/memory"
	"dowse/engine/transformer"
	"dowse/internal/home"
	"dowse/models"
)

// Machine is where models are found and what they run on.
type Machine struct {
	Find    func(name string) (models.Installation, error) // Find, in folders of this machine
	Kernel  *kernel.Kernel
	Ledger  *memory.Ledger // nil: nothing is counted
	Threads int
	Memory  *memory.Arbiter // of what may be held; nil: any number of bytes
}

// Unpack puts a model that the program carries into the first cache, which takes
// milliseconds, where it is not yet. Of other models it does nothing.
func Unpack(caches []string, name string) error {
	if !models.Bundled(name) {
		return nil
	}
	if err := home.MakeOwn(caches[0]); err != nil {
		return fmt.Errorf("the model %s, which dowse brings along, cannot be unpacked: %w", name, err)
	}
	if err := models.Unpack(context.Background(), caches, name); err != nil {
		return fmt.Errorf("the model %s, which dowse brings along, cannot be put into %s: %w; see that this folder may be written and has room", name, caches[0], err)
	}
	return nil
}

// Find finds an installed model in any of the caches, or says what to do. One that
// the program carries is unpacked first.
func Find(caches []string, name string) (models.Installation, error) {
	if err := Unpack(caches, name); err != nil {
		return models.Installation{}, err
	}
	m, err := models.Find(caches, name)
	switch {
	case errors.Is(err, models.ErrAmbiguous):
		return m, err
	case m.Name == "" && errors.Is(err, fs.ErrNotExist):
		return m, fmt.Errorf("the model %s is not installed; run dowse models pull or dowse models add", name)
	case errors.Is(err, models.ErrNoBase):
		return m, fmt.Errorf("the model %s cannot be used: %w", name, err)
	case err != nil && models.Bundled(name):
		return m, Unusable(name, err, fmt.Sprintf("run dowse models remove %s, and dowse will reinstall it", name))
	case err != nil:
		return m, Unusable(name, err, fmt.Sprintf("dowse models remove %s removes it", name))
	}
	return m, nil
}

// Unusable returns an error about a model that cannot be used, and what to do. again
// says how to get its files once more, which helps where they are damaged; there is no
// word of it where they are right and there is no room for them.
func Unusable(name string, err error, again string) error {
	switch {
	case errors.Is(err, transformer.ErrBudget):
		return fmt.Errorf("the model %s does not fit: %w; give it more by the setting memory, or choose a smaller model", name, err)
	case errors.Is(err, syscall.ENOMEM):
		return fmt.Errorf("this machine has no memory left for the model %s: %w; close other programs, or choose a smaller model", name, err)
	}
	return fmt.Errorf("the model %s cannot be used: %w; %s", name, err, again)
}

// UnusableStreamed is Unusable for a model that the setting memory can have read
// from the disk as it works.
func UnusableStreamed(name string, err error, again string) error {
	if err = Unusable(name, err, again); errors.Is(err, syscall.ENOMEM) {
		return fmt.Errorf("%w, or give it less by the setting memory, so that it is read from the disk as it works", err)
	}
	return err
}
