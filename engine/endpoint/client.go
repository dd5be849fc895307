package endpoint

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
)

// Options describe a server and its timeouts. Zero values below Local mean the
// usual.
type Options struct {
	URL   string // base of /chat/completions, /embeddings and /rerank; http or https
	Model string // its name at the server
	Key   string // bearer token; "": none
	Local bool   // refuse to talk to another machine

	Connect time.Duration // to connect: 5 s
	First   time.Duration // to the first event: 2 min, since a server may load the model
	Idle    time.Duration // between pieces of a reply: 30 s
	Whole   time.Duration // for a reply: 5 min
	Word    time.Duration // of silence before Waiting: 5 s
	Pause   time.Duration // before retrying a busy server, doubled each time: 500 ms
	Tries   int           // of a request in all: 4

	MaxEvent int // bytes of an event, or of an unstreamed reply: 1 MiB
	MaxBytes int // of a response: 16 MiB
	MaxText  int // bytes of text before it is cut: 8 KiB

	// Waiting is called after each further Word of silence during a request, or
	// nil. A request ends after it returns.
	Waiting func(silent time.Duration)
}

// filled returns the options with the usual values filled in.
func (o Options) filled() Options {
	duration := func(d *time.Duration, usual time.Duration) {
		if *d == 0 {
			*d = usual
		}
	}
	size := func(n *int, usual int) {
		if *n == 0 {
			*n = usual
		}
	}
	duration(&o.Connect, 5*time.Second)
	duration(&o.First, 2*time.Minute)
	duration(&o.Idle, 30*time.Second)
	duration(&o.Whole, 5*time.Minute)
	duration(&o.Word, 5*time.Second)
	duration(&o.Pause, 500*time.Millisecond)
	size(&o.Tries, 4)
	size(&o.MaxEvent, 1<<20)
	size(&o.MaxBytes, 16<<20)
	size(&o.MaxText, 8<<10)
	return o
}

// Client asks one server. It is safe for concurrent use and keeps no
// connections.
type Client struct {
	options Options
	base    *url.URL
	http    *http.Client
	texts   atomic.Bool // rerank by the texts request
}

// New returns a client. It does not connect.
func New(o Options) (*Client, error) {
	base, err := ParseURL(o.URL)
	if err != nil {
		return nil, err
	}
	if o.Model == "" {
		return nil, errors.New("no model is named to the server")
	}
	o = o.filled()
	// A host named localhost must be this machine.
	local := o.Local || IsLocal(base.Hostname())
	return &Client{options: o, base: base, http: &http.Client{
		Transport: newTransport(o.Connect, local),
		// A redirect is an error: see statusError.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// ParseURL reads the address of a server.
func ParseURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, errors.New("this is no address of a server; want one such as http://localhost:11434/v1") // err would repeat a key
	case u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "":
		return nil, errors.New("want an address of a server that begins with http:// or https://, such as http://localhost:11434/v1")
	case u.User != nil, u.RawQuery != "", u.Fragment != "":
		return nil, errors.New("want the address of the server alone, without a name, a key or a query in it")
	}
	return u, nil
}

// Address is the server's scheme, host and port.
func (c *Client) Address() string { return c.base.Scheme + "://" + c.base.Host }

// Host is the host and port of Address.
func (c *Client) Host() string { return c.base.Host }

// Local reports whether the server's name is this machine's.
func (c *Client) Local() bool { return IsLocal(c.base.Hostname()) }

// Encrypted reports whether the connection is encrypted.
func (c *Client) Encrypted() bool { return c.base.Scheme == "https" }

// Message is one turn of a conversation.
type Message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// Request is a question to a server.
type Request struct {
	Messages  []Message
	MaxTokens int // of the reply
}

// Reply is a server's text.
type Reply struct {
	Text         string // all emitted text
	Cut          bool   // it ended for want of room
	PromptTokens int    // counted by the server; 0: unknown
	Tokens       int    // of the reply
	First        time.Duration
	Took         time.Duration
}

// completion is the body of a request.
type completion struct {
	Model         string        `json:"model"`
	Messages      []Message     `json:"messages"`
	MaxTokens     int           `json:"max_tokens"`
	Temperature   float64       `json:"temperature"` // 0: an answer, not a story
	Stream        bool          `json:"stream"`
	StreamOptions streamOptions `json:"stream_options"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

// Body is the request's body.
func (c *Client) Body(r Request) ([]byte, error) {
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false)
	err := enc.Encode(completion{
		Model: c.options.Model, Messages: r.Messages, MaxTokens: r.MaxTokens, Stream: true, StreamOptions: streamOptions{IncludeUsage: true},
	})
	if err != nil {
		return nil, fmt.Errorf("the question cannot be written as JSON: %w", err)
	}
	return body.Bytes(), nil
}

// Chat streams a reply to emit, whose error ends it. Reply covers all that was
// emitted, also beside an error. A cancelled ctx gives ctx.Err(); other errors
// say what the server did.
func (c *Client) Chat(ctx context.Context, r Request, emit func(text string) error) (Reply, error) {
	body, err := c.Body(r)
	if err != nil {
		return Reply{}, err
	}
	p := c.patience(ctx)
	defer p.end()
	begun := time.Now()
	response, err := c.send(p.ctx, http.MethodPost, "chat/completions", body)
	if err != nil {
		return Reply{}, c.conceal(p.reason(ctx, err))
	}
	defer response.Body.Close() //nolint:errcheck // nothing was written to it
	w := &writing{options: c.options, patience: p, begun: begun, emit: emit, secret: inReplies(c.options.Key)}
	err = w.read(p.watch(response.Body, c.options.MaxBytes))
	w.reply.Took = time.Since(begun)
	if err != nil {
		return w.reply, c.conceal(p.reason(ctx, err))
	}
	return w.reply, nil
}

// Models lists the server's models.
func (c *Client) Models(ctx context.Context) ([]string, error) {
	p := newPatience(ctx, Options{First: c.options.Connect, Whole: c.options.Connect})
	defer p.end()
	response, err := c.send(p.ctx, http.MethodGet, "models", nil)
	if err != nil {
		return nil, c.conceal(lost(ctx, p, err))
	}
	defer response.Body.Close() //nolint:errcheck // nothing was written to it
	data, err := readAll(p.watch(response.Body, c.options.MaxBytes), c.options.MaxEvent)
	if err != nil {
		return nil, c.conceal(p.reason(ctx, err))
	}
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if json.Unmarshal(data, &list) != nil {
		return nil, c.conceal(notUnderstood("list of models", data))
	}
	var names []string
	for _, m := range list.Data {
		name, _ := inErrors(c.options.Key).hide(m.ID, false)
		names = append(names, name)
	}
	return names, nil
}

// send makes a request and returns a successful response.
func (c *Client) send(ctx context.Context, method, path string, body []byte) (*http.Response, error) {
	target := *c.base
	target.Path = strings.TrimRight(target.Path, "/") + "/" + path
	request, err := http.NewRequestWithContext(ctx, method, target.String(), bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("the server cannot be asked: %w", err)
	}
	request.Header.Set("User-Agent", "dowse")
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Accept", "text/event-stream, application/json")
	}
	if c.options.Key != "" {
		request.Header.Set("Authorization", "Bearer "+c.options.Key)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, connectError(c.Address(), err)
	}
	if response.StatusCode != http.StatusOK {
		defer response.Body.Close() //nolint:errcheck // nothing was written to it
		return nil, c.statusError(response)
	}
	return response, nil
}
