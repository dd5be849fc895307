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

// talk is the conversation of a question. Its passages have lasting numbers,
// unlike ranks.
type talk struct {
	*contexts.Session
	model   *Model
	earlier []engine.Turn
	had     []int32       // tokens of the conversation when opened
	read    []int32       // those of turns that the model has read or written
	unread  []engine.Turn // turns after them

	numbers, ranks map[int]int // of this question's passages, by rank and by number
	note           string      // for the person
	shared         int         // tokens shared with other conversations' beginnings
	took           time.Duration
}

func (o *Model) join(ctx context.Context, job *engine.AnswerJob) (*talk, error) {
	begun := time.Now()
	if o.shared { // the conversation takes Context's memory
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

// begin makes room for a prompt and its answer, and restores a beginning shared
// with other conversations. The model computes the last token.
func (t *talk) begin(ctx context.Context, prompt []int32) error {
	if err := t.Reserve(len(prompt) + t.model.answerTokens() - t.Sequence().Len()); err != nil {
		return err
	}
	begun := time.Now()
	shared, err := t.Share(ctx, prompt[:len(prompt)-1])
	t.shared, t.took = shared.ReadTokens, t.took+time.Since(begun)
	return err
}

// number assigns the question's passages their numbers.
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

// resume finds the turns that the conversation's tokens hold. Answers say how
// many tokens there were; with fewer, after a crash or another model, all turns
// are read again from their text.
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

// tokensBy is the conversation's tokens by a turn's end; 0 if no local model
// read it.
func tokensBy(turn *engine.Turn) int {
	if turn.Answer == nil || turn.Answer.Generation == nil {
		return 0
	}
	return turn.Answer.Generation.Conversation
}

// shown is the model's text with ranks in place of numbers.
func (t *talk) shown(text string) string { return answer.Renumber(text, t.ranks) }

func (t *talk) numbered(passages []answer.Passage) []answer.Passage {
	list := slices.Clone(passages)
	for i := range list {
		list[i].Number = t.numbers[list[i].Number]
	}
	return list
}

func (t *talk) ranked(passages []answer.Passage) []answer.Passage {
	list := slices.Clone(passages)
	for i := range list {
		list[i].Number = t.ranks[list[i].Number]
	}
	return list
}

// keep adds the turn to the conversation: the question and the shown answer,
// which may be another than the model's.
func (t *talk) keep(a *request, result *generate.Result, answered *engine.Answer, own bool) {
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

// spoken is the answer as the model is told it said it, with the numbers of
// passages.
func spoken(said *engine.Answer, numbers map[int]int) string {
	if said.Declined {
		return answer.DeclinedText
	}
	return answer.Renumber(said.Text, numbers)
}

// leave closes the conversation with the tokens that it had or was given.
func (t *talk) leave() error {
	t.Commit(t.had)
	return t.Close()
}
