package hub

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// endless serves a file in the manner of a server that sends on, and counts what
// it could send before the client hung up.
type endless struct {
	content   []byte
	announced string // Content-Length of the answer to HEAD; "" for none
	status    int
	header    http.Header // of the answer to GET
	sent      atomic.Int64
}

func (e *endless) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodHead {
		if e.announced != "" {
			w.Header().Set("X-Linked-Size", e.announced)
		}
		w.Header().Set("ETag", `"one"`)
		return
	}
	for name, values := range e.header {
		w.Header()[name] = values
	}
	w.WriteHeader(e.status)
	from := 0
	if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from); err == nil && e.status == http.StatusPartialContent {
		e.write(w, e.content[from:])
	} else {
		e.write(w, e.content)
	}
	for block := make([]byte, 1<<20); e.write(w, block); {
		if e.sent.Load() > 2*maxUnannounced {
			return
		}
	}
}

func (e *endless) write(w io.Writer, p []byte) bool {
	n, err := w.Write(p)
	e.sent.Add(int64(n))
	return err == nil
}

// TestServerThatSendsOn: of a file of 484 bytes no more is ever on the disk,
// however much comes, in whichever form.
func TestServerThatSendsOn(t *testing.T) {
	small := bytes.Repeat([]byte("x"), 484)
	sum := sha256.Sum256(small)
	for _, c := range []struct {
		name   string
		server *endless
		file   File
		begun  int // bytes of an earlier attempt
		want   string
		atMost int64 // of the file on the disk, at any time
	}{
		{"chunked", &endless{announced: "484"}, File{}, 0, "more than its 484 bytes", 484},
		{"resumed", &endless{announced: "484", status: 206, header: http.Header{"Content-Range": {"bytes 100-483/484"}}}, File{}, 100, "more than its 484 bytes", 484},
		{"resume ignored", &endless{announced: "484"}, File{}, 100, "more than its 484 bytes", 484},
		{"a length that is announced and too large", &endless{announced: "484", header: http.Header{"Content-Length": {"7200000000"}}}, File{}, 0, "more than its 484 bytes", 0},
		{"compressed", &endless{announced: "484", header: http.Header{"Content-Encoding": {"gzip"}}}, File{}, 0, `encoding "gzip"`, 0},
		{"a pinned size, and another one announced", &endless{announced: "7200000000"}, File{Size: 484}, 0, "more than its 484 bytes", 484},
		{"a pinned sum", &endless{announced: "484"}, File{SHA256: hex.EncodeToString(sum[:])}, 0, "more than its 484 bytes", 484},
		{"no size at all", &endless{}, File{}, 0, "does not say how large", maxUnannounced},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.server.content = small
			if c.server.status == 0 {
				c.server.status = http.StatusOK
			}
			server := httptest.NewServer(c.server)
			defer server.Close()
			dst := filepath.Join(t.TempDir(), "file")
			if c.begun > 0 {
				is := identity{Repository: "owner/name", Revision: "main", Name: "file", ETag: "one", Size: 484}
				if err := errors.Join(os.WriteFile(dst+incompleteSuffix, small[:c.begun], 0o600), is.write(dst)); err != nil {
					t.Fatal(err)
				}
			}
			c.file.Repository, c.file.Revision, c.file.Name = "owner/name", "main", "file"
			var most int64
			_, err := (&Client{Endpoint: server.URL}).Download(t.Context(), c.file, dst, func(p Progress) {
				if info, err := os.Stat(dst + incompleteSuffix); err == nil {
					most = max(most, info.Size(), p.Done)
				}
			})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
			if most > c.atMost {
				t.Errorf("%d bytes were written, want at most %d", most, c.atMost)
			}
			if _, err := os.Stat(dst); !os.IsNotExist(err) {
				t.Errorf("the file is there: %v", err)
			}
		})
	}
}

// TestRedirectsStaySafe: https never falls to http, and the token stays with the
// host that it is for, also when a redirect leads back there.
func TestRedirectsStaySafe(t *testing.T) {
	var mu sync.Mutex
	var tokens []string // of each request to the plain server
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		tokens = append(tokens, r.Header.Get("Authorization"))
		_, _ = w.Write([]byte("plain")) // the client sees what it sees
	}))
	defer plain.Close()
	secure := httptest.NewTLSServer(http.RedirectHandler(plain.URL+"/file", http.StatusFound))
	defer secure.Close()
	c := &Client{Endpoint: secure.URL, Token: "secret", HTTP: secure.Client()}
	_, err := c.Download(t.Context(), file, filepath.Join(t.TempDir(), "file"), nil)
	if err == nil || !strings.Contains(err.Error(), "redirects from https://") || len(tokens) != 0 {
		t.Errorf("from https to http: error %v, %d requests", err, len(tokens))
	}

	none := sha256.Sum256(nil)
	var back []string // tokens of the requests to home
	var away *httptest.Server
	home := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		back = append(back, r.Header.Get("Authorization"))
		if r.URL.Path != "/back" {
			w.Header().Set("X-Linked-Etag", hex.EncodeToString(none[:]))
			http.Redirect(w, r, away.URL, http.StatusFound)
		}
	}))
	defer home.Close()
	away = httptest.NewServer(http.RedirectHandler(home.URL+"/back", http.StatusFound))
	defer away.Close()
	c = &Client{Endpoint: home.URL, Token: "secret"}
	if _, err := c.Download(t.Context(), file, filepath.Join(t.TempDir(), "file"), nil); err != nil {
		t.Error(err)
	}
	for i, token := range back {
		if want := []string{"Bearer secret", ""}[i%2]; token != want {
			t.Errorf("request %d to the hub had the token %q, want %q", i, token, want)
		}
	}
}
