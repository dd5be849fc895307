package remote

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"dowse/engine"
	"dowse/engine/answer"
	"dowse/engine/endpoint"
)

// Answerer is an engine.Answerer whose server reads the passages below what the
// reader quotes. Its text is cited and checked as it grows, and judged. Where the server fails, the answer is extracted and
// says so.
type Answerer struct {
	server   endpoint.Server
	extract  *answer.Extractor
	analyzer answer.Analyzer
	waits    endpoint.Options // timeouts; zero: the usual
}

var _ engine.Answerer = (*Answerer)(nil)

// NewAnswerer returns an Answerer; extract answers where the server fails.
func NewAnswerer(server endpoint.Server, extract *answer.Extractor, analyzer answer.Analyzer) *Answerer {
	return &Answerer{server: server, extract: extract, analyzer: analyzer}
}

const (
	// serverPrompt bounds a prompt's tokens by endpoint.TokenEstimate:
	// engine.AnswerPassages of some 250 and the instructions. With the answer
	// it fits servers' default windows.
	serverPrompt = 1700
	// serverAnswer bounds a reply's tokens.
	serverAnswer = 256
)

// Answer implements engine.Answerer.
func (a *Answerer) Answer(ctx context.Context, job engine.AnswerJob) (*engine.Answer, error) {
	said, sent, err := a.write(ctx, job)
	if err != nil {
		if said, err = answer.QuoteInstead(ctx, a.extract, job, err); err != nil {
			return nil, err
		}
	}
	said.Sent = sent
	return said, nil
}

// write asks the server, after telling the job's observer what is sent; sent is
// nil if nothing was.
func (a *Answerer) write(ctx context.Context, job engine.AnswerJob) (said *engine.Answer, sent *engine.Sent, err error) {
	r := &serverReply{how: a.server.How(), observe: job.Observe}
	waits := a.waits
	waits.Waiting = func(silent time.Duration) { r.wait(a.server.Waits(silent)) }
	client, err := a.server.Client(waits)
	if err != nil {
		return nil, nil, err
	}
	indexed := asIndexed(job.Passages)
	if len(indexed) == 0 {
		return nil, nil, errors.New("every passage changed since it was indexed, and such text is sent nowhere; dowse index takes the changes in")
	}
	passages, _ := answer.WithoutInjections(answer.ByRank(indexed))
	quoted, err := a.extract.Read(ctx, answer.AskedIn(&job), passages)
	switch {
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case err == nil: // otherwise the reader failed, and the server's text stands for itself
		r.quoted = &quoted
	}
	prompt, err := answer.Assemble(job.InFull(), passages, answer.PromptOptions{Counter: endpoint.TokenEstimate{}, Tokens: serverPrompt, Answerable: true})
	if err == nil && len(prompt.Numbers) == 0 {
		err = errors.New("no passage that speaks to people finds room beside the question")
	}
	if err != nil {
		return nil, nil, err
	}
	given := prompt.Given(passages)
	request := endpoint.Request{MaxTokens: serverAnswer}
	for _, m := range prompt.Messages {
		request.Messages = append(request.Messages, endpoint.Message(m))
	}
	body, err := client.Body(request)
	if err != nil {
		return nil, nil, err
	}
	sent = &engine.Sent{
		To: client.Address(), Model: a.server.Model, Passages: len(given), Bytes: len(body),
		Remote: !client.Local(), Plain: !client.Local() && !client.Encrypted(),
	}
	r.sent, r.checker = sent, answer.NewChecker(job.InFull(), given, a.analyzer)
	r.show(engine.Answer{})
	written, err := client.Chat(ctx, request, r.grow)
	if err != nil {
		return nil, sent, fmt.Errorf("%s was asked and failed: %w", r.how, err)
	}
	if said, err = r.conclude(written); err != nil {
		return nil, sent, err
	}
	said.Problem = changedProblem(len(job.Passages) - len(indexed))
	said, err = a.extract.OrFromInjected(ctx, job, said)
	return said, sent, err
}

// asIndexed drops passages whose text has changed: only what the person had
// indexed leaves this process.
func asIndexed(passages []engine.Passage) []engine.Passage {
	return slices.DeleteFunc(slices.Clone(passages), func(p engine.Passage) bool { return p.Stale })
}

func changedProblem(left int) string {
	switch left {
	case 0:
		return ""
	case 1:
		return "a passage changed since it was indexed and was not sent; dowse index takes the change in"
	}
	return fmt.Sprintf("%d passages changed since they were indexed and were not sent; dowse index takes the changes in", left)
}

// serverReply is a growing reply.
type serverReply struct {
	how     string
	sent    *engine.Sent
	observe func(engine.Answer)
	quoted  *answer.Answer // nil where the reader failed
	checker *answer.Checker
	text    strings.Builder

	mu    sync.Mutex // held while showing
	shown engine.Answer
}

func (r *serverReply) show(a engine.Answer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	a.How, a.Sent = r.how, r.sent
	if r.quoted != nil && r.quoted.Confidence != answer.None {
		a.Quotation = answer.Shown(*r.quoted, engine.Extracted)
	}
	r.shown = a
	if r.observe != nil {
		r.observe(a)
	}
}

// wait shows what is waited for beside the answer so far.
func (r *serverReply) wait(what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.observe != nil {
		a := r.shown
		a.Note = what
		r.observe(a)
	}
}

// grow appends text.
func (r *serverReply) grow(more string) error {
	r.text.WriteString(more)
	text := r.text.String()
	if answer.Loops(text) {
		return errLoops
	}
	r.show(*answer.Shown(r.checker.Check(r.checker.Align(text, false), false), r.how))
	return nil
}

// errLoops ends a reply that would go on forever.
var errLoops = errors.New("it repeats itself")

// serverJudge lets a server's text be the answer where the quotation says half of
// it too: servers run larger models than answer.UsualJudge was fitted to. Nothing
// was measured of them.
var serverJudge = func() answer.Judge {
	j := answer.UsualJudge
	j.WrittenFrom = 0.5
	return j
}()

// conclude judges a complete reply.
func (r *serverReply) conclude(written endpoint.Reply) (*engine.Answer, error) {
	said := r.checker.Conclude(r.checker.Align(written.Text, true), written.Cut)
	if strings.TrimSpace(said.Text) == "" {
		return nil, fmt.Errorf("%s said nothing", r.how)
	}
	done := answer.Shown(said, r.how)
	if r.quoted != nil {
		done = serverJudge.Decide(*r.quoted, said, r.checker.Grounds(said, *r.quoted), r.how)
	}
	if written.Tokens > 0 {
		done.Generation = &engine.Generation{
			PromptTokens: written.PromptTokens, Tokens: written.Tokens, FirstMillis: float64(written.First.Microseconds()) / 1000,
		}
		if writing := (written.Took - written.First).Seconds(); writing > 0 {
			done.Generation.Speed = float64(written.Tokens) / writing
		}
	}
	return done, nil
}
