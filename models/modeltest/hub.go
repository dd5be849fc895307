package modeltest

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"
)

// Hub is a server on this machine that answers as the Hugging Face hub does: with the
// commit, and git's sum of small files and the SHA-256 of weights.
type Hub struct {
	URL string

	server *httptest.Server
	mu     sync.Mutex
	repos  map[string]*repository
	asked  int
	answer Answer
}

// repository has the files of each commit; the last commit is that of the branch main.
type repository struct {
	commits []string
	files   map[string]map[string][]byte
}

// Answer answers for a file in the place of a hub where it returns true.
type Answer func(w http.ResponseWriter, r *http.Request, file string) bool

// StartHub starts a hub without repositories.
func StartHub() *Hub {
	h := &Hub{repos: map[string]*repository{}}
	h.server = httptest.NewServer(h)
	h.URL = h.server.URL
	return h
}

// Close ends the hub, and what it answers.
func (h *Hub) Close() {
	h.server.CloseClientConnections()
	h.server.Close()
}

// Publish adds a commit to a repository, which it makes if need be, and returns its name.
func (h *Hub) Publish(name string, files map[string][]byte) (commit string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.repos[name]
	if r == nil {
		r = &repository{files: map[string]map[string][]byte{}}
		h.repos[name] = r
	}
	sum := sha1.Sum(fmt.Append(nil, name, len(r.commits)))
	commit = hex.EncodeToString(sum[:])
	r.commits, r.files[commit] = append(r.commits, commit), files
	return commit
}

// Mend replaces the files of the last commit, of which the hub said something else before.
func (h *Hub) Mend(name string, files map[string][]byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.repos[name]
	r.files[r.commits[len(r.commits)-1]] = files
}

// Answer has the hub ask a first whenever it is asked for a file; nil for nobody.
func (h *Hub) Answer(a Answer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.answer = a
}

// Asked is how many requests came.
func (h *Hub) Asked() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.asked
}

// BreakOff ends the connection on which a file is fetched in the middle, and refuses to go
// on.
func BreakOff(file string, content []byte) Answer {
	return func(w http.ResponseWriter, r *http.Request, name string) bool {
		if name != file || r.Method != http.MethodGet {
			return false
		}
		if r.Header.Get("Range") != "" {
			w.WriteHeader(http.StatusBadGateway)
			return true
		}
		w.Header().Set("Content-Length", fmt.Sprint(len(content)))
		_, _ = w.Write(content[:len(content)/2]) // the client sees what it sees
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
}

// Instead answers with a text in the place of a file: whenever it is asked about, or only
// where it is fetched.
func Instead(file, text string, always bool) Answer {
	return func(w http.ResponseWriter, r *http.Request, name string) bool {
		lies := name == file && (always || r.Method == http.MethodGet)
		if lies {
			_, _ = w.Write([]byte(text)) // the client sees what it sees
		}
		return lies
	}
}

// Lead redirects from other repositories to one.
func Lead(repository string) Answer {
	return func(w http.ResponseWriter, r *http.Request, file string) bool {
		lies := !strings.HasPrefix(r.URL.Path, "/"+repository+"/")
		if lies {
			http.Redirect(w, r, "/"+repository+"/resolve/main/"+file, http.StatusFound)
		}
		return lies
	}
}

// ServeHTTP implements http.Handler.
func (h *Hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	owner, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	name, rest, _ := strings.Cut(rest, "/resolve/")
	revision, file, _ := strings.Cut(rest, "/")
	h.mu.Lock()
	h.asked++
	repository, answer := h.repos[owner+"/"+name], h.answer
	var data []byte
	there := false
	if repository != nil {
		if revision == "main" {
			revision = repository.commits[len(repository.commits)-1]
		}
		data, there = repository.files[revision][file]
	}
	h.mu.Unlock()
	switch {
	case repository == nil:
		w.Header().Set("X-Error-Code", "RepoNotFound")
		http.NotFound(w, r)
	case answer != nil && answer(w, r, file):
	case !there:
		w.Header().Set("X-Error-Code", "EntryNotFound")
		http.NotFound(w, r)
	default:
		w.Header().Set("X-Repo-Commit", revision)
		if strings.HasSuffix(file, ".safetensors") {
			sum := sha256.Sum256(data)
			w.Header().Set("X-Linked-Etag", hex.EncodeToString(sum[:]))
		} else {
			sum := sha1.Sum(append(fmt.Appendf(nil, "blob %d\x00", len(data)), data...))
			w.Header().Set("ETag", `"`+hex.EncodeToString(sum[:])+`"`)
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
	}
}
