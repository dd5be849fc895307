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

// connectError words why there is no response.
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

// errRedirect says that a server names another one.
var errRedirect = errors.New("it wants the question sent on")

// statusError words a response that is no success.
func (c *Client) statusError(r *http.Response) error {
	if location, err := r.Location(); err == nil && r.StatusCode >= 300 && r.StatusCode < 400 {
		return fmt.Errorf("%w to %s, which is not done; if that is where you want to ask, make it the address",
			errRedirect, clean(location.Scheme+"://"+location.Host))
	}
	data, _ := readAll(r.Body, maxErrorBody) // as much as there is helps
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

// StatusError is a response that is no success.
type StatusError struct {
	Status     int
	RetryAfter time.Duration // that the server asks for; 0 where it does not
	text       string
	body       string // begins with what it sent
}

func (e *StatusError) Error() string { return e.text }

// busy reports whether the same request may succeed in a moment.
func (e *StatusError) busy() bool {
	switch e.Status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// Refuses reports whether a server was reached and does not take what it was sent: other
// texts it may take.
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

// outage is an error of a server that does not answer, or not in full.
type outage struct{ error }

func (o outage) Unwrap() error { return o.error }

// IsOutage reports whether a server could not be reached, was busy, or fell silent: what it
// was asked is worth asking again later.
func IsOutage(err error) bool {
	var out outage
	var status *StatusError
	return errors.As(err, &out) || errors.As(err, &status) && status.busy()
}

const (
	maxErrorBody = 64 << 10
	maxMessage   = 200 // letters of what a server says
	errorDepth   = 3   // objects around it
)

// errorMessage finds the sentence in what servers send as an error: an object
// with error, message or detail, each a text or an object with a message. "" for
// anything else.
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

// notUnderstood is the error about what is not what the protocol has there.
func notUnderstood(what string, data []byte) error {
	if strings.HasPrefix(strings.TrimSpace(string(data[:min(len(data), 64)])), "<") {
		return errWebPage
	}
	return fmt.Errorf("it sent what is no %s: %q", what, clean(string(data[:min(len(data), 80)])))
}

// clean makes what a stranger says fit a sentence.
func clean(text string) string {
	text = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, "\uFFFD"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
	if letters := []rune(text); len(letters) > maxMessage {
		return string(letters[:maxMessage]) + "…"
	}
	return text
}
