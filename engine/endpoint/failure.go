package endpoint

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
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

// statusError words a response that is no success.
func (c *Client) statusError(r *http.Response) error {
	if location, err := r.Location(); err == nil && r.StatusCode >= 300 && r.StatusCode < 400 {
		return fmt.Errorf("it wants the question sent on to %s, which is not done; if that is where you want to ask, make it the address",
			clean(location.Scheme+"://"+location.Host))
	}
	data, _ := readAll(r.Body, maxErrorBody) // as much as there is helps
	said := errorMessage(data, errorDepth)
	if said != "" {
		said = ": " + said
	}
	switch status := r.StatusCode; status {
	case http.StatusUnauthorized, http.StatusForbidden:
		if c.options.Key == "" {
			return fmt.Errorf("it wants a key (status %d)%s", status, said)
		}
		return fmt.Errorf("it refuses the key (status %d)%s", status, said)
	case http.StatusNotFound:
		return fmt.Errorf("it knows no model %s, or nothing at %s (status 404)%s; its address usually ends in /v1", c.options.Model, c.base.Path, said)
	case http.StatusTooManyRequests:
		return fmt.Errorf("it takes no more questions for now (status 429)%s", said)
	default:
		return fmt.Errorf("it failed (status %d)%s", status, said)
	}
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

// notUnderstood is the error about what is no part of the protocol.
func notUnderstood(data []byte) error {
	if strings.HasPrefix(strings.TrimSpace(string(data[:min(len(data), 64)])), "<") {
		return errWebPage
	}
	return fmt.Errorf("it sent what is no chat completion: %q", clean(string(data[:min(len(data), 80)])))
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
