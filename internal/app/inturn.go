package app

import (
	"context"
	"io"
)

// onFiles is what was made of the files of a model.
type onFiles interface {
	io.Closer
	changed() bool // whether they are other files by now
}

// inTurn is a model that one caller uses at a time. The first one opens it, and it
// stays open for the next.
type inTurn[T onFiles] struct {
	open   func(ctx context.Context) (T, error)
	turn   chan struct{} // holds a value while nobody uses it
	opened T             // of who has the turn
	there  bool          // whether it is open
}

func newInTurn[T onFiles](open func(ctx context.Context) (T, error)) *inTurn[T] {
	t := &inTurn[T]{open: open, turn: make(chan struct{}, 1)}
	t.turn <- struct{}{}
	return t
}

// acquire waits for the turn and returns the model, opened if it is not or if
// its files are others by now. The caller gives the turn back by release. A
// model that cannot be used is an error that says what to do; the next caller
// tries again.
func (t *inTurn[T]) acquire(ctx context.Context) (model T, err error) {
	if err := ctx.Err(); err != nil { // where the turn is free, either would do
		return model, err
	}
	select {
	case <-t.turn:
	case <-ctx.Done():
		return model, ctx.Err()
	}
	if t.there && t.opened.changed() {
		err = t.shut()
	}
	if !t.there && err == nil {
		t.opened, err = t.open(ctx)
		t.there = err == nil
	}
	if err != nil {
		t.release()
		return model, err
	}
	return t.opened, nil
}

func (t *inTurn[T]) release() { t.turn <- struct{}{} }

// shut closes the model, for who has the turn.
func (t *inTurn[T]) shut() error {
	if !t.there {
		return nil
	}
	var none T
	old := t.opened
	t.opened, t.there = none, false
	return old.Close()
}

// close waits for the caller under way and closes the model.
func (t *inTurn[T]) close() error {
	if t == nil {
		return nil
	}
	<-t.turn
	defer t.release()
	return t.shut()
}
