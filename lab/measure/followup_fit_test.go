package measure

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dowse/engine"
	"dowse/internal/home"
	"dowse/lab/bench"
	"dowse/lab/collection"
)

var (
	followUpsOn    = flag.String("followups", "", "folder of notes with conversations to measure follow-up questions on")
	followUpsIn    = flag.String("followups-home", "", "home that keeps the index of these notes between runs; empty: a new one")
	followUpsHeld  = flag.Bool("followups-held", false, "measure on the held-out third, not on the two thirds that choices are made on")
	followUpsFirst = flag.Int("followups-first", 1000, "measure on the first conversations alone")
	followUpsWays  = flag.String("followups-ways", "bare,standalone,conversation,changed", "how the follow-ups are asked")
	followUpsMode  = flag.String("followups-mode", "", "mode of the searches; hybrid asks for no answers")
)

// followUpSeed decides by the note of its first question whether a conversation is held
// out.
const followUpSeed = "followups-1"

// talk is a conversation of followups.jsonl.
type talk struct{ Turns []talkTurn }

// talkTurn is a question of a talk.
type talkTurn struct {
	Question, Standalone string
	Note                 string // id; "" where no note answers
	Quotes               []string
	Short, Answer        string
	NewSubject           bool `json:"new_subject"`
}

// heldOut reports whether a talk is of the held-out third.
func (c *talk) heldOut() bool {
	at := slices.IndexFunc(c.Turns, func(t talkTurn) bool { return t.Note != "" })
	if at < 0 {
		return false
	}
	sum := sha256.Sum256([]byte(followUpSeed + " " + c.Turns[at].Note))
	return binary.BigEndian.Uint32(sum[:])%3 == 0
}

// TestFollowUps prints how often the note that answers a follow-up is found, and how
// often the answer is right: where the follow-up is asked alone (bare), as one would ask
// it without the conversation (standalone), and after the questions before it
// (conversation); and where the first question of another conversation is asked last
// (changed), which the questions before must not pull. The ways replayed and misled are
// conversation and changed after turns with right answers, which are not asked; misled-on
// is misled with "and" before the question.
//
//	go test ./lab/measure -run TestFollowUps -v -timeout 0 -followups DIR [-followups-held]
//
// It needs the default models in the cache. DIR has PART.notes.jsonl (id, path, text) and
// followups.jsonl.
func TestFollowUps(t *testing.T) {
	if *followUpsOn == "" {
		t.Skip("measures only when told on what: -followups DIR")
	}
	t.Setenv("XDG_CACHE_HOME", fitCache(t))
	folder := *followUpsIn
	if folder == "" {
		folder = t.TempDir()
	}
	t.Setenv(home.Variable, folder)
	asked := openTalks(t, folder)
	defer func() {
		if err := asked.notes.Close(); err != nil {
			t.Error(err)
		}
	}()
	var talks []talk
	for _, c := range linesOf[talk](t, filepath.Join(*followUpsOn, "followups.jsonl")) {
		if c.heldOut() == *followUpsHeld && len(talks) < *followUpsFirst {
			talks = append(talks, c)
		}
	}
	t.Logf("%d conversations, seed %q, held out %v", len(talks), followUpSeed, *followUpsHeld)
	for _, way := range strings.Split(*followUpsWays, ",") {
		asked.measure(t, way, talks)
	}
}

// askedTalks asks the questions of talks about their notes.
type askedTalks struct {
	notes *askedNotes
	root  string            // of the notes
	paths map[string]string // of notes, by id, relative to root
	queue []turnToAsk
	ranks []int // of the note that answers among the passages, from 1; 0 where it is not
	lost  int   // questions for which no passage seemed relevant
}

// turnToAsk is a question that is asked in its turn.
type turnToAsk struct {
	context, question string
	judged            *collection.NoteQuestion // nil of one that only comes before another
	earlier           []talkTurn               // that went as they should; nil where they are asked
}

// openTalks writes the notes of all parts into a folder and indexes them.
func openTalks(t *testing.T, folder string) *askedTalks {
	t.Helper()
	type note struct{ ID, Path, Text string }
	asked := &askedTalks{paths: map[string]string{}}
	root := filepath.Join(folder, "notes")
	asked.root = root
	parts, err := filepath.Glob(filepath.Join(*followUpsOn, "*.notes.jsonl"))
	if err != nil || len(parts) == 0 {
		t.Fatalf("no notes in %s: %v", *followUpsOn, err)
	}
	for _, part := range parts {
		name, _, _ := strings.Cut(filepath.Base(part), ".")
		for _, n := range linesOf[note](t, part) {
			asked.paths[n.ID] = name + "/" + n.Path
			path := filepath.Join(root, name, filepath.FromSlash(n.Path))
			if have, err := os.ReadFile(path); err == nil && string(have) == n.Text {
				continue // a new time of change would have it looked at again
			}
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(n.Text), 0o600)); err != nil {
				t.Fatal(err)
			}
		}
	}
	a, err := newRunner()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(a.Home.Data, "conversations")); err != nil { // of a run before
		t.Fatal(err)
	}
	asked.notes, err = a.reranking(engine.RerankDepth).openNotes(root, AnswersOptions{Stages: *followUpsMode})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := asked.notes.Fill(t.Context(), func(string, int, int) {}); err != nil {
		t.Fatal(err)
	}
	return asked
}

// measure asks the follow-ups of talks in one way.
func (a *askedTalks) measure(t *testing.T, way string, talks []talk) {
	t.Helper()
	a.queue, a.ranks, a.lost = nil, nil, 0
	for i := range talks {
		other := talks[(i+len(talks)/2)%len(talks)].Turns[0]
		a.add(way, fmt.Sprintf("%s %d", way, i), talks[i].Turns, other)
	}
	var judged []collection.NoteQuestion
	for _, turn := range a.queue {
		if turn.judged != nil {
			judged = append(judged, *turn.judged)
		}
	}
	row, err := bench.Answers(t.Context(), judged, a, func(done int) {
		if done%20 == 0 {
			fmt.Fprintf(os.Stderr, "%s: %d of %d\n", way, done, len(judged))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	n, first, five, mrr := float64(len(a.ranks)), 0.0, 0.0, 0.0
	for _, rank := range a.ranks {
		if rank == 1 {
			first++
		}
		if rank >= 1 && rank <= engine.AnswerPassages {
			five++
		}
		if rank > 0 {
			mrr += 1 / float64(rank)
		}
	}
	c := row.All
	t.Logf("%s: n %d, note first %.3f, among five %.3f, MRR@10 %.3f, nothing relevant %d; right %.3f (%d sure, %d perhaps), wrong %d and %d, declined %d; evidence among five %.3f, quote shown %.3f; problems %d %s",
		way, len(a.ranks), first/n, five/n, mrr/n, a.lost, float64(c.Right+c.PerhapsRight)/n, c.Right, c.PerhapsRight,
		c.Wrong, c.PerhapsWrong, c.DeclinedWrong, float64(c.Evidence)/n, float64(c.Quote)/n, row.Problems, row.Problem)
	a.writeRow(t, way, row)
}

// writeRow keeps the answers one by one, in the home of the notes.
func (a *askedTalks) writeRow(t *testing.T, way string, row *bench.AnswererRow) {
	t.Helper()
	text, err := json.MarshalIndent(struct {
		Row   *bench.AnswererRow
		Ranks []int
	}{row, a.ranks}, "", " ")
	if err == nil {
		err = os.WriteFile(filepath.Join(filepath.Dir(a.notes.Folder), way+".json"), text, 0o600)
	}
	if err != nil {
		t.Error(err)
	}
}

// add queues the questions of a talk. other is the first question of another one.
func (a *askedTalks) add(way, name string, turns []talkTurn, other talkTurn) {
	for i, turn := range turns {
		question, judged := turn.Question, i > 0 && turn.Note != ""
		switch way {
		case "replayed":
			if judged {
				a.ask(fmt.Sprintf("%s %d", name, i), question, true, turn)
				a.queue[len(a.queue)-1].earlier = turns[:i]
			}
			continue
		case "misled", "misled-on":
			if i == len(turns)-1 && other.Note != "" {
				question = other.Question
				if way == "misled-on" {
					question = "and " + question
				}
				a.ask(name, question, true, other)
				a.queue[len(a.queue)-1].earlier = turns
			}
			continue
		case "conversation":
			a.ask(name, question, judged, turn)
			continue
		case "changed":
			a.ask(name, question, false, turn)
			continue
		case "standalone":
			question = turn.Standalone
		}
		if judged {
			a.ask("", question, true, turn)
		}
	}
	if way == "changed" && other.Note != "" {
		a.ask(name, other.Question, true, other)
	}
	if way == "unchanged" && other.Note != "" {
		a.ask("", other.Question, true, other)
	}
}

func (a *askedTalks) ask(name, question string, judged bool, turn talkTurn) {
	next := turnToAsk{context: name, question: question}
	if judged {
		next.judged = &collection.NoteQuestion{
			Text: question, Path: a.paths[turn.Note], Quotes: turn.Quotes, Short: turn.Short, Answer: turn.Answer, Answerable: true,
		}
	}
	a.queue = append(a.queue, next)
}

// Ask implements bench.Asker: it asks all that is queued up to the next judged question.
func (a *askedTalks) Ask(ctx context.Context, _ string) (*bench.Reply, error) {
	for {
		next := a.queue[0]
		a.queue = a.queue[1:]
		reply, err := a.turn(ctx, next)
		if err != nil || next.judged != nil {
			return reply, err
		}
	}
}

// replay adds a turn with its right answer to a conversation.
func (a *askedTalks) replay(ctx context.Context, name string, t *talkTurn) error {
	said := &engine.Answer{Text: engine.DeclinedText, Declined: true, Confidence: engine.None}
	if t.Note != "" {
		path := filepath.Join(a.root, filepath.FromSlash(a.paths[t.Note]))
		said = &engine.Answer{Text: t.Answer, Short: t.Short, Confidence: engine.Sure, Citations: []engine.AnswerCitation{{N: 1, Path: path, Text: t.Quotes[0]}}}
	}
	_, err := a.notes.KeepTurn(ctx, name, engine.Turn{Question: t.Question, Answer: said, When: time.Now()})
	return err
}

// turn asks one question.
func (a *askedTalks) turn(ctx context.Context, turn turnToAsk) (*bench.Reply, error) {
	for _, t := range turn.earlier {
		if err := a.replay(ctx, turn.context, &t); err != nil {
			return nil, err
		}
	}
	result, err := a.notes.Stack.Search(ctx, engine.Request{
		Query: turn.question, K: engine.DefaultK, Mode: a.notes.mode, Answer: *followUpsMode == "", Context: turn.context, Keep: len(turn.earlier) == 0,
	}, nil)
	if err != nil {
		return nil, err
	}
	reply := &bench.Reply{}
	if said := result.Answer; said != nil {
		reply.Text, reply.Confidence, reply.Problem = said.Text, said.Confidence, said.Problem
		if said.Quotation != nil {
			reply.Quoted = said.Quotation.Text
		}
		for _, c := range said.Citations {
			reply.Cited = append(reply.Cited, c.Text)
		}
	}
	if reply.Passages, err = a.notes.relative(result.Passages); err != nil {
		return nil, err
	}
	if turn.judged != nil {
		a.ranks = append(a.ranks, 1+slices.IndexFunc(result.Passages, func(p engine.Passage) bool {
			path, err := a.notes.Name(p.Path)
			return err == nil && path == turn.judged.Path
		}))
		if result.Irrelevant() {
			a.lost++
		}
	}
	reply.Passages = reply.Passages[:min(len(reply.Passages), engine.AnswerPassages)]
	return reply, nil
}
