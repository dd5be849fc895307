package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"dowse/engine"
)

// version of the protocol. It changes when a frame or a call changes meaning.
const version = 6

// maxCall bounds a call's size in bytes, so that a stray writer on the socket
// cannot fill memory. A query line is far smaller.
const maxCall = 1 << 20

// frame is one object of the answer. The last one has Done set, and either a
// value or an error; one without anything says that the owner is at work.
type frame struct {
	Version int             `json:"version,omitempty"`
	Event   *engine.Event   `json:"event,omitempty"`
	Done    bool            `json:"done,omitempty"`
	Value   json.RawMessage `json:"value,omitempty"`
	Error   string          `json:"error,omitempty"`
	Code    string          `json:"code,omitempty"` // which sentinel Error wraps
}

// ErrVersion says that the running process speaks another protocol.
var ErrVersion = errors.New("another version of dowse owns the index; stop it (dowse watch, or the dowse in another terminal) and try again")

// ErrGone says that the owner of the store ended in the middle of a call.
var ErrGone = errors.New("the dowse that owns the index ended; try again")

// sentinels are the errors that keep their identity across the socket.
var sentinels = map[string]error{
	"query":     engine.ErrQuery,
	"canceled":  context.Canceled,
	"version":   ErrVersion,
	"budget":    engine.ErrBudgetChange,
	"unindexed": engine.ErrNotIndexed,
	"file gone": engine.ErrFileGone,
	"no place":  engine.ErrNoPlace,

	"no conversation":   engine.ErrNoConversation,
	"conversation name": engine.ErrConversationName,
}

// wireError is an error that came over the socket: its text, and what it is.
type wireError struct {
	text string
	is   error
}

func (e *wireError) Error() string { return e.text }
func (e *wireError) Unwrap() error { return e.is }

// encodeError fills the last frame of a failed call.
func encodeError(err error) frame {
	f := frame{Done: true, Error: err.Error()}
	for code, sentinel := range sentinels {
		if errors.Is(err, sentinel) {
			f.Code = code
		}
	}
	return f
}

// decodeError is the inverse of encodeError.
func decodeError(f frame) error {
	return &wireError{text: f.Error, is: sentinels[f.Code]}
}

// encodeValue fills the last frame of a call that succeeded.
func encodeValue(v any) frame {
	data, err := json.Marshal(onWire(v))
	if err != nil {
		return encodeError(fmt.Errorf("the answer cannot be sent: %w", err))
	}
	return frame{Done: true, Value: data}
}
