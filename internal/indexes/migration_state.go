package indexes

import (
	"context"
	"errors"
	"sync"

	"dowse/internal/config"
)

// migrationState is what an owner knows of the embedders that are wanted.
type migrationState struct {
	mu       sync.Mutex
	wanted   string             // name of the embedder
	cancel   context.CancelFunc // of the change under way; nil
	progress *progress          // of it; nil before it has begun
	problem  string             // why the last one ended
	shown    bool               // subscribers were told of one that has not ended well

	folders     config.Folders // that are to have an embedder of their own
	moveProblem string         // why they have not got it
}

// want notes which embedder is wanted, and ends the change to another one.
func (s *migrationState) want(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if name != s.wanted && s.cancel != nil {
		s.cancel()
	}
	s.wanted = name
}

// interrupt ends the change under way, which is gone on with later.
func (s *migrationState) interrupt() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cancel != nil {
		s.cancel()
	}
}

// target is the embedder that is wanted.
func (s *migrationState) target() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.wanted
}

// begin notes that a migration to the wanted embedder begins; its ctx ends when another one is
// wanted. end gets its error, and reports whether it was overtaken in that way.
func (s *migrationState) begin(ctx context.Context) (to string, inside context.Context, end func(error) (overtaken bool)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	inside, cancel := context.WithCancel(ctx)
	to = s.wanted
	s.cancel = cancel
	return to, inside, func(err error) bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		cancel()
		s.cancel, s.progress, s.problem = nil, nil, ""
		if overtaken := s.wanted != to; overtaken || err == nil || ctx.Err() != nil || errors.Is(err, context.Canceled) {
			return overtaken && ctx.Err() == nil
		}
		s.problem = err.Error()
		return false
	}
}

// show notes how the change under way is measured.
func (s *migrationState) show(m *progress) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.progress, s.shown = m, true
}

// takenBack reports, once, whether subscribers are to be told that a change was taken back.
func (s *migrationState) takenBack() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	shown := s.shown
	s.shown = false
	return shown
}

// wantFolders notes which folders are to have an embedder of their own.
func (s *migrationState) wantFolders(f config.Folders) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.folders = f
}

// ownFolders are the folders that are to have another embedder than the rest.
func (s *migrationState) ownFolders() config.Folders {
	s.mu.Lock()
	defer s.mu.Unlock()
	return resolvedFolders(s.folders.Own(s.wanted))
}

// noteMove notes how a move of folders ended.
func (s *migrationState) noteMove(ctx context.Context, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.moveProblem = ""; err != nil && ctx.Err() == nil {
		s.moveProblem = err.Error()
	}
}

// whyUnmoved is why folders have not got the embedder that they are to have.
func (s *migrationState) whyUnmoved() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.moveProblem
}
