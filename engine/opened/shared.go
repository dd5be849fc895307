package opened

import (
	"context"
	"io"
	"math"

	"golang.org/x/sync/semaphore"
)

// Model is what was made of the files of a model.
type Model interface {
	io.Closer
	Changed() bool // whether they are other files by now
}

// Many lets a Shared have any number of users at a time.
const Many = math.MaxInt64

// Shared is a model that is open while it is wanted. A nil Shared is one that
// nobody uses.
type Shared[T Model] struct {
	open  func(ctx context.Context) (T, error)
	most  int64               // users at a time
	users *semaphore.Weighted // of weight most
	turn  *semaphore.Weighted // held by who opens, counts or closes
	used  *instance[T]        // nil while the model is closed
}

// instance is a model from its opening to its closing.
type instance[T Model] struct {
	model T
	users int
	stale bool // closed by its last user
}

// New returns a model that at most so many users have at a time. Its first one
// has it opened.
func New[T Model](most int64, open func(ctx context.Context) (T, error)) *Shared[T] {
	return &Shared[T]{open: open, most: most, users: semaphore.NewWeighted(most), turn: semaphore.NewWeighted(1)}
}

// Acquire waits until the caller may use the model and returns it, opened if it
// is not or if its files are others by now. The caller calls done once, whose
// error is that of closing a model that was replaced meanwhile.
func (s *Shared[T]) Acquire(ctx context.Context) (model T, done func() error, err error) {
	if err := ctx.Err(); err != nil { // where there is room, either would do
		return model, nil, err
	}
	if err := s.users.Acquire(ctx, 1); err != nil {
		return model, nil, err
	}
	use, err := s.use(ctx)
	if err != nil {
		s.users.Release(1)
		return model, nil, err
	}
	return use.model, func() error {
		defer s.users.Release(1)
		return s.leave(use)
	}, nil
}

// use counts one more user.
func (s *Shared[T]) use(ctx context.Context) (*instance[T], error) {
	if err := s.turn.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer s.turn.Release(1)
	if s.used != nil && s.used.model.Changed() {
		if err := s.retire(); err != nil {
			return nil, err
		}
	}
	if s.used == nil {
		model, err := s.open(ctx)
		if err != nil {
			return nil, err
		}
		s.used = &instance[T]{model: model}
	}
	s.used.users++
	return s.used, nil
}

// leave counts one user less.
func (s *Shared[T]) leave(use *instance[T]) error {
	// What was taken is given back, whatever became of its user.
	if err := s.turn.Acquire(context.Background(), 1); err != nil {
		return err
	}
	defer s.turn.Release(1)
	use.users--
	if use.stale && use.users == 0 {
		return use.model.Close()
	}
	return nil
}

// retire lets nobody have the model any more. Its last user closes it. The caller
// has the turn.
func (s *Shared[T]) retire() error {
	old := s.used
	s.used = nil
	if old == nil {
		return nil
	}
	if old.stale = true; old.users > 0 {
		return nil
	}
	return old.model.Close()
}

// Rest waits for the users of the model, closes it, and keeps it from being
// opened until done is called.
func (s *Shared[T]) Rest(ctx context.Context) (done func(), err error) {
	if s == nil {
		return func() {}, nil
	}
	if err := s.users.Acquire(ctx, s.most); err != nil {
		return nil, err
	}
	done = func() { s.users.Release(s.most) }
	if err := s.retire(); err != nil {
		done()
		return nil, err
	}
	return done, nil
}

// Close waits for the users of the model and closes it. A later user would open
// it again.
func (s *Shared[T]) Close() error {
	done, err := s.Rest(context.Background())
	if err == nil {
		done()
	}
	return err
}
