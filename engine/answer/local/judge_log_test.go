package local

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"

	"dowse/engine"
	"dowse/engine/answer"
	"dowse/engine/generate"
	"dowse/internal/testenv"
)

var (
	judgeLog = flag.String("judge-log", "", "file of what -confidence-model wrote of questions, one a line; it is added to, and what is in it is not asked again")
	judgeFit = flag.Bool("judge-fit", false, "fit a judge to -judge-log")
)

// readAnswer is what a model wrote of a question, and what is known of it.
type readAnswer struct {
	Question    string
	Answerable  bool
	Quoted      string
	QuotedRight bool
	Support     float64 // of the quotation
	Said        string
	Right       bool
	Grounds     answer.Grounds
	Likelihood  float64 // mean log probability of the text's tokens
	Yes         float64 // log odds of the model's own yes to "do the passages say this?"
	Prompt      int     // tokens
	First, All  float64 // seconds, to the first token and the last, with the reader's
}

// TestLogAnswers lets a model of the person's cache read the passages of questions, in an
// order that makes any beginning a sample, and logs what it wrote. A stop loses one question.
//
//	DOWSE_TEST_FULL=1 go test ./engine/answer/local -run TestLogAnswers -timeout 0 -confidence LISTS -confidence-model NAME -judge-log FILE
func TestLogAnswers(t *testing.T) {
	if *judgeLog == "" || *judgeFit {
		t.Skip("logs only when told where to: -judge-log FILE")
	}
	all, done := readHeldOut(t, *confidenceLists), map[string]bool{}
	for _, r := range readLog(t, *judgeLog) {
		done[r.Question] = true
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	file, err := os.OpenFile(*judgeLog, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	a := newLoggedAnswerer(t)
	for i := range all {
		if done[all[i].Question] {
			continue
		}
		one, err := a.readHeldOut(t.Context(), &all[i])
		if err != nil {
			t.Fatalf("%s: %v", all[i].Question, err)
		}
		if err := json.NewEncoder(file).Encode(one); err != nil {
			t.Fatal(err)
		}
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

// newLoggedAnswerer reads with the models of the person's cache.
func newLoggedAnswerer(t *testing.T) *Answerer {
	t.Helper()
	home := bareHome(t)
	home.cache, home.answerer = os.Getenv(testenv.CacheVariable), *confidenceModel
	home.threads, home.memory = runtime.GOMAXPROCS(0), 6<<30
	reader := NewReader(home.machine(t))
	t.Cleanup(func() {
		if err := reader.Close(); err != nil {
			t.Error(err)
		}
	})
	a, _ := newModelAnswerer(t, home)
	a.extract = answer.NewExtractor(reader)
	return a
}

// readLog reads a log; a last line that a stop cut is left out.
func readLog(t *testing.T, path string) (all []readAnswer) {
	t.Helper()
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r readAnswer
		if json.Unmarshal(lines.Bytes(), &r) == nil {
			all = append(all, r)
		}
	}
	if err := errors.Join(lines.Err(), file.Close()); err != nil {
		t.Fatal(err)
	}
	return all
}

// readHeldOut answers a question as the program does, without deciding.
func (a *Answerer) readHeldOut(ctx context.Context, h *heldOut) (one readAnswer, err error) {
	job := engine.AnswerJob{Question: h.Question, Follows: h.Follows}
	for _, p := range h.given() {
		job.Passages = append(job.Passages, engine.Passage{Rank: p.Number, Path: p.Path, Heading: p.Heading, Columns: p.Columns, Text: p.Text, Score: p.Score})
	}
	begun := time.Now()
	w, err := a.writing(ctx, job)
	if err == nil && w.quoted == nil {
		err = errors.New("the reader failed")
	}
	if err != nil {
		return one, err
	}
	one = readAnswer{
		Question: h.Question, Answerable: h.Answerable, Quoted: w.quoted.Text,
		QuotedRight: h.Answerable && h.saidIn(w.quoted.Text), Support: w.quoted.Support,
	}
	model, asked, done, err := a.prompted(ctx, func(m *Model) (*request, error) { return m.askOutside(w) })
	if err != nil {
		return one, err
	}
	defer func() { err = errors.Join(err, done()) }()
	checker, before := answer.NewChecker(w.question, asked.given, a.analyzer), time.Since(begun)
	result, err := model.write(ctx, asked, nil, func(string) error { return nil })
	if err != nil {
		return one, err
	}
	one.Prompt, one.First, one.All = len(asked.ids), (before + result.Stats.FirstToken).Seconds(), time.Since(begun).Seconds()
	said := conclude(checker, &generate.Result{Text: asked.cited(checker, result.Text, true), Finish: result.Finish})
	one.Said, one.Right, one.Grounds = said.Text, h.Answerable && h.saidIn(said.Text), checker.Grounds(said, *w.quoted)
	if len(result.Tokens) == 0 {
		return one, nil
	}
	if one.Likelihood, err = model.likelihood(ctx, asked, result.Tokens); err == nil {
		one.Yes, err = model.yes(ctx, asked, slices.Concat(asked.ids, result.Tokens))
	}
	return one, err
}

// likelihood is the mean log probability of the tokens of a text.
func (o *Model) likelihood(ctx context.Context, a *request, tokens []int32) (mean float64, err error) {
	const chain = 8
	if err := a.sequence.Truncate(len(a.ids) - 1); err != nil {
		return 0, err
	}
	root, v := a.ids[len(a.ids)-1], o.Decoder.Vocabulary()
	for part := range slices.Chunk(tokens, chain) {
		given := append([]int32{root}, part[:len(part)-1]...)
		parents, path, logits := make([]int32, len(given)), make([]int32, len(given)), make([]float32, len(given)*v)
		for i := range given {
			parents[i], path[i] = int32(i-1), int32(i)
		}
		if err := errors.Join(a.sequence.Verify(ctx, given, parents, logits), a.sequence.Keep(path)); err != nil {
			return 0, err
		}
		for i, id := range part {
			mean += logProbability(logits[i*v:(i+1)*v], id) / float64(len(tokens))
		}
		root = part[len(part)-1]
	}
	return mean, nil
}

// yes is the log odds of "Yes" against "No", asked behind an answer.
func (o *Model) yes(ctx context.Context, a *request, before []int32) (odds float64, err error) {
	next, err := o.renderNext([]answer.Message{{Role: "user", Content: "Do the passages say this? Answer yes or no."}})
	if err != nil {
		return 0, err
	}
	for word, sign := range map[string]float64{"Yes": 1, "No": -1} {
		first := &generate.Refusal{Token: o.Decoder.Tokenizer().Encode(word)[0]} // at any probability: no more is asked
		r, err := a.generator.Run(ctx, a.sequence, slices.Concat(before, next), generate.Options{MaxTokens: 1, Refusal: first}, func(string) error { return nil })
		if err != nil {
			return 0, err
		}
		odds += sign * math.Log(max(r.Refusal, 1e-9))
	}
	return odds, nil
}
