package conversation

import (
	"context"

	"dowse/engine"
)

// Keys keeps the keys and values of conversations, by their IDs. A conversation that it
// does not know has none.
type Keys interface {
	// Use says what those of one conversation take, and Total what all do.
	Use(id string) engine.KeysUse
	Total() engine.KeysUse
	// Focus begins to load those of a conversation, and returns.
	Focus(id string)
	// Forget erases those of a conversation, in memory and on disk, and returns how many
	// bytes were on disk.
	Forget(ctx context.Context, id string) (int64, error)
}

// NoKeys are the Keys where no model keeps any.
type NoKeys struct{}

// Use implements Keys.
func (NoKeys) Use(string) engine.KeysUse { return engine.KeysUse{} }

// Total implements Keys.
func (NoKeys) Total() engine.KeysUse { return engine.KeysUse{} }

// Focus implements Keys.
func (NoKeys) Focus(string) {}

// Forget implements Keys.
func (NoKeys) Forget(context.Context, string) (int64, error) { return 0, nil }
