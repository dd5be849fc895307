package opened

import (
	"context"
	"io"
	"math"
	"sync"

	"golang.org/x/sync/semaphore"

	"dowse/engine/memory"
)

// Model is what was made of the files of a model.
type Model interface {
	io.Closer
	Changed() bool // whether they are other files by now
}

// Many lets a Shared have any number of users at a time.
const Many = math.MaxInt64

// Shared is a model that is open while it is wanted, and gives its memory up to
// other models while nobody uses it. A nil Shared is one that nobody uses.
type Shared[T Model] struct {
	open    func(ctx context.Context, lease *memory.Lease) (T, error)
	arbiter *memory.Arbiter
	most    int64               // users at a time
	users   *semaphore.Weighted // of weight most
	opening *semaphore.Weighted // held by who opens

	mu   sync.Mutex
	used *instance[T] // nil while the model is closed; guarded by mu, with what is in it
}

// instance is a model from its opening to its closing.
type instance[T Model] struct {
	model T
	lease *memory.Lease
	users int
	stale bool // closed by its last user
}

func (i *instance[T]) close() error {
	defer i.lease.Give()
	return i.model.Close()
}

// New returns a model that at most so many users have at a time. Its first one has
// it opened. open takes the bytes that the model may hold from the lease; it is given
// back if it fails, and when the model was closed.
func New[T Model](most int64, arbiter *memory.Arbiter, open func(ctx context.Context, lease *memory.Lease) (T, error)) *Shared[T] {
	return &Shared[T]{open: open, arbiter: arbiter, most: most, users: semaphore.NewWeighted(most), opening: semaphore.NewWeighted(1)}
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

// use counts one more user, of a model that it opens if need be.
func (s *Shared[T]) use(ctx context.Context) (*instance[T], error) {
	if err := s.opening.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer s.opening.Release(1)
	if use, err := s.join(); use != nil || err != nil {
		return use, err
	}
	use := &instance[T]{lease: s.arbiter.Lease(s.yield), users: 1}
	var err error
	if use.model, err = s.open(ctx, use.lease); err != nil {
		use.lease.Give()
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used = use
	return use, nil
}

// join counts one more user of the model that is open; nil if none is, or if its
// files are others by now.
func (s *Shared[T]) join() (*instance[T], error) {
	s.mu.Lock()
	use := s.used
	if use != nil && !use.model.Changed() {
		defer s.mu.Unlock()
		use.users++
		use.lease.Busy()
		return use, nil
	}
	s.mu.Unlock()
	return nil, s.retire()
}

// leave counts one user less.
func (s *Shared[T]) leave(use *instance[T]) error {
	s.mu.Lock()
	use.users--
	last := use.users == 0
	if last && !use.stale {
		use.lease.Idle()
	}
	s.mu.Unlock()
	if last && use.stale {
		return use.close()
	}
	if last { // the budget may have shrunk meanwhile
		return s.arbiter.Enforce()
	}
	return nil
}

// retire lets nobody have the model any more. Its last user closes it.
func (s *Shared[T]) retire() error {
	s.mu.Lock()
	old := s.used
	s.used = nil
	idle := old != nil && old.users == 0
	if old != nil {
		old.stale = true
	}
	s.mu.Unlock()
	if idle {
		return old.close()
	}
	return nil
}

// yield closes the model if nobody uses it, and reports whether it did.
func (s *Shared[T]) yield() (bool, error) {
	s.mu.Lock()
	old := s.used
	if old == nil || old.users > 0 {
		s.mu.Unlock()
		return false, nil
	}
	s.used = nil
	s.mu.Unlock()
	return true, old.close()
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
