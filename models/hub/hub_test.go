package hub

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// fakeHub serves one file in the manner of the hub: the hub itself answers with
// a redirect and X-Linked-* headers, another host has the bytes.
type fakeHub struct {
	content  []byte
	token    string // wanted; "" means none
	drops    int    // connections still to be dropped in the middle
	noRanges bool
	noSum    bool

	mu       sync.Mutex
	ranges   []string // Range of every GET of bytes
	leaked   bool     // the token reached the other host
	hub, cdn *httptest.Server
}

func newFakeHub(t *testing.T, content []byte) *fakeHub {
	t.Helper()
	h := &fakeHub{content: content}
	h.cdn = httptest.NewServer(http.HandlerFunc(h.serveBytes))
	h.hub = httptest.NewServer(http.HandlerFunc(h.serveHub))
	t.Cleanup(func() { h.hub.Close(); h.cdn.Close() })
	return h
}

func (h *fakeHub) serveHub(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path != "/owner/name/resolve/main/sub/file.bin":
		http.NotFound(w, r)
		return
	case h.token != "" && r.Header.Get("Authorization") != "Bearer "+h.token:
		http.Error(w, "who are you", http.StatusUnauthorized)
		return
	}
	sum := sha256.Sum256(h.content)
	if !h.noSum {
		w.Header().Set("X-Linked-Etag", `"`+hex.EncodeToString(sum[:])+`"`)
	}
	w.Header().Set("X-Linked-Size", fmt.Sprint(len(h.content)))
	http.Redirect(w, r, h.cdn.URL+"/blob", http.StatusFound)
}

func (h *fakeHub) serveBytes(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	h.leaked = h.leaked || r.Header.Get("Authorization") != ""
	drop := false
	if r.Method == http.MethodGet {
		h.ranges = append(h.ranges, r.Header.Get("Range"))
		if drop = h.drops > 0; drop {
			h.drops--
		}
	}
	h.mu.Unlock()
	content, from := h.content, 0
	if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from); err == nil && !h.noRanges {
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(content)-1, len(content)))
		content = content[from:]
	}
	w.Header().Set("Content-Length", fmt.Sprint(len(content)))
	if len(content) < len(h.content) {
		w.WriteHeader(http.StatusPartialContent)
	}
	if drop {
		_, _ = w.Write(content[:len(content)/3]) // the client sees what it sees
		panic(http.ErrAbortHandler)
	}
	_, _ = w.Write(content)
}

func (h *fakeHub) download(t *testing.T, dst string) error {
	t.Helper()
	c := &Client{Endpoint: h.hub.URL, Token: h.token}
	_, err := c.Download(context.Background(), file, dst, nil)
	return err
}

var file = File{Repository: "owner/name", Revision: "main", Name: "sub/file.bin"}

func content() []byte { return bytes.Repeat([]byte("0123456789abcdef"), 60_000) }

func requireFile(t *testing.T, path string, want []byte) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, want) {
		t.Fatalf("the file has %d bytes (%v), want %d", len(got), err, len(want))
	}
	if _, err := os.Stat(path + incompleteSuffix); !os.IsNotExist(err) {
		t.Errorf("the incomplete file is still there: %v", err)
	}
}

func TestDownload(t *testing.T) {
	h := newFakeHub(t, content())
	h.token = "secret"
	dst := filepath.Join(t.TempDir(), "deep", "file.bin")
	var last, total int64
	c := &Client{Endpoint: h.hub.URL + "/", Token: h.token}
	got, err := c.Download(context.Background(), file, dst, func(p Progress) { last, total = p.Done, p.Total })
	if err != nil {
		t.Fatal(err)
	}
	requireFile(t, dst, h.content)
	if n := int64(len(h.content)); last != n || total != n {
		t.Errorf("progress ended at %d of %d", last, total)
	}
	if sum := sha256.Sum256(h.content); got != (Fetched{hex.EncodeToString(sum[:]), last}) {
		t.Errorf("fetched %+v", got)
	}
	if h.leaked {
		t.Error("the token was sent to another host")
	}
	if err := h.download(t, dst); err != nil || len(h.ranges) != 1 {
		t.Errorf("a second download fetched again: %v, %v", h.ranges, err)
	}
}

// The connection drops several times: each time the download goes on where it
// stopped, and the result is whole.
func TestDroppedConnectionResumes(t *testing.T) {
	h := newFakeHub(t, content())
	h.drops = attempts - 1
	dst := filepath.Join(t.TempDir(), "file.bin")
	if err := h.download(t, dst); err != nil {
		t.Fatal(err)
	}
	requireFile(t, dst, h.content)
	if len(h.ranges) != attempts || h.ranges[0] != "" || !strings.HasPrefix(h.ranges[1], "bytes=") {
		t.Errorf("ranges %q", h.ranges)
	}
}

// A connection that drops too often is an error, never a short file; the next
// call carries on.
func TestDroppedConnectionIsAnError(t *testing.T) {
	h := newFakeHub(t, content())
	h.drops = attempts
	dst := filepath.Join(t.TempDir(), "file.bin")
	err := h.download(t, dst)
	if err == nil || !strings.Contains(err.Error(), "dropped") {
		t.Fatalf("error %v", err)
	}
	if _, err := os.Stat(dst); !os.IsNotExist(err) {
		t.Fatalf("a short file got its name: %v", err)
	}
	part, err := os.Stat(dst + incompleteSuffix)
	if err != nil || part.Size() == 0 {
		t.Fatalf("nothing is kept of the download: %v", err)
	}
	if err := h.download(t, dst); err != nil {
		t.Fatal(err)
	}
	requireFile(t, dst, h.content)
	if got, want := h.ranges[attempts], fmt.Sprintf("bytes=%d-", part.Size()); got != want {
		t.Errorf("the second call asked for %q, want %q", got, want)
	}
}

func TestServerWithoutRanges(t *testing.T) {
	h := newFakeHub(t, content())
	h.drops, h.noRanges = 1, true
	dst := filepath.Join(t.TempDir(), "file.bin")
	if err := h.download(t, dst); err != nil {
		t.Fatal(err)
	}
	requireFile(t, dst, h.content)
}

func TestWrongBeginningIsFoundAndDropped(t *testing.T) {
	h := newFakeHub(t, content())
	dst := filepath.Join(t.TempDir(), "file.bin")
	sum := sha256.Sum256(h.content)
	is := identity{file.Repository, file.Revision, file.Name, hex.EncodeToString(sum[:]), "", int64(len(h.content))}
	if err := errors.Join(os.WriteFile(dst+incompleteSuffix, []byte("something else"), 0o600), is.write(dst)); err != nil {
		t.Fatal(err)
	}
	if err := h.download(t, dst); !errors.Is(err, errWrong) {
		t.Fatalf("error %v, want errWrong", err)
	}
	if err := h.download(t, dst); err != nil {
		t.Fatalf("after a wrong checksum: %v", err)
	}
	requireFile(t, dst, h.content)
}

func TestPinnedChecksumWins(t *testing.T) {
	h := newFakeHub(t, content())
	h.noSum = true
	pinned := file
	pinned.SHA256 = strings.Repeat("ab", 32)
	dst := filepath.Join(t.TempDir(), "file.bin")
	c := &Client{Endpoint: h.hub.URL}
	if _, err := c.Download(context.Background(), pinned, dst, nil); !errors.Is(err, errWrong) {
		t.Fatalf("error %v, want errWrong", err)
	}
}

func TestMessages(t *testing.T) {
	h := newFakeHub(t, content())
	h.token = "secret"
	dst := filepath.Join(t.TempDir(), "file.bin")
	ctx := context.Background()
	if _, err := (&Client{Endpoint: h.hub.URL}).Download(ctx, file, dst, nil); !errors.Is(err, errUnauthorized) {
		t.Errorf("without a token: %v", err)
	}
	missing := file
	missing.Name = "absent"
	if _, err := (&Client{Endpoint: h.hub.URL, Token: "secret"}).Download(ctx, missing, dst, nil); !errors.Is(err, ErrNotFound) {
		t.Errorf("absent file: %v", err)
	}
	if _, err := (&Client{Endpoint: "ftp://x"}).Download(ctx, file, dst, nil); err == nil || !strings.Contains(err.Error(), "HF_ENDPOINT") {
		t.Errorf("bad endpoint: %v", err)
	}
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	if _, err := (&Client{Endpoint: gone.URL}).Download(ctx, file, dst, nil); !errors.Is(err, errOffline) {
		t.Errorf("offline: %v", err)
	}
}

func TestCancel(t *testing.T) {
	h := newFakeHub(t, content())
	ctx, cancel := context.WithCancel(context.Background())
	dst := filepath.Join(t.TempDir(), "file.bin")
	c := &Client{Endpoint: h.hub.URL}
	_, err := c.Download(ctx, file, dst, func(p Progress) {
		if p.Done > 0 {
			cancel()
		}
	})
	// The last bytes may have come before the cancellation was seen.
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	cancel()
	if _, err := c.Download(ctx, file, dst+"2", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before the start: %v", err)
	}
}
