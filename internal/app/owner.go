package app

import (
	"context"
	"errors"

	"dowse/engine"
	"dowse/engine/answer/local"
	"dowse/engine/conversation"
	"dowse/internal/indexes"
	"dowse/internal/queries"
)

// What the owner of the index does where there is one, and this process otherwise.

// FollowModel has the process that owns the index follow the choice of an embedder. Where
// none does it says what the next one will do; nil where nothing is indexed.
func (a *App) FollowModel(ctx context.Context) (change *engine.ModelChange, err error) {
	asked, err := a.AskOwner(ctx, func(owner engine.Service) (err error) {
		change, err = owner.FollowModel(ctx)
		return err
	})
	if asked {
		return change, err
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
	change, err = service.FollowModel(ctx)
	return change, errors.Join(err, service.Close())
}

// Running is the process that keeps the index fresh, 0 where none does.
func (a *App) Running(ctx context.Context) (pid int) {
	_, _ = a.AskOwner(ctx, func(owner engine.Service) error {
		st, err := owner.Status(ctx)
		if err == nil {
			pid = st.Owner
		}
		return err
	})
	return pid
}

// WithConversations calls f on the conversations of this home. That needs neither an index nor
// a model. If the owner ends meanwhile f is called again.
func (a *App) WithConversations(ctx context.Context, f func(engine.Conversations) error) error {
	asked, err := a.AskOwner(ctx, func(owner engine.Service) error { return f(owner) })
	if asked {
		return err
	}
	keys := a.Keys()
	return errors.Join(f(conversation.Open(a.Home.Conversations(), keys)), keys.Close())
}

// Queries keeps what is asked on the screen; nil where the settings keep nothing.
func (a *App) Queries() *queries.Kept {
	if !a.Config.Screen.History {
		return nil
	}
	return queries.In(a.Home.Data)
}

// ForgetQueries removes all queries that were kept, and returns how many.
func (a *App) ForgetQueries() (int, error) { return queries.In(a.Home.Data).Forget() }

// ForgetAnswers erases past answers, also those that the owner holds in memory. It needs
// neither an index nor a model.
func (a *App) ForgetAnswers(ctx context.Context) (forgotten *engine.Forgotten, err error) {
	asked, err := a.AskOwner(ctx, func(owner engine.Service) (err error) {
		forgotten, err = owner.ForgetAnswers(ctx)
		return err
	})
	if asked {
		return forgotten, err
	}
	return local.Erase(ctx, a.Home.Answers())
}
