package local

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
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
	judgeLog   = flag.String("judge-log", "", "file that answers of -confidence-model are added to, one a line; those in it are not asked again")
	judgeWhole = flag.Int("judge-whole", 0, "one of so many questions is asked with whole passages too")
)

// readAnswer is what a model wrote of a question, and what is known of it.
type readAnswer struct {
	Question   string
	List       int // among those of -confidence
	Whole      bool
	Answerable bool
	Kind       string
	Quoted     string
	QuotedIs   answer.Confidence
	Support    float64
	QuotedOK   bool
	Said       string
	SaidIs     answer.Confidence
	Finish     string
	OK         bool
	Grounds    answer.Grounds
	Mean, Min  float64 // log probability of its tokens
	Yes, Right float64 // log odds of the model's own yes
	Prompt     int
	Tokens     int
	First, All float64 // s
}

// TestLogAnswers lets a model read the passages of questions, and logs what it wrote.
func TestLogAnswers(t *testing.T) {
	if *judgeLog == "" {
		t.Skip("logs only when told where to: -judge-log FILE")
	}
	all := readHeldOut(t, *confidenceLists)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	home := bareHome(t)
	home.threads, home.memory, home.answerer = min(home.threads, runtime.GOMAXPROCS(0)), 6<<30, *confidenceModel
	home.cache = os.Getenv(testenv.CacheVariable)
	reader := NewReader(home.machine(t))
	t.Cleanup(func() {
		if err := reader.Close(); err != nil {
			t.Error(err)
		}
	})
	a, _ := newModelAnswerer(t, home)
	a.extract = answer.NewExtractor(reader)
	_, judge := a.writer.judgement(t.Context(), answer.Asked{})
	a.verifies = judge == nil
	done := map[string]bool{}
	for _, r := range readLog(t, *judgeLog) {
		done[r.key()] = true
	}
	file, err := os.OpenFile(*judgeLog, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		for _, whole := range []bool{false, true} {
			one := readAnswer{Question: all[i].Question, Whole: whole}
			if done[one.key()] || whole && (*judgeWhole == 0 || i%*judgeWhole != 0) {
				continue
			}
			if err := a.readHeldOut(t.Context(), &all[i], &one); err != nil {
				t.Logf("%s: %v", one.Question, err)
				continue
			}
			line, err := json.Marshal(one)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := file.Write(append(line, '\n')); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

func (r *readAnswer) key() string {
	if r.Whole {
		return "whole " + r.Question
	}
	return r.Question
}

func readLog(t *testing.T, path string) (all []readAnswer) {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r readAnswer
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			continue // cut by a stop
		}
		all = append(all, r)
	}
	if err := errors.Join(lines.Err(), file.Close()); err != nil {
		t.Fatal(err)
	}
	return all
}

// readHeldOut answers a question as the program does, without deciding.
func (a *Answerer) readHeldOut(ctx context.Context, h *heldOut, one *readAnswer) (err error) {
	begun := time.Now()
	job := engine.AnswerJob{Question: h.Question, Follows: h.Follows}
	for _, p := range h.given() {
		job.Passages = append(job.Passages, engine.Passage{Rank: p.Number, Path: p.Path, Heading: p.Heading, Columns: p.Columns, Text: p.Text, Score: p.Score})
	}
	one.Answerable, one.Kind = h.Answerable, h.Kind
	if a.verifies {
		said, err := a.Answer(ctx, job)
		if err != nil {
			return err
		}
		one.Said, one.SaidIs, one.OK = said.Text, said.Confidence, h.Answerable && h.saidIn(said.Text)
		one.All = time.Since(begun).Seconds()
		w, err := a.writing(ctx, job)
		if err != nil {
			return err
		}
		one.Quoted, one.QuotedIs, one.Support = w.quoted.Text, w.quoted.Confidence, w.quoted.Support
		one.QuotedOK = h.Answerable && h.saidIn(w.quoted.Text)
		one.Yes, err = declining(ctx, a, &writing{question: inSmallLetters(h.Question), quoted: w.quoted, passages: w.quoted.Quoted(answer.ByRank(job.Passages))})
		return err
	}
	w, err := a.writing(ctx, job)
	if err != nil {
		return err
	}
	if w.quoted == nil {
		return errors.New("the reader failed")
	}
	one.Quoted, one.QuotedIs, one.Support = w.quoted.Text, w.quoted.Confidence, w.quoted.Support
	one.QuotedOK = h.Answerable && h.saidIn(w.quoted.Text)
	model, asked, done, err := a.prompted(ctx, func(m *Model) (*request, error) {
		m.purpose.PassageTokens = readTokens
		if one.Whole {
			m.purpose.PassageTokens = 0
		}
		return m.askOutside(w)
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	checker := answer.NewChecker(w.question, asked.given, a.analyzer)
	quotedIn := time.Since(begun).Seconds()
	begun = time.Now()
	result, err := model.write(ctx, asked, nil, func(string) error { return nil })
	if err != nil {
		return err
	}
	one.First, one.All = quotedIn+result.Stats.FirstToken.Seconds(), quotedIn+time.Since(begun).Seconds()
	one.Prompt, one.Tokens, one.Finish = len(asked.ids), len(result.Tokens), result.Finish.String()
	said := conclude(checker, &generate.Result{Text: asked.cited(checker, result.Text, true), Finish: result.Finish})
	one.Said, one.SaidIs, one.Grounds = said.Text, said.Confidence, checker.Grounds(said, *w.quoted)
	one.OK = h.Answerable && h.saidIn(said.Text)
	if len(result.Tokens) == 0 {
		return nil
	}
	if one.Mean, one.Min, err = model.likelihood(ctx, asked, result.Tokens); err != nil {
		return err
	}
	before := slices.Concat(asked.ids, result.Tokens)
	if one.Yes, err = model.yes(ctx, asked, before, "Do the passages say this? Answer yes or no."); err != nil {
		return err
	}
	one.Right, err = model.yes(ctx, asked, before, "Does this answer the question? Answer yes or no.")
	return err
}

// likelihood is the mean and the least log probability of the tokens of a text.
func (o *Model) likelihood(ctx context.Context, a *request, tokens []int32) (mean, least float64, err error) {
	if err := a.sequence.Truncate(len(a.ids) - 1); err != nil {
		return 0, 0, err
	}
	root, v := a.ids[len(a.ids)-1], o.Decoder.Vocabulary()
	for at := 0; at < len(tokens); {
		to := min(at+8, len(tokens))
		chain := append([]int32{root}, tokens[at:to-1]...)
		parents, path := make([]int32, len(chain)), make([]int32, len(chain))
		for i := range parents {
			parents[i], path[i] = int32(i-1), int32(i)
		}
		logits := make([]float32, len(chain)*v)
		if err := a.sequence.Verify(ctx, chain, parents, logits); err != nil {
			return 0, 0, err
		}
		if err := a.sequence.Keep(path); err != nil {
			return 0, 0, err
		}
		for i := range chain {
			p := logProbabilityOf(logits[i*v:(i+1)*v], tokens[at+i])
			mean, least = mean+p/float64(len(tokens)), min(least, p)
		}
		root, at = tokens[to-1], to
	}
	return mean, least, nil
}

func logProbabilityOf(logits []float32, id int32) float64 {
	top := float64(slices.Max(logits))
	total := 0.0
	for _, v := range logits {
		total += math.Exp(float64(v) - top)
	}
	return float64(logits[id]) - top - math.Log(total)
}

// yes is the log odds of "yes" against "no", asked behind an answer.
func (o *Model) yes(ctx context.Context, a *request, before []int32, question string) (float64, error) {
	next, err := o.renderNext([]answer.Message{{Role: "user", Content: question}})
	if err != nil {
		return 0, err
	}
	ids := slices.Concat(before, next)
	odds := 0.0
	for _, side := range []struct {
		word string
		sign float64
	}{{"Yes", 1}, {"No", -1}} {
		token := o.Decoder.Tokenizer().Encode(side.word)[0]
		r, err := a.generator.Run(ctx, a.sequence, ids, generate.Options{MaxTokens: 1, Refusal: &generate.Refusal{Token: token}}, func(string) error { return nil })
		if err != nil {
			return 0, err
		}
		odds += side.sign * math.Log(max(r.Refusal, 1e-9))
	}
	return odds, nil
}
