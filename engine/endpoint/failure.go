package endpoint

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"
)

// connectError words a failed connection.
func connectError(address string, err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err // without the address, which is said once
	}
	var timeout net.Error
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("no server answers at %s; start it, or see that this is its address", address)
	case errors.As(err, &timeout) && timeout.Timeout():
		return fmt.Errorf("%s cannot be reached in time; see that it is its address", address)
	case drained(err):
		return errors.New("it ended the connection without an answer")
	}
	return fmt.Errorf("%s cannot be asked: %w", address, err)
}

// errRedirect refuses a redirect.
var errRedirect = errors.New("it wants the question sent on")

// statusError words an unsuccessful response.
func (c *Client) statusError(r *http.Response) error {
	if location, err := r.Location(); err == nil && r.StatusCode >= 300 && r.StatusCode < 400 {
		return fmt.Errorf("%w to %s, which is not done; if that is where you want to ask, make it the address",
			errRedirect, clean(location.Scheme+"://"+location.Host))
	}
	data, _ := readAll(r.Body, maxErrorBody) // a part helps too
	said := errorMessage(data, errorDepth)
	if said != "" {
		said = ": " + said
	}
	e := &StatusError{Status: r.StatusCode, body: string(data)}
	if seconds, err := strconv.Atoi(r.Header.Get("Retry-After")); err == nil && seconds > 0 {
		e.RetryAfter = time.Duration(min(seconds, 1<<20)) * time.Second
	}
	switch status := r.StatusCode; status {
	case http.StatusUnauthorized, http.StatusForbidden:
		e.text = fmt.Sprintf("it refuses the key (status %d)%s", status, said)
		if c.options.Key == "" {
			e.text = fmt.Sprintf("it wants a key (status %d)%s", status, said)
		}
	case http.StatusNotFound:
		e.text = fmt.Sprintf("it knows no model %s, or nothing at %s (status 404)%s; its address usually ends in /v1", c.options.Model, c.base.Path, said)
	case http.StatusTooManyRequests:
		e.text = fmt.Sprintf("it takes no more questions for now (status 429)%s", said)
	default:
		e.text = fmt.Sprintf("it failed (status %d)%s", status, said)
	}
	return e
}

// StatusError is an unsuccessful response.
type StatusError struct {
	Status     int
	RetryAfter time.Duration // requested by the server; 0: none
	text       string
	body       string // its beginning
}

func (e *StatusError) Error() string { return e.text }

// busy reports whether a retry may succeed soon.
func (e *StatusError) busy() bool {
	switch e.Status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// Refuses reports whether a reached server rejects this content; it may take
// other texts.
func Refuses(err error) bool {
	var status *StatusError
	if !errors.As(err, &status) {
		return false
	}
	switch status.Status {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity, http.StatusInternalServerError:
		return true
	}
	return false
}

// outage is the error of a server without a complete answer.
type outage struct{ error }

func (o outage) Unwrap() error { return o.error }

// IsOutage reports whether a server was unreachable, busy or silent, so that
// asking later may work.
func IsOutage(err error) bool {
	var out outage
	var status *StatusError
	return errors.As(err, &out) || errors.As(err, &status) && status.busy()
}

const (
	maxErrorBody = 64 << 10
	maxMessage   = 200 // letters of a server's message
	errorDepth   = 3   // objects around it
)

// errorMessage finds the sentence in a server's error: an object with error,
// message or detail, each a text or an object with a message; else "".
func errorMessage(data []byte, depth int) string {
	var text string
	if json.Unmarshal(data, &text) == nil {
		return clean(text)
	}
	var object map[string]json.RawMessage
	if depth == 0 || json.Unmarshal(data, &object) != nil {
		return ""
	}
	for _, name := range []string{"error", "message", "detail"} {
		if value, ok := object[name]; ok {
			if message := errorMessage(value, depth-1); message != "" {
				return message
			}
		}
	}
	return ""
}

// notUnderstood is the error about a violation of the protocol.
func notUnderstood(what string, data []byte) error {
	if strings.HasPrefix(strings.TrimSpace(string(data[:min(len(data), 64)])), "<") {
		return errWebPage
	}
	return fmt.Errorf("it sent what is no %s: %q", what, clean(string(data[:min(len(data), 80)])))
}

// clean makes a server's words fit a sentence.
func clean(text string) string {
	text = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, "\uFFFD"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
	if letters := []rune(text); len(letters) > maxMessage {
		return string(letters[:maxMessage]) + "…"
	}
	return text
}
