package local

import (
	"errors"
	"fmt"
	"syscall"
	"time"

	"dowse/engine"
	"dowse/models/pack"
)

// noteWaits shows the answer so far with a note while the disk keeps the model
// waiting, until done is called.
func (w *writing) noteWaits(model *Model, soFar func() engine.Answer) (done func()) {
	if w.observe == nil {
		return func() {}
	}
	model.Decoder.TellWaits(func(waited time.Duration) {
		grown := soFar()
		grown.Note = fmt.Sprintf("the disk keeps the model waiting for its weights: %.0f s so far", waited.Seconds())
		w.show(grown)
	})
	return func() { model.Decoder.TellWaits(nil) }
}

// failed says what to do where a model failed during an answer.
func (w *Writer) failed(err error) error {
	err = fmt.Errorf("the model %s failed: %w", w.name, err)
	switch {
	case errors.Is(err, syscall.EIO):
		err = fmt.Errorf("%w; the disk could not be read: look after it, or get the model again", err)
	case errors.Is(err, pack.ErrTruncated), errors.Is(err, pack.ErrCorrupt):
		err = fmt.Errorf("%w; its file was changed while it was read: get the model again", err)
	default:
		return err
	}
	return fmt.Errorf("%w, or run dowse models use %s to answer without", err, engine.Extracted)
}
