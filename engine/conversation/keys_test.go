package conversation

import (
	"context"

	"dowse/engine"
)

// NoKeys stores no keys and values.
type NoKeys struct{}

func (NoKeys) Use(string) engine.KeysUse                     { return engine.KeysUse{} }
func (NoKeys) Total() engine.KeysUse                         { return engine.KeysUse{} }
func (NoKeys) Focus(string)                                  {}
func (NoKeys) Forget(context.Context, string) (int64, error) { return 0, nil }
