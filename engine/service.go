package engine

import "context"

// Searcher is the one face that every front end sees. Two things implement
// it: an Engine that holds the store itself, and a client of the process that
// does. All methods may be called from several goroutines.
type Searcher interface {
	// Search answers one request. emit, when not nil, receives the events of
	// this search in order, from one goroutine, before Search returns.
	// A cancelled ctx ends the search with ctx.Err().
	Search(ctx context.Context, req Request, emit func(Event)) (*Result, error)
	// Related finds the passages that are most like one of a file. emit and ctx are
	// as in Search. A file that is not in the index is an error that wraps
	// ErrNotIndexed.
	Related(ctx context.Context, req RelatedRequest, emit func(Event)) (*Related, error)
	// Preview reads the lines around a passage from its file.
	Preview(ctx context.Context, p Passage, before, after int) (*Preview, error)
	// Status reports what is indexed, what it costs and what is going on.
	Status(ctx context.Context) (*Status, error)
	// Subscribe delivers index progress and memory figures until ctx ends,
	// then closes the channel. A slow reader loses old events, never new ones.
	Subscribe(ctx context.Context) (<-chan Event, error)
	Close() error
}

// Service is a Searcher whose index can be extended: what the owner of the
// store offers to itself and, over its socket, to other processes.
type Service interface {
	Searcher
	// Index adds folders (absolute paths) to those that are indexed, brings
	// the index up to date with them, and returns when that is done. Without
	// folders it refreshes all that are known. emit receives Progress events.
	// What was committed before an error or a cancelled ctx stays.
	Index(ctx context.Context, folders []string, emit func(Event)) (*IndexReport, error)
	// Check verifies every page and record of the index. emit receives each
	// problem as an event.
	Check(ctx context.Context, emit func(Event)) (*CheckReport, error)
	// ForgetAnswers erases the past answers that later ones are drafted from,
	// on disk and in memory. It waits for the answer under way.
	ForgetAnswers(ctx context.Context) (*Forgotten, error)
	Budgeter
	Completer
	FolderKeeper
	Library
	Lister
	ModelFollower
	Packer
	Ranker
	Conversations
}

// Lister lists the files that are not in the index.
type Lister interface {
	// LeftOut lists what of the indexed folders is not in the index, and why, by reason and path.
	// It looks at the folders as they are, which takes as long as a look for changes.
	LeftOut(ctx context.Context) ([]LeftOut, error)
}

// Completer knows what a query line may go on with.
type Completer interface {
	// Complete returns how the filter can be completed that is being typed in a query
	// line, the best first; nothing where none is. It takes milliseconds.
	Complete(ctx context.Context, req CompletionRequest) (*Completion, error)
}

// Budgeter changes how much memory models may take, also while one of them works.
type Budgeter interface {
	// ChangeBudget lowers or raises the budget by a step. Layers and rows that are kept
	// make room, idle models close, and no word of an answer under way changes. At either
	// end nothing changes, which is no error; the error wraps ErrBudgetChange for any
	// other change, or says that there is no budget on this machine.
	ChangeBudget(ctx context.Context, change BudgetChange) (*BudgetStep, error)
}

// Relay is a Service that makes each call through Via: on whom, and how often, is
// its say. Close is the embedding type's.
type Relay struct {
	Via func(ctx context.Context, call func(s Service) error) error
}

// Search implements Searcher.
func (r Relay) Search(ctx context.Context, req Request, emit func(Event)) (*Result, error) {
	return relay(ctx, r, func(s Service) (*Result, error) { return s.Search(ctx, req, emit) })
}

// Related implements Searcher.
func (r Relay) Related(ctx context.Context, req RelatedRequest, emit func(Event)) (*Related, error) {
	return relay(ctx, r, func(s Service) (*Related, error) { return s.Related(ctx, req, emit) })
}

// Preview implements Searcher.
func (r Relay) Preview(ctx context.Context, p Passage, before, after int) (*Preview, error) {
	return relay(ctx, r, func(s Service) (*Preview, error) { return s.Preview(ctx, p, before, after) })
}

// Status implements Searcher.
func (r Relay) Status(ctx context.Context) (*Status, error) {
	return relay(ctx, r, func(s Service) (*Status, error) { return s.Status(ctx) })
}

// Subscribe implements Searcher.
func (r Relay) Subscribe(ctx context.Context) (<-chan Event, error) {
	return relay(ctx, r, func(s Service) (<-chan Event, error) { return s.Subscribe(ctx) })
}

// Index implements Service.
func (r Relay) Index(ctx context.Context, folders []string, emit func(Event)) (*IndexReport, error) {
	return relay(ctx, r, func(s Service) (*IndexReport, error) { return s.Index(ctx, folders, emit) })
}

// Files implements Library.
func (r Relay) Files(ctx context.Context, req FilesRequest) (*Files, error) {
	return relay(ctx, r, func(s Service) (*Files, error) { return s.Files(ctx, req) })
}

// Read implements Library.
func (r Relay) Read(ctx context.Context, req ReadRequest) (*FileText, error) {
	return relay(ctx, r, func(s Service) (*FileText, error) { return s.Read(ctx, req) })
}

// LeftOut implements Lister.
func (r Relay) LeftOut(ctx context.Context) ([]LeftOut, error) {
	return relay(ctx, r, func(s Service) ([]LeftOut, error) { return s.LeftOut(ctx) })
}

// Check implements Service.
func (r Relay) Check(ctx context.Context, emit func(Event)) (*CheckReport, error) {
	return relay(ctx, r, func(s Service) (*CheckReport, error) { return s.Check(ctx, emit) })
}

// ForgetAnswers implements Service.
func (r Relay) ForgetAnswers(ctx context.Context) (*Forgotten, error) {
	return relay(ctx, r, func(s Service) (*Forgotten, error) { return s.ForgetAnswers(ctx) })
}

// ChangeBudget implements Service.
func (r Relay) ChangeBudget(ctx context.Context, change BudgetChange) (*BudgetStep, error) {
	return relay(ctx, r, func(s Service) (*BudgetStep, error) { return s.ChangeBudget(ctx, change) })
}

// Complete implements Service.
func (r Relay) Complete(ctx context.Context, req CompletionRequest) (*Completion, error) {
	return relay(ctx, r, func(s Service) (*Completion, error) { return s.Complete(ctx, req) })
}

// FollowModel implements Service.
func (r Relay) FollowModel(ctx context.Context) (*ModelChange, error) {
	return relay(ctx, r, func(s Service) (*ModelChange, error) { return s.FollowModel(ctx) })
}

// Folders implements FolderKeeper.
func (r Relay) Folders(ctx context.Context) ([]Folder, error) {
	return relay(ctx, r, func(s Service) ([]Folder, error) { return s.Folders(ctx) })
}

// ChangeFolder implements FolderKeeper.
func (r Relay) ChangeFolder(ctx context.Context, change FolderChange, emit func(Event)) (*FolderReport, error) {
	return relay(ctx, r, func(s Service) (*FolderReport, error) { return s.ChangeFolder(ctx, change, emit) })
}

// Pack implements Packer.
func (r Relay) Pack(ctx context.Context, req PackRequest, emit func(Event)) (*PackReport, error) {
	return relay(ctx, r, func(s Service) (*PackReport, error) { return s.Pack(ctx, req, emit) })
}

// Peer implements Ranker.
func (r Relay) Peer(ctx context.Context) (*Peer, error) {
	return relay(ctx, r, func(s Service) (*Peer, error) { return s.Peer(ctx) })
}

// Count implements Ranker.
func (r Relay) Count(ctx context.Context, req CountRequest) (*Counts, error) {
	return relay(ctx, r, func(s Service) (*Counts, error) { return s.Count(ctx, req) })
}

// Rank implements Ranker.
func (r Relay) Rank(ctx context.Context, req RankRequest) (*Ranked, error) {
	return relay(ctx, r, func(s Service) (*Ranked, error) { return s.Rank(ctx, req) })
}

// Texts implements Ranker.
func (r Relay) Texts(ctx context.Context, req TextsRequest) (*RankedTexts, error) {
	return relay(ctx, r, func(s Service) (*RankedTexts, error) { return s.Texts(ctx, req) })
}

// Conversations implements Service.
func (r Relay) Conversations(ctx context.Context) ([]Conversation, error) {
	return relay(ctx, r, func(s Service) ([]Conversation, error) { return s.Conversations(ctx) })
}

// Conversation implements Service.
func (r Relay) Conversation(ctx context.Context, name string) (*Conversation, error) {
	return relay(ctx, r, func(s Service) (*Conversation, error) { return s.Conversation(ctx, name) })
}

// KeepTurn implements Service.
func (r Relay) KeepTurn(ctx context.Context, name string, turn Turn) (*ContextUse, error) {
	return relay(ctx, r, func(s Service) (*ContextUse, error) { return s.KeepTurn(ctx, name, turn) })
}

// RenameConversation implements Service.
func (r Relay) RenameConversation(ctx context.Context, name, to string) error {
	return r.Via(ctx, func(s Service) error { return s.RenameConversation(ctx, name, to) })
}

// DeleteConversation implements Service.
func (r Relay) DeleteConversation(ctx context.Context, name string) (*DeletedConversation, error) {
	return relay(ctx, r, func(s Service) (*DeletedConversation, error) { return s.DeleteConversation(ctx, name) })
}

// FocusConversation implements Service.
func (r Relay) FocusConversation(ctx context.Context, name string) error {
	return r.Via(ctx, func(s Service) error { return s.FocusConversation(ctx, name) })
}

// relay makes a call that has a value.
func relay[T any](ctx context.Context, r Relay, call func(s Service) (T, error)) (value T, err error) {
	err = r.Via(ctx, func(s Service) (err error) {
		value, err = call(s)
		return err
	})
	return value, err
}
