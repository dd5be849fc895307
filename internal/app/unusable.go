package app

import (
	"errors"
	"fmt"
	"syscall"

	"dowse/engine/transformer"
)

// modelError says what to do about a model that cannot be used. To get the files
// once more, as anew says how, helps where something is wrong with them, and not
// where there is no room for what is right.
func modelError(name string, err error, anew string) error {
	switch {
	case errors.Is(err, transformer.ErrBudget):
		return fmt.Errorf("the model %s does not fit: %w; give it more by the setting memory, or choose a smaller model", name, err)
	case errors.Is(err, syscall.ENOMEM):
		return fmt.Errorf("this machine has no memory left for the model %s: %w; close other programs, or choose a smaller model", name, err)
	}
	return fmt.Errorf("the model %s cannot be used: %w; %s", name, err, anew)
}

// streamedModelError is modelError for a model that the setting memory can have
// read from the disk as it works.
func streamedModelError(name string, err error, anew string) error {
	if err = modelError(name, err, anew); errors.Is(err, syscall.ENOMEM) {
		return fmt.Errorf("%w, or give it less by the setting memory, so that it is read from the disk as it works", err)
	}
	return err
}
