package daemon

import (
	"context"
	"errors"
	"net"
	"path/filepath"
	"testing"

	"dowse/engine"
)

// TestEndOfTheOwnerIsNoCancellation: a caller that did not cancel must not be
// told that it did, or it would not ask again.
func TestEndOfTheOwnerIsNoCancellation(t *testing.T) {
	f, client, server := start(t)
	closed := make(chan error, 1)
	go func() { <-f.blocked; closed <- server.Close() }()
	_, err := client.Search(t.Context(), engine.Request{Query: "block"}, nil)
	if !errors.Is(err, ErrGone) || errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
}

// TestSilentOwner: a stopped process has the socket, but says nothing.
func TestSilentOwner(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.sock")
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close() //nolint:errcheck // the test is over
	if _, err := dial(t.Context(), path, 1); !errors.Is(err, ErrSilent) {
		t.Errorf("error %v", err)
	}
}
