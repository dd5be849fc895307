package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"dowse/engine"
	"dowse/engine/answer"
	"dowse/engine/endpoint"
	"dowse/engine/generate"
	"dowse/internal/config"
)

// endpointAnswerer is an engine.Answerer that lets the server of the settings
// write, and checks what it writes against the passages as it comes. Where the
// server fails, the answer is extracted, and says so.
type endpointAnswerer struct {
	settings config.Endpoint
	analyzer answer.Analyzer
	extract  engine.Answerer
}

var _ engine.Answerer = (*endpointAnswerer)(nil)

const (
	// serverPrompt is the most tokens of a prompt, as tokenEstimate counts them:
	// engine.AnswerPassages of some 250 each and the instructions. With the answer
	// that is what servers read at once if nobody told them otherwise.
	serverPrompt = 1700
	// serverAnswer is the most tokens of a reply.
	serverAnswer = 256
)

// Answer implements engine.Answerer.
func (a *endpointAnswerer) Answer(ctx context.Context, job engine.AnswerJob) (*engine.Answer, error) {
	said, sent, err := a.write(ctx, job)
	if err != nil {
		if said, err = extractInstead(ctx, a.extract, job, err); err != nil {
			return nil, err
		}
	}
	said.Sent = sent
	return said, nil
}

// write lets the server answer. Before it is asked, the job's observer is told
// what is sent; sent is nil where nothing was.
func (a *endpointAnswerer) write(ctx context.Context, job engine.AnswerJob) (said *engine.Answer, sent *engine.Sent, err error) {
	client, err := a.open()
	if err != nil {
		return nil, nil, err
	}
	indexed := asIndexed(job.Passages)
	if len(indexed) == 0 {
		return nil, nil, errors.New("every passage changed since it was indexed, and such text is sent nowhere; dowse index takes the changes in")
	}
	passages := answerPassages(indexed)
	prompt, err := answer.Assemble(job.Question, passages, answer.PromptOptions{Counter: tokenEstimate{}, Tokens: serverPrompt})
	if err == nil && len(prompt.Numbers) == 0 {
		err = errors.New("no passage finds room beside the question")
	}
	if err != nil {
		return nil, nil, err
	}
	given := givenPassages(passages, prompt.Numbers)
	request := endpoint.Request{MaxTokens: serverAnswer}
	for _, m := range prompt.Messages {
		request.Messages = append(request.Messages, endpoint.Message(m))
	}
	body, err := client.Body(request)
	if err != nil {
		return nil, nil, err
	}
	sent = &engine.Sent{
		To: client.Address(), Model: a.settings.Model, Passages: len(given), Bytes: len(body),
		Remote: !client.Local(), Plain: !client.Local() && !client.Encrypted(),
	}
	r := &serverReply{how: a.how(client), sent: sent, observe: job.Observe, checker: answer.NewChecker(job.Question, given, a.analyzer)}
	r.show(engine.Answer{})
	written, err := client.Chat(ctx, request, r.grow)
	if err != nil {
		return nil, sent, fmt.Errorf("%s was asked and failed: %w", r.how, err)
	}
	if said, err = r.conclude(written); err == nil {
		said.Problem = changedProblem(len(job.Passages) - len(indexed))
	}
	return said, sent, err
}

// asIndexed leaves out passages whose text is not the one that was indexed: what
// leaves this process is what the person had indexed, and nothing that took its
// place.
func asIndexed(passages []engine.Passage) []engine.Passage {
	return slices.DeleteFunc(slices.Clone(passages), func(p engine.Passage) bool { return p.Stale })
}

// changedProblem says that passages were not sent; "" where none was left out.
func changedProblem(left int) string {
	switch left {
	case 0:
		return ""
	case 1:
		return "a passage changed since it was indexed and was not sent; dowse index takes the change in"
	}
	return fmt.Sprintf("%d passages changed since they were indexed and were not sent; dowse index takes the changes in", left)
}

// open is a client of the server.
func (a *endpointAnswerer) open() (*endpoint.Client, error) {
	key, err := a.settings.Key()
	if err != nil {
		return nil, err
	}
	return endpoint.New(endpoint.Options{URL: a.settings.URL, Model: a.settings.Model, Key: key, Local: !a.settings.Remote})
}

// how names who writes.
func (a *endpointAnswerer) how(client *endpoint.Client) string {
	return a.settings.Model + " at " + client.Host()
}

// serverReply is a reply that grows.
type serverReply struct {
	how     string
	sent    *engine.Sent
	observe func(engine.Answer)
	checker *answer.Checker
	text    strings.Builder
}

// show hands on the answer so far.
func (r *serverReply) show(a engine.Answer) {
	if r.observe != nil {
		a.How, a.Sent = r.how, r.sent
		r.observe(a)
	}
}

// grow takes more of the text.
func (r *serverReply) grow(more string) error {
	r.text.WriteString(more)
	r.show(*newAnswer(r.checker.Check(r.text.String(), false), r.how))
	return nil
}

// conclude reads a reply that is complete.
func (r *serverReply) conclude(written endpoint.Reply) (*engine.Answer, error) {
	finish := generate.StopToken
	if written.Cut {
		finish = generate.MaxTokens
	}
	said := conclude(r.checker, generate.Result{Text: written.Text, Finish: finish})
	if strings.TrimSpace(said.Text) == "" {
		return nil, fmt.Errorf("%s said nothing", r.how)
	}
	done := newAnswer(said, r.how)
	if written.Tokens > 0 {
		done.Generation = &engine.Generation{
			PromptTokens: written.PromptTokens, Tokens: written.Tokens, FirstMillis: millis(written.First),
		}
		if writing := (written.Took - written.First).Seconds(); writing > 0 {
			done.Generation.Speed = float64(written.Tokens) / writing
		}
	}
	return done, nil
}

// checkEndpoint looks whether the server of the settings answers. It sends
// nothing but the key.
func (a *App) checkEndpoint(ctx context.Context) Finding {
	const topic = "answerer"
	e := &endpointAnswerer{settings: a.Config.Endpoint}
	client, err := e.open()
	if err != nil {
		return Finding{topic, Warning, err.Error()}
	}
	f := Finding{topic, Fine, fmt.Sprintf("%s, a server on this machine, gets your questions and the passages that answer them", e.how(client))}
	if !client.Local() {
		f.Level, f.Detail = Warning, fmt.Sprintf("%s is not on this machine and gets your questions and the passages that answer them", e.how(client))
		if !client.Encrypted() {
			f.Detail += ", unencrypted"
		}
		f.Detail += fmt.Sprintf("; dowse models use %s ends that", config.Extract)
	}
	known, err := client.Models(ctx)
	has := func(name string) bool {
		return name == a.Config.Endpoint.Model || name == a.Config.Endpoint.Model+":latest"
	}
	switch {
	case err != nil:
		f.Level, f.Detail = Warning, fmt.Sprintf("%s; it was asked for its models: %v", f.Detail, err)
	case len(known) > 0 && !slices.ContainsFunc(known, has):
		f.Level, f.Detail = Warning, fmt.Sprintf("%s; it has no model %s but %s", f.Detail, a.Config.Endpoint.Model, strings.Join(known[:min(len(known), 5)], ", "))
	}
	return f
}
