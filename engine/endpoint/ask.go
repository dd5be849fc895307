package endpoint

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// mostPause bounds the wait for a busy server that names one; a longer wait is
// not waited for.
const mostPause = 30 * time.Second

// ask posts a request and returns the reply, one JSON value of at most most
// bytes. It retries a busy server.
func (c *Client) ask(ctx context.Context, path string, request any, most int) ([]byte, error) {
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(request); err != nil {
		return nil, fmt.Errorf("the request cannot be written as JSON: %w", err)
	}
	for try := 1; ; try++ {
		data, err := c.askOnce(ctx, path, body.Bytes(), most)
		var status *StatusError
		if err == nil || !errors.As(err, &status) || !status.busy() || try >= c.options.Tries {
			return data, c.conceal(err)
		}
		pause := max(c.options.Pause<<(try-1), status.RetryAfter)
		if pause > mostPause {
			return nil, c.conceal(err)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}

func (c *Client) askOnce(ctx context.Context, path string, body []byte, most int) ([]byte, error) {
	p := c.patience(ctx)
	defer p.end()
	response, err := c.send(p.ctx, http.MethodPost, path, body)
	if err != nil {
		return nil, lost(ctx, p, err)
	}
	defer response.Body.Close() //nolint:errcheck // read only
	reply := p.watch(response.Body, most+1)
	reply.idle = c.options.Idle
	data, err := readAll(reply, most)
	switch {
	case errors.Is(err, errTooMuch):
		return nil, err
	case err != nil && drained(err):
		return nil, outage{errCutOff}
	case err != nil:
		return nil, lost(ctx, p, err)
	}
	return data, nil
}

// lost words why a request had no reply. Connection failures may be over later.
func lost(caller context.Context, p *patience, err error) error {
	var status *StatusError
	switch err = p.reason(caller, err); {
	case caller.Err() != nil || errors.As(err, &status) || errors.Is(err, errRedirect):
		return err
	}
	return outage{err}
}

// decode unmarshals a reply; what names it.
func decode(what string, data []byte, into any) error {
	var failed struct {
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(data, &failed) == nil {
		if message := errorMessage(failed.Error, errorDepth); message != "" {
			return fmt.Errorf("it reports: %s", message)
		}
	}
	var told *badNumbers
	switch err := json.Unmarshal(data, into); {
	case errors.As(err, &told):
		return told
	case err != nil:
		return notUnderstood(what, data)
	}
	return nil
}

// badNumbers is an error about a vector's content.
type badNumbers struct{ text string }

func (e *badNumbers) Error() string { return e.text }

// places returns the place of each of n items of a reply by its index, or in
// order where no item has one.
func places(n, asked int, index func(i int) *int) ([]int, error) {
	if n != asked {
		return nil, fmt.Errorf("it answered for %d texts of %d", n, asked)
	}
	out, taken, told := make([]int, n), make([]bool, n), 0
	for i := range out {
		out[i] = i
		at := index(i)
		if at == nil {
			continue
		}
		told++
		if *at < 0 || *at >= n || taken[*at] {
			return nil, fmt.Errorf("it answered for the text number %d of %d, which was not asked or is answered twice", *at, n)
		}
		out[i], taken[*at] = *at, true
	}
	if told != 0 && told != n {
		return nil, errors.New("it does not say which texts its answers are for")
	}
	return out, nil
}
