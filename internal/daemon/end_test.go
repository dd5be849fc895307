package daemon

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"dowse/engine"
	"dowse/internal/testwait"
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
	defer listener.Close()                                                        //nolint:errcheck // the test is over
	for _, patience := range []time.Duration{time.Nanosecond, time.Millisecond} { // the first ends the dial itself
		if _, err := dial(t.Context(), path, patience); !errors.Is(err, errSilent) {
			t.Errorf("error after %v: %v", patience, err)
		}
	}
	if pid := strconv.Itoa(os.Getpid()); runtime.GOOS == "linux" {
		if _, err := dial(t.Context(), path, 2*time.Second); err == nil || !strings.Contains(err.Error(), "process "+pid) {
			t.Errorf("error without the process %s: %v", pid, err)
		}
	}
}

// TestOwnerFallsSilentInTheMiddle: it greets, takes a call and is stopped.
func TestOwnerFallsSilentInTheMiddle(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.sock")
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close() //nolint:errcheck // the test is over
	go func() {
		for answer := "{\"version\":" + strconv.Itoa(version) + ",\"done\":true}\n"; ; answer = "{\"version\":" + strconv.Itoa(version) + "}\n" {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			defer conn.Close() //nolint:errcheck // the test is over
			_, _ = conn.Write([]byte(answer))
		}
	}()
	client, err := Dial(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	client.patience = 100 * time.Millisecond
	ended := make(chan error, 1)
	go func() {
		_, err := client.Search(t.Context(), engine.Request{Query: "w"}, nil)
		ended <- err
	}()
	select {
	case err := <-ended:
		if !errors.Is(err, errSilent) {
			t.Errorf("error %v", err)
		}
	case <-time.After(testwait.Patience):
		t.Fatal("the client waits for ever")
	}
}

// TestLongCallsAreNotSilent: an owner at work says so, however long it takes.
func TestLongCallsAreNotSilent(t *testing.T) {
	f, _, server := start(t)
	client, err := dial(t.Context(), server.path, 3*beatEvery)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 4*beatEvery)
	defer cancel()
	if _, err := client.Search(ctx, engine.Request{Query: "block"}, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	<-f.released
}

// TestRemovedSocketIsMadeAnew: whatever removes it, the owner is found again.
func TestRemovedSocketIsMadeAnew(t *testing.T) {
	_, client, server := start(t)
	for name, remove := range map[string]func() error{
		"removed":  func() error { return os.Remove(server.path) },
		"replaced": func() error { return errors.Join(os.Remove(server.path), os.WriteFile(server.path, nil, 0o600)) },
		"folder":   func() error { return os.RemoveAll(filepath.Dir(server.path)) },
	} {
		if err := remove(); err != nil {
			t.Fatal(err)
		}
		testwait.Until(t, "the socket is not there", server.there)
		if _, err := client.Status(t.Context()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := server.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(server.path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket was left: %v", err)
	}
}
