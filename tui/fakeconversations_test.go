package tui

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"dowse/engine"
)

// fakeConversations keeps conversations in memory.
type fakeConversations struct {
	mu      sync.Mutex
	all     []engine.Conversation // the one asked last first
	focused []string
	err     error  // of every call
	problem string // that a turn was not kept for
}

// add keeps the turn of a search that answered.
func (f *fakeConversations) add(req engine.Request, result *engine.Result) *engine.ContextUse {
	if result.Answer == nil {
		return nil
	}
	if f.problem != "" {
		return &engine.ContextUse{Name: req.Context, Problem: f.problem}
	}
	return f.append(req.Context, engine.MakeTurn(req.Query, result, time.Now()))
}

func (f *fakeConversations) append(name string, turn engine.Turn) *engine.ContextUse {
	f.mu.Lock()
	defer f.mu.Unlock()
	i := f.find(name)
	if i < 0 {
		f.all = append(f.all, engine.Conversation{ID: name, Name: name, First: turn.Question})
		i = len(f.all) - 1
	}
	c := f.all[i]
	c.Turns = append(c.Turns, turn)
	c.Count, c.Updated, c.Text = len(c.Turns), turn.When, c.Text+1000
	f.all = slices.Insert(slices.Delete(f.all, i, i+1), 0, c)
	return &engine.ContextUse{Name: name, Turn: c.Count, Kept: true}
}

func (f *fakeConversations) find(name string) int {
	return slices.IndexFunc(f.all, func(c engine.Conversation) bool { return c.Name == name })
}

// with runs do on the conversation of a name.
func (f *fakeConversations) with(name string, do func(i int) error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return f.err
	}
	i := f.find(name)
	if i < 0 {
		return fmt.Errorf("%w %q", engine.ErrNoConversation, name)
	}
	return do(i)
}

func (f *fakeSearcher) Conversations(context.Context) ([]engine.Conversation, error) {
	f.kept.mu.Lock()
	defer f.kept.mu.Unlock()
	all := slices.Clone(f.kept.all)
	for i := range all {
		all[i].Turns = nil
	}
	return all, f.kept.err
}

func (f *fakeSearcher) Conversation(_ context.Context, name string) (c *engine.Conversation, err error) {
	err = f.kept.with(name, func(i int) error {
		found := f.kept.all[i]
		c = &found
		return nil
	})
	return c, err
}

func (f *fakeSearcher) KeepTurn(_ context.Context, name string, turn engine.Turn) (*engine.ContextUse, error) {
	if f.kept.err != nil {
		return nil, f.kept.err
	}
	return f.kept.append(name, turn), nil
}

func (f *fakeSearcher) RenameConversation(_ context.Context, name, to string) error {
	return f.kept.with(name, func(i int) error {
		if f.kept.find(to) >= 0 {
			return fmt.Errorf("%w: %q is another's", engine.ErrConversationName, to)
		}
		f.kept.all[i].Name = to
		return nil
	})
}

func (f *fakeSearcher) DeleteConversation(_ context.Context, name string) (deleted *engine.DeletedConversation, err error) {
	err = f.kept.with(name, func(i int) error {
		c := f.kept.all[i]
		deleted = &engine.DeletedConversation{Name: name, Questions: c.Count, Bytes: diskOf(c)}
		f.kept.all = slices.Delete(f.kept.all, i, i+1)
		return nil
	})
	return deleted, err
}

func (f *fakeSearcher) FocusConversation(_ context.Context, name string) error {
	return f.kept.with(name, func(int) error {
		f.kept.focused = append(f.kept.focused, name)
		return nil
	})
}

// remember gives the fake three conversations, the last of them asked yesterday.
func (f *fakeSearcher) remember(now time.Time) {
	now = now.UTC()
	yesterday := time.Date(now.Year(), now.Month(), now.Day()-1, 14, 2, 0, 0, time.UTC)
	f.kept.all = []engine.Conversation{
		kept("the printer", yesterday, "what does dns.md say of the printer?", "and what got it going again?"),
		kept("bread \x1b[2J\u202eevil", yesterday.AddDate(0, 0, -3), "where is the starter?"),
		kept("日本語のメモ", now.AddDate(0, -2, 0), "キャッシュを消すには？"),
	}
	f.kept.all[0].Keys.Memory = 3_400_000
	f.status.Conversations = &engine.ConversationsStatus{
		Count: 3, Questions: 4, Text: 4_000,
		Keys: engine.KeysUse{Tokens: 1432, Memory: 3_400_000, Disk: 9_100_000, Levels: []engine.LevelUse{
			{Bits: 8, Chunks: 40, Bytes: 5_000_000}, {Bits: 4, Chunks: 30, Bytes: 2_000_000}, {Bits: 2, Chunks: 18, Bytes: 600_000},
		}},
	}
}

// kept is a conversation whose questions were asked a minute apart.
func kept(name string, last time.Time, questions ...string) engine.Conversation {
	c := engine.Conversation{
		ID: name, Name: name, Count: len(questions), First: questions[0], Updated: last, Text: 2_000,
		Keys: engine.KeysUse{Tokens: 700, Disk: 3_100_000},
	}
	for i, q := range questions {
		answer := flushing().says
		t := engine.Turn{Question: q, Answer: &answer, When: last.Add(time.Duration(i+1-len(questions)) * time.Minute)}
		if i > 0 {
			t.Standalone = "what got the printer going again?"
			a := writing().says
			a.Generation.Reused, a.Generation.Restored, a.Generation.Recomputed, a.Generation.RestoreMillis = 1432, 1416, 16, 31
			t.Answer = &a
		}
		for n, path := range []string{
			"/srv/a very long way/down/through/many/folders/that nobody/tidied/logs/minified-cache.js",
			"/home/ada/notes/network/dns.md", "/home/ada/notes/日本語/キャッシュ.md",
			"/home/ada/notes/evil\x1b]0;pwned\x07\u202egpj.md", "/home/ada/notes/recipes/bread.md",
		} {
			text := notes()[path]
			t.Passages = append(t.Passages, engine.TurnPassage{N: n + 1, Rank: n + 1, Path: path, LineStart: 1, LineEnd: 9, Heading: "Fixing DNS", Text: text})
		}
		c.Turns = append(c.Turns, t)
	}
	return c
}
