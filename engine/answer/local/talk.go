package local

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"dowse/engine"
	"dowse/engine/answer"
	"dowse/engine/generate"
	"dowse/engine/generate/chat"
	"dowse/engine/kv/contexts"
)

// prompt asks a question after the earlier turns. When the window is full, the
// oldest turns leave and the rest is read again.
func (t *talk) prompt(question string, passages []answer.Passage) (*prompt, error) {
	before, err := t.spell(t.read, t.unread)
	if err != nil {
		return nil, err
	}
	passages = t.numbered(passages)
	p, err := t.ask(before, question, passages)
	if err != nil || len(p.ids) <= t.room() {
		return t.given(p), err
	}
	if before, err = t.shed(len(p.ids) - len(before)); err == nil {
		p, err = t.ask(before, question, passages)
	}
	return t.given(p), err
}

// room is the most tokens of the conversation before an answer.
func (t *talk) room() int { return t.model.longest() - t.model.answerTokens() }

// given gives a prompt's passages their ranks back.
func (t *talk) given(p *prompt) *prompt {
	if p != nil {
		p.given = t.ranked(p.given)
	}
	return p
}

// ask asks a question after some tokens.
func (t *talk) ask(before []int32, question string, passages []answer.Passage) (*prompt, error) {
	o := t.model
	p, err := o.promptBehind(o.Decoder.Tokenizer().Decode(before), question, passages, o.behind(before))
	if err == nil {
		p.ids = slices.Concat(before, p.ids)
	}
	return p, err
}

// shed spells the last turns only, so that a third of the window stays free
// after more tokens.
func (t *talk) shed(more int) ([]int32, error) {
	room, kept := t.room()*2/3-more, len(t.earlier)
	for kept > 0 {
		one, err := t.spell(nil, t.earlier[kept-1:kept])
		if err != nil {
			return nil, err
		}
		if room -= len(one); room < 0 {
			break
		}
		kept--
	}
	t.read, t.unread = nil, t.earlier[kept:]
	t.note = fmt.Sprintf("the conversation is longer than what the model reads at once; it answered without the first %d of its questions", kept)
	return t.spell(nil, t.unread)
}

// spell appends turns' tokens, from their text.
func (t *talk) spell(before []int32, turns []engine.Turn) ([]int32, error) {
	for i := range turns {
		turn := &turns[i]
		if turn.Answer == nil || turn.Answer.Text == "" {
			continue // nothing was said
		}
		if answer.Injected(turn.Answer.Text) {
			continue // a quotation that no model may read
		}
		question := cmp.Or(turn.Standalone, turn.Question)
		p, err := answer.Assemble(question, citedBy(turn), answer.PromptOptions{
			Counter: Counter(t.model.Decoder.Tokenizer().Count), Tokens: t.model.window, Answerable: t.model.reads,
		})
		if err != nil {
			return nil, err
		}
		ids, err := t.model.behind(before)(p.Messages)
		if err != nil {
			return nil, err
		}
		before = slices.Concat(before, ids, t.model.literal(spoken(turn.Answer, numbersOf(turn))))
	}
	return before, nil
}

// citedBy are the places that a turn's answer cites.
func citedBy(turn *engine.Turn) []answer.Passage {
	cited := turn.Answer.Citations
	if turn.Answer.Quotation != nil {
		cited = turn.Answer.Quotation.Citations
	}
	numbers := numbersOf(turn)
	var list []answer.Passage
	for _, c := range cited {
		number := numbers[c.N]
		at := slices.IndexFunc(list, func(p answer.Passage) bool { return p.Number == number })
		switch {
		case number == 0 || turn.Answer.Declined:
		case at < 0:
			list = append(list, answer.Passage{Number: number, Path: c.Path, Text: c.Text})
		default:
			list[at].Text += "\n" + c.Text
		}
	}
	return list
}

// numbersOf are the numbers of a turn's passages by rank.
func numbersOf(turn *engine.Turn) map[int]int {
	numbers := map[int]int{}
	for _, p := range turn.Passages {
		numbers[p.Rank] = p.N
	}
	return numbers
}

// behind returns the tokenizer of messages after an answer, or of a
// conversation's first ones.
func (o *Model) behind(before []int32) func(messages []answer.Message) ([]int32, error) {
	if len(before) == 0 {
		return o.render
	}
	return func(messages []answer.Message) ([]int32, error) { return o.renderNext(messages[1:]) }
}

// placeholder stands for earlier answers.
const placeholder = "xanswerx"

// renderNext tokenizes from the end of an answer on: the template's ending, the
// next messages, and the beginning of the next answer.
func (o *Model) renderNext(messages []answer.Message) ([]int32, error) {
	all := slices.Concat([]answer.Message{
		{Role: "system", Content: "x"}, {Role: "user", Content: "x"}, {Role: "assistant", Content: placeholder},
	}, messages)
	rendered, err := o.rendered(all)
	if err != nil {
		return nil, err
	}
	for i, s := range rendered {
		if _, rest, found := strings.Cut(s.Text, placeholder); s.Content && found {
			next := append(chat.Prompt{{Text: rest, Content: true}}, rendered[i+1:]...)
			return next.Encode(o.Decoder.Tokenizer()), nil
		}
	}
	return nil, errors.New("its chat template takes no conversations")
}

func (o *Model) rendered(messages []answer.Message) (chat.Prompt, error) {
	p, err := o.template.Render(ChatMessages(messages), chat.Options{
		AddGenerationPrompt: true, BOS: o.bos, EOS: o.eos, Now: time.Now(),
		Flags: map[string]bool{"enable_thinking": false}, // Qwen3's: an answer is wanted at once
	})
	if err != nil {
		return nil, fmt.Errorf("its chat template does not take the question: %w", err)
	}
	return p, nil
}

func (o *Model) render(messages []answer.Message) ([]int32, error) {
	p, err := o.rendered(messages)
	if err != nil {
		return nil, err
	}
	return p.Encode(o.Decoder.Tokenizer()), nil
}

// literal tokenizes a text without the template's tokens.
func (o *Model) literal(text string) []int32 {
	return o.Decoder.Tokenizer().AppendLiteral(nil, text)
}

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
		return answer.Denial
	}
	return answer.Renumber(said.Text, numbers)
}

// leave closes the conversation with the tokens that it had or was given.
func (t *talk) leave() error {
	t.Commit(t.had)
	return t.Close()
}
