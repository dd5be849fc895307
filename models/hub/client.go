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

// What a person can do something about.
var (
	ErrNotFound     = errors.New("no such repository, revision or file on the hub")
	errUnauthorized = errors.New("the hub wants a token: set HF_TOKEN to one that may read this repository")
	errOffline      = errors.New("the hub cannot be reached: check the network, or set HF_ENDPOINT to a mirror")
)

// Client talks to one hub. The zero value is the public one without a token.
type Client struct {
	Endpoint string // HF_ENDPOINT; "" means defaultEndpoint
	Token    string // HF_TOKEN; "" means none
	// HTTP is the client to use; nil means one with sensible timeouts for
	// connecting and for the first byte.
	HTTP *http.Client
}

// fileURL returns where a file of a repository lies.
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

// httpClient returns a copy of the configured client.
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

// maxRedirects bounds a chain of redirects.
const maxRedirects = 8

// do sends a request and follows redirects itself, so that it sees the headers
// of every hop, drops the token for good as soon as a hop leads to another host,
// and follows none from https to http. seen is told the headers of each response
// that came from the hub's own host.
func (c *Client) do(ctx context.Context, method, address string, header http.Header, seen func(http.Header)) (*http.Response, error) {
	client := c.httpClient()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	home, away := "", false
	for range maxRedirects {
		req, err := http.NewRequestWithContext(ctx, method, address, nil)
		if err != nil {
			return nil, err
		}
		req.Header = header.Clone()
		// Compression would make sizes and ranges mean something else.
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
				return nil, ctx.Err()
			}
			return nil, fmt.Errorf("%w (%w)", errOffline, err)
		}
		if seen != nil && !away {
			seen(resp.Header)
		}
		location := resp.Header.Get("Location")
		if resp.StatusCode/100 != 3 || location == "" {
			return resp, nil
		}
		_ = resp.Body.Close() // nothing of a redirect's body is wanted
		next, err := req.URL.Parse(location)
		if err != nil {
			return nil, fmt.Errorf("the hub redirects to %q: %w", location, err)
		}
		if next.Scheme != req.URL.Scheme && next.Scheme != "https" {
			return nil, fmt.Errorf("the hub redirects from %s to %s, which is not followed", origin(req.URL), origin(next))
		}
		address = next.String()
	}
	return nil, fmt.Errorf("the hub redirects more than %d times", maxRedirects)
}

// origin is scheme, host and port: a token is for one origin only.
func origin(u *url.URL) string { return u.Scheme + "://" + u.Host }

// statusError explains a status that is not success; nil when it is.
func statusError(resp *http.Response) error {
	switch code := resp.StatusCode; {
	case code/100 == 2:
		return nil
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		return fmt.Errorf("%w (status %d)", errUnauthorized, code)
	case code == http.StatusNotFound:
		return fmt.Errorf("%w (status %d)", ErrNotFound, code)
	default:
		return fmt.Errorf("the hub answers with status %s", resp.Status)
	}
}
