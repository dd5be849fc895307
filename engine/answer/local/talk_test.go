package local

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dowse/engine"
	"dowse/internal/testanswer"
	"dowse/models"
)

// conversation is one that a test has with a model: what engine/conversation keeps.
type conversation struct {
	*Answerer
	id    string
	turns []engine.Turn
}

// newKeys keeps conversations in a folder of the fixture.
func (h *fixture) newKeys(t testing.TB) *Keys {
	t.Helper()
	h.keys = NewKeys(KeysOptions{Folder: filepath.Join(h.data, "keys")})
	return h.keys
}

// rain are passages about the weather, others for each number.
func rain(number int) []engine.Passage {
	return []engine.Passage{
		{Rank: 1, Path: "/notes/rain.md", Text: fmt.Sprintf("Rain fell on lake number %d all day.\n", number), LineStart: 1, LineEnd: 1},
		{Rank: 2, Path: "/notes/grep.md", Heading: "Tools", Text: "# Tools\n\nKen Thompson wrote grep overnight.\n", LineStart: 10, LineEnd: 12},
	}
}

// ask asks in the conversation, and keeps the turn as engine/conversation does.
func (c *conversation) ask(t testing.TB, question string, passages []engine.Passage) *engine.Answer {
	t.Helper()
	said, err := c.Answer(t.Context(), engine.AnswerJob{Question: question, Passages: passages, Conversation: c.id, Earlier: c.turns})
	if err != nil {
		t.Fatal(err)
	}
	turn := engine.MakeTurn(question, &engine.Result{Passages: passages, Answer: said}, time.Unix(1_800_000_000, 0))
	for i, n := range engine.NumberPassages(c.turns, turn.Passages) {
		turn.Passages[i].N = n
	}
	c.turns = append(c.turns, turn)
	return said
}

// tokens are those that the conversation has.
func (c *conversation) tokens(t testing.TB) []int32 {
	t.Helper()
	model := taken(t, c.writer)
	s, err := model.conversations.Open(t.Context(), c.id)
	if err != nil {
		t.Fatal(err)
	}
	tokens := slices.Clone(s.Tokens())
	s.Commit(tokens)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return tokens
}

// TestConversationGoesOn: each turn's prompt begins with the tokens of those before, so
// that only what is new is read; what comes back from the disk gives the same words.
func TestConversationGoesOn(t *testing.T) {
	h := install(t, testanswer.WriterFiles(t))
	keys := h.newKeys(t)
	a, _ := newModelAnswerer(t, h)
	stays, leaves := &conversation{Answerer: a, id: "stays"}, &conversation{Answerer: a, id: "leaves"}
	var before []int32
	for i := range 5 {
		question := fmt.Sprintf("who wrote grep number %d?", i)
		want := stays.ask(t, question, rain(i))
		tokens := stays.tokens(t)
		if !slices.Equal(tokens[:len(before)], before) || len(tokens) != want.Generation.Conversation {
			t.Fatalf("turn %d has %d tokens, which do not begin with the %d before", i, len(tokens), len(before))
		}
		if g := want.Generation; i > 0 && (g.Reused < len(before)-1 || g.PromptTokens-g.Reused > 400) {
			t.Errorf("turn %d: %+v", i, g)
		}
		before = tokens
		got := leaves.ask(t, question, rain(i))
		if got.Text != want.Text || got.Note != "" || want.Problem != "" {
			t.Fatalf("turn %d: said %+v, want %+v", i, got, want)
		}
		model := taken(t, a.writer)
		if err := model.conversations.Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
		if i == 1 || i == 3 { // another process goes on
			if err := errors.Join(a.writer.Close(), keys.Close()); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := a.writer.Shared.Close(); err != nil { // what the model holds in memory goes
			t.Fatal(err)
		}
	}
	last := leaves.turns[4].Answer.Generation
	if last.Restored+last.Recomputed == 0 || last.RestoreMillis <= 0 {
		t.Errorf("nothing was restored: %+v", last)
	}
	text := taken(t, a.writer).Decoder.Tokenizer().Decode(before)
	if n := strings.Count(text, "Ken Thompson wrote grep"); n != 1 {
		t.Errorf("the same passage stands %d times in %q", n, text)
	}
	if n := strings.Count(text, "See also above: [2]"); n != 4 {
		t.Errorf("it is referred to %d times in %q", n, text)
	}
	use, total := keys.Use("leaves"), keys.Total()
	if use.Tokens != len(before) || use.Disk == 0 || use.Levels[0].Bits != 8 || total.Disk == 0 || total.Tokens < 2*use.Tokens {
		t.Errorf("%+v of %+v", use, total)
	}
	if bytes, err := keys.Forget(t.Context(), "leaves"); err != nil || bytes == 0 || keys.Use("leaves").Tokens != 0 {
		t.Errorf("forgot %d bytes, %v; %+v is left", bytes, err, keys.Use("leaves"))
	}
	if err := errors.Join(a.writer.Close(), keys.Close()); err != nil {
		t.Fatal(err)
	}
	left := NewKeys(KeysOptions{Folder: filepath.Join(h.data, "keys")}) // without a model
	if bytes, err := left.Forget(t.Context(), "stays"); err != nil || bytes == 0 {
		t.Errorf("forgot %d bytes, %v", bytes, err)
	}
	if total := left.Total(); total.Disk != 0 || total.Tokens != 0 {
		t.Errorf("%+v is left", total)
	}
	if err := left.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestFirstTurnIsPlain: a conversation begins with the answer that there is without one.
func TestFirstTurnIsPlain(t *testing.T) {
	a, _ := newModelAnswerer(t, install(t, testanswer.WriterFiles(t)))
	plain, err := a.Answer(t.Context(), grepJob())
	if err != nil {
		t.Fatal(err)
	}
	job := grepJob()
	job.Conversation = "first"
	said, err := a.Answer(t.Context(), job)
	if err != nil || said.Text != plain.Text || said.Generation.PromptTokens != plain.Generation.PromptTokens || said.Generation.Conversation == 0 || plain.Generation.Conversation != 0 {
		t.Errorf("%+v, %v; plainly %+v", said, err, plain)
	}
}

// TestTurnsThatNobodyReadAreSpelled: those that were answered without the model, or whose
// tokens are lost, come from their text.
func TestTurnsThatNobodyReadAreSpelled(t *testing.T) {
	a, _ := newModelAnswerer(t, install(t, testanswer.WriterFiles(t)))
	c := &conversation{Answerer: a, id: "talk"}
	c.turns = []engine.Turn{
		{Question: "what fell?", Passages: []engine.TurnPassage{{N: 1, Rank: 1, Path: "/notes/rain.md", Text: "Rain fell."}, {N: 2, Rank: 2, Path: "/notes/snow.md", Text: "Snow fell."}}, Answer: &engine.Answer{
			Text: "Snow fell. [2]", How: engine.Extracted, Citations: []engine.AnswerCitation{{N: 2, Path: "/notes/snow.md", Text: "Snow fell."}},
		}},
		{Question: "where?", Answer: &engine.Answer{Text: engine.DeclinedText, Declined: true, How: engine.Extracted}},
		{Question: "nothing was said to this"},
	}
	said := c.ask(t, "who wrote grep?", grepPassages())
	model := taken(t, a.writer)
	want := []string{"[2] snow.md\nSnow fell.", "Question: what fell?", "Snow fell. [2]", "Question: where?", "Not in your files.", "[3] grep.md", "[4] birds.md", "Question: who wrote grep?"}
	requireInOrder(t, model.Decoder.Tokenizer().Decode(c.tokens(t)), want)
	for range 2 { // the second time their tokens are there
		said = c.ask(t, "who really wrote grep?", grepPassages())
	}
	if g := said.Generation; g.Reused < g.PromptTokens-150 {
		t.Errorf("%+v", g)
	}
	if _, err := model.conversations.Delete(t.Context(), c.id); err != nil {
		t.Fatal(err)
	}
	said = c.ask(t, "who then?", grepPassages())
	requireInOrder(t, model.Decoder.Tokenizer().Decode(c.tokens(t)), append(want[:5:5], "Question: who really wrote grep?", "Question: who then?"))
	if said.Generation.Reused != 0 || said.Note != "" {
		t.Errorf("%+v", said)
	}
}

// requireInOrder requires that a text holds some others, one behind the other.
func requireInOrder(t *testing.T, text string, want []string) {
	t.Helper()
	rest := text
	for _, w := range want {
		_, after, found := strings.Cut(rest, w)
		if !found {
			t.Fatalf("%q does not follow in %q", w, text)
		}
		rest = after
	}
}

// TestOldTurnsLeaveAFullWindow, with a word about it; a third of it is free then.
func TestOldTurnsLeaveAFullWindow(t *testing.T) {
	m := testanswer.WriterFiles(t)
	m["config.json"] = []byte(strings.Replace(string(m["config.json"]), `"max_position_embeddings": 4096`, `"max_position_embeddings": 2048`, 1))
	a, _ := newModelAnswerer(t, install(t, m))
	c := &conversation{Answerer: a, id: "talk"}
	noted := 0
	for i := range 12 {
		passages := rain(i)
		passages[0].Text = strings.Repeat(passages[0].Text, 3)
		said := c.ask(t, fmt.Sprintf("what of lake %d?", i), passages)
		g := said.Generation
		if said.Problem != "" || g.Conversation > 2048 {
			t.Fatalf("turn %d: %+v", i, said)
		}
		if said.Note == "" {
			continue
		}
		noted++
		if !strings.Contains(said.Note, "questions") || g.PromptTokens > 2048*2/3 {
			t.Errorf("turn %d: %q, %+v", i, said.Note, g)
		}
	}
	if noted == 0 || noted > 6 {
		t.Errorf("turns left %d times", noted)
	}
}

// TestCancelledTurnLeavesNothing: the conversation goes on as if it had not been asked.
func TestCancelledTurnLeavesNothing(t *testing.T) {
	a, _ := newModelAnswerer(t, install(t, testanswer.WriterFiles(t)))
	c := &conversation{Answerer: a, id: "talk"}
	for range 2 {
		before := c.tokens(t)
		ctx, cancel := context.WithCancel(t.Context())
		job := engine.AnswerJob{Question: "who?", Passages: grepPassages(), Conversation: c.id, Earlier: c.turns, Observe: func(said engine.Answer) {
			if said.Text != "" {
				cancel()
			}
		}}
		if _, err := a.Answer(ctx, job); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
		cancel()
		if after := c.tokens(t); !slices.Equal(after, before) {
			t.Errorf("%d tokens, %d before", len(after), len(before))
		}
		c.ask(t, "who wrote grep?", grepPassages())
	}
}

// TestFocusedConversation is there when its question comes.
func TestFocusedConversation(t *testing.T) {
	h := install(t, testanswer.WriterFiles(t))
	keys := h.newKeys(t)
	a, _ := newModelAnswerer(t, h)
	c := &conversation{Answerer: a, id: "talk"}
	c.ask(t, "who wrote grep?", grepPassages())
	if err := taken(t, a.writer).conversations.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(a.writer.Shared.Close(), keys.Close()); err != nil {
		t.Fatal(err)
	}
	keys.Focus(c.id)
	a.writer.focusing.working.Wait()
	if err := taken(t, a.writer).conversations.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	said := c.ask(t, "who else?", grepPassages())
	if g := said.Generation; g.Reused == 0 || g.Restored+g.Recomputed != g.Reused { // all of it ahead
		t.Errorf("%+v", g)
	}
	if err := errors.Join(a.writer.Close(), keys.Close()); err != nil {
		t.Fatal(err)
	}
	keys.Focus(c.id) // opens nothing any more
	var none *Keys
	none.Focus(c.id)
	if none.Use(c.id).Tokens != 0 || none.Total().Disk != 0 || none.Close() != nil || none.Problem() != nil {
		t.Error("no keys keep something")
	}
}

// TestConversationsKeepToTheBudget, whether the model is in memory or is read while it
// answers; what does not fit is answered outside of the conversation, which is said.
func TestConversationsKeepToTheBudget(t *testing.T) {
	if testing.Short() {
		t.Skip("one question after the other: nothing for the race detector")
	}
	app := install(t, testanswer.DeepWriterFiles(t))
	info, err := os.Stat(models.PackPath(app.cache, writer))
	if err != nil {
		t.Fatal(err)
	}
	within, streamed := 0, 0
	for _, room := range []int64{-info.Size() / 4, 8 << 20} {
		app.memory, app.data = info.Size()+workingMemory+pastMemory+room, t.TempDir()
		keys := app.newKeys(t)
		a, ledger := newModelAnswerer(t, app)
		for i := range 2 {
			c := &conversation{Answerer: a, id: string(rune('a' + i))}
			said := c.ask(t, "who wrote grep?", rain(i))
			if said.Problem != "" || said.Note != "" && !strings.Contains(said.Note, "without the questions before") {
				t.Fatalf("with %d bytes: %+v", room, said)
			}
			model := taken(t, a.writer)
			if err := model.conversations.Drain(t.Context()); err != nil {
				t.Fatal(err)
			}
			if held := ledger.Total(); held > app.memory {
				t.Errorf("%d bytes of %d: %v", held, app.memory, ledger.Snapshot())
			}
			if said.Note == "" {
				within++
			}
			if s := model.conversations.Stats(); !model.Decoder.Resident() {
				if streamed++; s.Memory != 0 {
					t.Errorf("%d bytes stay beside a model that is read", s.Memory)
				}
			}
			plain, err := a.Answer(t.Context(), grepJob())
			if err != nil || plain.Problem != "" {
				t.Fatalf("with %d bytes, outside: %+v, %v", room, plain, err)
			}
		}
		if err := errors.Join(a.writer.Close(), keys.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if within < 2 || streamed == 0 {
		t.Errorf("%d answers within conversations, %d by a model that is read", within, streamed)
	}
}
