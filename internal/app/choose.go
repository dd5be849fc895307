package app

import (
	"context"
	"errors"

	"dowse/engine"
	"dowse/internal/daemon"
	"dowse/internal/indexes"
)

// FollowModel has the process that owns the index follow the choice of an embedder. Where
// none does it says what the next one will do; nil where nothing is indexed.
func (a *App) FollowModel(ctx context.Context) (*engine.ModelChange, error) {
	client, err := daemon.Dial(ctx, a.Home.Socket())
	if err == nil {
		change, err := client.FollowModel(ctx)
		if !indexes.Lost(err) {
			return change, err
		}
	} else if !indexes.Lost(err) {
		return nil, err
	}
	now, err := New() // the settings have changed
	if err != nil {
		return nil, err
	}
	service, err := now.Open(ctx, indexes.Read)
	if errors.Is(err, indexes.ErrNothingIndexed) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	change, err := service.FollowModel(ctx)
	return change, errors.Join(err, service.Close())
}
