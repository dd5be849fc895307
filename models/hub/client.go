package hub

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// defaultEndpoint is the public hub.
const defaultEndpoint = "https://huggingface.co"

// Errors that a person can fix.
var (
	ErrNotFound     = errors.New("no such repository, revision or file on the hub")
	errUnauthorized = errors.New("the hub wants a token: set HF_TOKEN to one that may read this repository")
	errOffline      = errors.New("the hub cannot be reached: check the network, or set HF_ENDPOINT to a mirror")
)

// Client downloads from one hub. The zero value is the public one without a
// token.
type Client struct {
	Endpoint string // HF_ENDPOINT; "" means defaultEndpoint
	Token    string // HF_TOKEN; "" means none
	// HTTP is the client; nil means one with timeouts for connecting and the
	// first byte.
	HTTP *http.Client
	// Stall is the time below the slowest rate that ends a download; 0 means 30
	// s.
	Stall time.Duration

	commits bool // the hub names the commit of its responses
}

// fileURL returns the address of a repository's file.
func (c *Client) fileURL(repository, revision, name string) (string, error) {
	endpoint := strings.TrimRight(c.Endpoint, "/")
	if endpoint == "" {
		endpoint = defaultEndpoint
	}
	base, err := url.Parse(endpoint)
	if err != nil || base.Scheme != "https" && base.Scheme != "http" {
		return "", fmt.Errorf("the hub's address %q is not a web address: correct HF_ENDPOINT", endpoint)
	}
	parts := append(strings.Split(repository, "/"), "resolve", revision)
	return base.JoinPath(append(parts, strings.Split(name, "/")...)...).String(), nil
}

func (c *Client) httpClient() *http.Client {
	if c.HTTP != nil {
		copied := *c.HTTP
		return &copied
	}
	transport, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return &http.Client{}
	}
	transport = transport.Clone()
	transport.ResponseHeaderTimeout = 30 * time.Second
	return &http.Client{Transport: transport}
}

const maxRedirects = 8

// request is one request to a hub.
type request struct {
	method  string
	address string
	header  http.Header
	seen    func(http.Header)    // receives the headers of each response of the hub's host, or nil
	follow  func(*url.URL) error // refuses redirects within the hub's host
}

// do sends a request and follows redirects, so that it sees every hop's
// headers, drops the token once a hop leads to another host, and never follows
// from https to http.
func (c *Client) do(ctx context.Context, r request) (*http.Response, error) {
	client := c.httpClient()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	home, away := "", false
	for range maxRedirects {
		req, err := http.NewRequestWithContext(ctx, r.method, r.address, nil)
		if err != nil {
			return nil, err
		}
		req.Header = r.header.Clone()
		// Compression would change sizes and ranges.
		req.Header.Set("Accept-Encoding", "identity")
		if home == "" {
			home = origin(req.URL)
		}
		away = away || origin(req.URL) != home
		if c.Token != "" && !away {
			req.Header.Set("Authorization", "Bearer "+c.Token)
		}
		resp, err := client.Do(req)
		if err != nil {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			return nil, fmt.Errorf("%w (%w)", errOffline, err)
		}
		if r.seen != nil && !away {
			r.seen(resp.Header)
		}
		location := resp.Header.Get("Location")
		if resp.StatusCode/100 != 3 || location == "" {
			return resp, nil
		}
		_ = resp.Body.Close() // unused
		next, err := req.URL.Parse(location)
		if err != nil {
			return nil, fmt.Errorf("the hub redirects to %q, which is no address: see that HF_ENDPOINT is that of a hub", location)
		}
		if next.Scheme != req.URL.Scheme && next.Scheme != "https" {
			return nil, fmt.Errorf("the hub redirects from %s to %s, which is not followed: set HF_ENDPOINT to a hub that stays encrypted", origin(req.URL), origin(next))
		}
		if !away && origin(next) == home {
			if err := r.follow(next); err != nil {
				return nil, err
			}
		}
		r.address = next.String()
	}
	return nil, fmt.Errorf("the hub redirects more than %d times: see that HF_ENDPOINT is that of a hub, and that this network wants no login", maxRedirects)
}

// origin is scheme, host and port, for which a token is valid.
func origin(u *url.URL) string { return u.Scheme + "://" + u.Host }

// statusError explains an unsuccessful status; nil for success.
func statusError(resp *http.Response) error {
	switch code := resp.StatusCode; {
	case code == http.StatusOK || code == http.StatusPartialContent:
		return nil
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		return fmt.Errorf("%w (status %d)", errUnauthorized, code)
	case code == http.StatusNotFound:
		return fmt.Errorf("%w (status %d)", ErrNotFound, code)
	case code/100 == 5 || code == http.StatusTooManyRequests:
		return fmt.Errorf("the hub answers with status %s: run the command again later to go on from there", resp.Status)
	default:
		return fmt.Errorf("the hub answers with status %s: see that HF_ENDPOINT is that of a hub", resp.Status)
	}
}
