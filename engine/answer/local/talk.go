package local

import (
	"context"
	"slices"
	"time"

	"dowse/engine"
	"dowse/engine/answer"
	"dowse/engine/generate"
	"dowse/engine/kv/contexts"
)

// talk is a conversation that a question goes on with. Passages have numbers in it that
// stay, which are not their ranks.
type talk struct {
	*contexts.Session
	model   *Model
	earlier []engine.Turn
	had     []int32       // tokens of the conversation when it was opened
	read    []int32       // of those, the ones of turns that the model has read or written
	unread  []engine.Turn // turns behind them

	numbers, ranks map[int]int // of the passages of this question, by rank and by number
	note           string      // what a person should know
	shared         int         // tokens that were read because other conversations have them
	took           time.Duration
}

// join opens a conversation.
func (o *Model) join(ctx context.Context, job *engine.AnswerJob) (*talk, error) {
	begun := time.Now()
	if o.shared { // the conversation takes the memory of Context
		if err := o.Context.Free(); err != nil {
			return nil, err
		}
	}
	session, err := o.conversations.Open(ctx, job.Conversation)
	if err != nil {
		return nil, err
	}
	t := &talk{Session: session, model: o, earlier: job.Earlier, took: time.Since(begun)}
	t.had = slices.Clone(session.Tokens())
	t.number(job)
	t.resume()
	return t, nil
}

// begin makes room for a prompt and its answer, and brings back what other conversations
// have of its beginning. The last token is left for the model to compute.
func (t *talk) begin(ctx context.Context, prompt []int32) error {
	if err := t.Reserve(len(prompt) + t.model.answerTokens() - t.Sequence().Len()); err != nil {
		return err
	}
	begun := time.Now()
	shared, err := t.Share(ctx, prompt[:len(prompt)-1])
	t.shared, t.took = shared.ReadTokens, t.took+time.Since(begun)
	return err
}

// number gives the passages of the question their numbers in the conversation.
func (t *talk) number(job *engine.AnswerJob) {
	found := make([]engine.TurnPassage, len(job.Passages))
	for i, p := range job.Passages {
		found[i] = engine.TurnPassage{Rank: p.Rank, Path: p.Path, LineStart: p.LineStart, LineEnd: p.LineEnd, Where: p.Where, Heading: p.Heading, Text: p.Text}
	}
	t.numbers, t.ranks = map[int]int{}, map[int]int{}
	for i, n := range engine.NumberPassages(job.Earlier, found) {
		t.numbers[found[i].Rank], t.ranks[n] = n, found[i].Rank
	}
}

// resume finds out which turns the tokens of the conversation hold. The answers say how
// many tokens there were by their end; where there are fewer, because a crash or
// another model came between, all turns are read again from their text.
func (t *talk) resume() {
	t.unread = t.earlier
	for i := len(t.earlier) - 1; i >= 0; i-- {
		if n := tokensBy(&t.earlier[i]); n > 0 {
			if n <= len(t.had) {
				t.read, t.unread = t.had[:n:n], t.earlier[i+1:]
			}
			return
		}
	}
}

// tokensBy returns how many tokens the conversation had by the end of a turn; 0 for one
// that no model of this machine read.
func tokensBy(turn *engine.Turn) int {
	if turn.Answer == nil || turn.Answer.Generation == nil {
		return 0
	}
	return turn.Answer.Generation.Conversation
}

// shown is what a model wrote, with the ranks of passages in the place of their numbers.
func (t *talk) shown(text string) string { return answer.Renumber(text, t.ranks) }

// numbered are passages by their numbers in the conversation.
func (t *talk) numbered(passages []answer.Passage) []answer.Passage {
	list := slices.Clone(passages)
	for i := range list {
		list[i].Number = t.numbers[list[i].Number]
	}
	return list
}

// ranked are passages by their ranks.
func (t *talk) ranked(passages []answer.Passage) []answer.Passage {
	list := slices.Clone(passages)
	for i := range list {
		list[i].Number = t.ranks[list[i].Number]
	}
	return list
}

// keep adds the turn to the conversation: what was asked, and what the person was
// shown, which the model may not have written.
func (t *talk) keep(a *asked, result *generate.Result, answered *engine.Answer, own bool) {
	said := result.Tokens
	if !own || result.Finish == generate.Refused {
		said = t.model.literal(spoken(answered, t.numbers))
	}
	t.had = slices.Concat(a.ids, said)
	if g := answered.Generation; g != nil {
		g.Conversation = len(t.had)
		g.Restored = t.Ahead.Read + t.Restored.ReadTokens + t.shared
		g.Recomputed = t.Ahead.Computed + t.Restored.Tokens + t.Restored.Appended
		if g.Restored+g.Recomputed > 0 {
			g.RestoreMillis = millis(t.took)
		}
	}
	answered.Note = t.note
}

// spoken is what a model is told that it said, with the numbers of passages.
func spoken(said *engine.Answer, numbers map[int]int) string {
	if said.Declined {
		return answer.DeclinedText
	}
	return answer.Renumber(said.Text, numbers)
}

// leave closes the conversation with the tokens that it had, or was given since.
func (t *talk) leave() error {
	t.Commit(t.had)
	return t.Close()
}
