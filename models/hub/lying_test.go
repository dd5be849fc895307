package hub

import (
	"bytes"
	"context"
	"crypto/sha1"
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
	"time"
)

// honest answers for a file as hubs do; of small ones they say git's sum, of large ones the
// SHA-256.
func honest(w http.ResponseWriter, r *http.Request, content []byte, large bool) {
	w.Header().Set("X-Repo-Commit", strings.Repeat("0c", sha1.Size))
	if large {
		sum := sha256.Sum256(content)
		w.Header().Set("X-Linked-Etag", `"`+hex.EncodeToString(sum[:])+`"`)
		w.Header().Set("X-Linked-Size", fmt.Sprint(len(content)))
	} else {
		sum := sha1.Sum(append(fmt.Appendf(nil, "blob %d\x00", len(content)), content...))
		w.Header().Set("ETag", `"`+hex.EncodeToString(sum[:])+`"`)
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}

// liar lies to requests of a method, the first lies times, and is honest otherwise.
type liar struct {
	content []byte
	large   bool
	method  string
	lie     http.HandlerFunc

	mu   sync.Mutex
	lies int
}

func (l *liar) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	lies := l.lies > 0 && (l.method == "" || r.Method == l.method)
	if lies {
		l.lies--
	}
	l.mu.Unlock()
	if lies {
		l.lie(w, r)
		return
	}
	honest(w, r, l.content, l.large)
}

const loginPage = "\n<!DOCTYPE html><html><body>Please log in.</body></html>"

// lies are what a hub, or what stands before it, may answer on a bad day, and what the
// person is told; "" where nobody notices, since it is asked again.
func lies(content []byte, elsewhere string) map[string]struct {
	method string
	lie    http.HandlerFunc
	want   string
} {
	other := bytes.Repeat([]byte("?"), len(content))
	page := func(kind string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			fmt.Fprint(w, loginPage+strings.Repeat(" ", len(content)-len(loginPage)))
		}
	}
	redirect := func(to string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusFound) }
	}
	return map[string]struct {
		method string
		lie    http.HandlerFunc
		want   string
	}{
		"other bytes": {http.MethodGet, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(other) }, "is not the file that was published"},
		"a shorter file": {http.MethodGet, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "9")
			_, _ = w.Write(content[:9])
		}, "9 bytes instead of"},
		"a longer file":          {http.MethodGet, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(append(other, '?')) }, "sends more than its"},
		"a page":                 {http.MethodGet, page("text/html; charset=utf-8"), "does this network want a login"},
		"a page that says it is": {http.MethodGet, page("application/json"), "does this network want a login"},
		"a page from the start":  {"", page("text/html"), "does this network want a login"},
		"a part that nobody asked for": {http.MethodGet, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Range", fmt.Sprintf("bytes 5-%d/%d", len(content)-1, len(content)))
			w.WriteHeader(http.StatusPartialContent)
			_, _ = w.Write(content[5:])
		}, "a part came"},
		"another repository": {"", redirect("/other/name/resolve/main/sub/file.bin"), `the hub has "other/name" in its place`},
		"a cached one":       {"", redirect("/api/resolve-cache/models/other/name/main/sub/file.bin"), `the hub has "other/name" in its place`},
		"itself":             {"", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.String(), http.StatusFound) }, "redirects more than"},
		"elsewhere":          {"", redirect(elsewhere + "/file"), "set HF_ENDPOINT to it"},
		"elsewhere, later":   {http.MethodGet, redirect(elsewhere + "/file"), "is not the file that was published"},
		"no address":         {"", redirect("http://[::1"), "set HF_ENDPOINT"},
		"that it is busy":    {"", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }, "run the command again later"},
		"nothing":            {"", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }, "see that HF_ENDPOINT"},
		"an end in the middle": {http.MethodGet, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(len(content)))
			_, _ = w.Write(content[:9])
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}, ""},
	}
}

// TestAHubThatLiesOnce: what is there afterwards is what was asked for, or nothing, and the
// next download brings it.
func TestAHubThatLiesOnce(t *testing.T) {
	content := content()[:2000]
	evil := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(bytes.Repeat([]byte("!"), len(content)))
	}))
	defer evil.Close()
	for name, c := range lies(content, evil.URL) {
		for _, large := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/%v", name, large), func(t *testing.T) {
				hub := &liar{content: content, large: large, method: c.method, lie: c.lie, lies: 1}
				if c.method == "" {
					hub.lies = maxRedirects
				}
				server := httptest.NewServer(hub)
				defer server.Close()
				dst := filepath.Join(t.TempDir(), "file")
				client := &Client{Endpoint: server.URL}
				_, err := client.Download(t.Context(), file, dst, nil)
				if c.want == "" {
					if err != nil {
						t.Fatal(err)
					}
					requireFile(t, dst, content)
					return
				}
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("error %v, want one with %q", err, c.want)
				}
				if _, err := os.Stat(dst); !errors.Is(err, os.ErrNotExist) {
					t.Errorf("a file is there: %v", err)
				}
				hub.lies = 0
				if _, err := client.Download(t.Context(), file, dst, nil); err != nil {
					t.Fatalf("the next one: %v", err)
				}
				requireFile(t, dst, content)
			})
		}
	}
}

// TestAPartIsOfOneFile: what an interrupted download left is used for the same file alone,
// and so is a file that is complete.
func TestAPartIsOfOneFile(t *testing.T) {
	old, now := bytes.Repeat([]byte("old "), 500), bytes.Repeat([]byte("now "), 500)
	for name, c := range map[string]struct {
		large    bool
		then     []byte // what the hub has at the second download
		complete bool
		reused   bool
	}{
		"the same, broken off":    {false, old, false, true},
		"another, broken off":     {false, now, false, false},
		"large, broken off":       {true, old, false, true},
		"another large":           {true, now, false, false},
		"the same, complete":      {false, old, true, true},
		"another, complete":       {false, now, true, false},
		"another large, complete": {true, now, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			content := old
			var asked []string
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodGet {
					asked = append(asked, r.Header.Get("Range"))
					if !c.complete && len(asked) == 1 {
						w.Header().Set("Content-Length", fmt.Sprint(len(content)))
						_, _ = w.Write(content[:1000])
						w.(http.Flusher).Flush()
						<-r.Context().Done()
						return
					}
				}
				honest(w, r, content, c.large)
			}))
			defer server.Close()
			dst := filepath.Join(t.TempDir(), "file")
			client := &Client{Endpoint: server.URL}
			ctx, cancel := context.WithCancel(t.Context())
			if _, err := client.Download(ctx, file, dst, func(p Progress) {
				if !c.complete && p.Done == 1000 {
					cancel()
				}
			}); (err == nil) != c.complete {
				t.Fatal(err)
			}
			cancel()
			asked, content = append(asked[:0], ""), c.then
			if _, err := client.Download(t.Context(), file, dst, nil); err != nil {
				t.Fatal(err)
			}
			requireFile(t, dst, c.then)
			reused := len(asked) == 1 || asked[1] == "bytes=1000-"
			if reused != c.reused {
				t.Errorf("asked for %q", asked[1:])
			}
		})
	}
}

// TestAWrongPart: a part that does not follow on what is there is not put behind it.
func TestAWrongPart(t *testing.T) {
	content := content()[:2000]
	for _, says := range []string{"bytes 5-1999/2000", "bytes 1000-1999/5000", "none"} {
		hub := &liar{content: content, method: http.MethodGet, lies: 1, lie: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Range", says)
			w.WriteHeader(http.StatusPartialContent)
			_, _ = w.Write(bytes.Repeat([]byte("?"), 1000))
		}}
		server := httptest.NewServer(hub)
		defer server.Close()
		dst := filepath.Join(t.TempDir(), "file")
		git := sha1.Sum(append([]byte("blob 2000\x00"), content...))
		is := identity{file.Repository, file.Revision, file.Name, "", hex.EncodeToString(git[:]), 2000}
		if err := errors.Join(os.WriteFile(dst+incompleteSuffix, content[:1000], 0o600), is.write(dst)); err != nil {
			t.Fatal(err)
		}
		if _, err := (&Client{Endpoint: server.URL}).Download(t.Context(), file, dst, nil); err != nil || hub.lies != 0 {
			t.Fatalf("%s: %v, %d lies left", says, err, hub.lies)
		}
		requireFile(t, dst, content)
	}
}

// TestAMissingFileIsSaidToMiss: a hub that says commits says of a missing file that it is
// missing; a bare 404 may come from anything on the way.
func TestAMissingFileIsSaidToMiss(t *testing.T) {
	code := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/absent") {
			w.Header().Set("X-Error-Code", code)
			http.NotFound(w, r)
			return
		}
		honest(w, r, content(), false)
	}))
	defer server.Close()
	client := &Client{Endpoint: server.URL}
	if commit, err := client.Commit(t.Context(), file); err != nil || commit != strings.Repeat("0c", sha1.Size) {
		t.Errorf("commit %q, %v", commit, err)
	}
	missing := file
	missing.Name = "absent"
	dst := filepath.Join(t.TempDir(), "file")
	if _, err := client.Download(t.Context(), missing, dst, nil); err == nil || errors.Is(err, ErrNotFound) {
		t.Errorf("a bare 404: %v", err)
	}
	code = "EntryNotFound"
	if _, err := client.Download(t.Context(), missing, dst, nil); !errors.Is(err, ErrNotFound) {
		t.Errorf("one that says what is missing: %v", err)
	}
	other := file
	other.Revision = strings.Repeat("0d", sha1.Size)
	if _, err := client.Download(t.Context(), other, dst, nil); err == nil || !strings.Contains(err.Error(), "answers from the commit 0c0c") {
		t.Errorf("another commit: %v", err)
	}
}

// TestStall: silence and a trickle end with a word, after the limit and not before.
func TestStall(t *testing.T) {
	content := content()
	for name, c := range map[string]struct {
		at    string // the method that stalls
		drips bool
		want  string
	}{
		"no answer":  {http.MethodHead, false, "nothing came within 600ms"},
		"no bytes":   {http.MethodGet, false, "nothing came within 600ms"},
		"drip, drip": {http.MethodGet, true, " B came within 600ms"},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method != c.at {
					honest(w, r, content, true)
					return
				}
				if c.drips {
					w.Header().Set("Content-Length", fmt.Sprint(len(content)))
				}
				for i := 0; ; i++ {
					if c.drips {
						_, _ = w.Write(content[i : i+1])
						w.(http.Flusher).Flush()
					}
					select {
					case <-r.Context().Done():
						return
					case <-time.After(20 * time.Millisecond):
					}
				}
			}))
			defer server.Close()
			var last Progress
			quiet := time.Duration(0)
			client := &Client{Endpoint: server.URL, Stall: 600 * time.Millisecond}
			_, err := client.Download(t.Context(), file, filepath.Join(t.TempDir(), "file"), func(p Progress) {
				last, quiet = p, max(quiet, p.Quiet)
			})
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "to go on from there") {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
			if c.drips && (last.Rate <= 0 || last.Rate > slowest) || !c.drips && quiet < 100*time.Millisecond {
				t.Errorf("told %+v, %v without a byte", last, quiet)
			}
		})
	}
}
