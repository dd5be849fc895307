package endpointtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"
)

// The models of a server. Any other name is a model that it does not know.
const (
	Good    = "good"    // writes the server's text, a word at a time
	Whole   = "whole"   // the same at once, without a stream
	Slow    = "slow"    // the same, with a pause after each word
	Silent  = "silent"  // never answers
	Stuck   = "stuck"   // writes half of the text and then nothing more
	Dying   = "dying"   // writes half of the text and ends the connection
	Garbage = "garbage" // sends bytes
	Busy    = "busy"    // fails with status 503
	Mute    = "mute"    // answers with no text
)

// Server answers requests until it is closed.
type Server struct {
	URL string // that settings name, with /v1

	http *httptest.Server
	text string

	mu    sync.Mutex
	asked []Asked
	gone  int
}

// Asked is a request that a server got.
type Asked struct {
	Model    string
	Key      string // of the header Authorization
	Messages []struct{ Role, Content string }
}

// pause is how long the model Slow takes for a word.
const pause = 100 * time.Millisecond

// Start starts a server on this machine whose models write text.
func Start(text string) *Server {
	s := &Server{text: text}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.chat)
	mux.HandleFunc("GET /v1/models", s.models)
	s.http = httptest.NewServer(mux)
	s.URL = s.http.URL + "/v1"
	return s
}

// Close ends the server and what it answers.
func (s *Server) Close() {
	s.http.CloseClientConnections()
	s.http.Close()
}

// Asked returns what was asked so far.
func (s *Server) Asked() []Asked {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Asked(nil), s.asked...)
}

// Gone is how many clients went away before their reply was complete.
func (s *Server) Gone() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.gone
}

func (s *Server) models(w http.ResponseWriter, _ *http.Request) {
	write(w, fmt.Sprintf(`{"data":[{"id":%q},{"id":%q}]}`, Good, Slow))
}

func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	var ask Asked
	data, err := io.ReadAll(r.Body)
	if err != nil || json.Unmarshal(data, &ask) != nil {
		http.Error(w, "want a request", http.StatusBadRequest)
		return
	}
	ask.Key = r.Header.Get("Authorization")
	s.mu.Lock()
	s.asked = append(s.asked, ask)
	s.mu.Unlock()
	defer func() {
		if r.Context().Err() != nil {
			s.mu.Lock()
			s.gone++
			s.mu.Unlock()
		}
	}()
	s.reply(w, r, ask.Model)
}

func (s *Server) reply(w http.ResponseWriter, r *http.Request, model string) {
	words := strings.SplitAfter(s.text, " ")
	half := words[:len(words)/2]
	switch model {
	case Good:
		speak(w, r, words, 0)
		write(w, "data: [DONE]\n\n")
	case Slow:
		speak(w, r, words, pause)
		write(w, "data: [DONE]\n\n")
	case Whole:
		write(w, fmt.Sprintf(`{"choices":[{"message":{"content":%s},"finish_reason":"stop"}],"usage":{"prompt_tokens":100,"completion_tokens":%d}}`, quoted(s.text), len(words)))
	case Mute:
		write(w, "data: [DONE]\n\n")
	case Silent:
		<-r.Context().Done()
	case Stuck:
		speak(w, r, half, 0)
		<-r.Context().Done()
	case Dying:
		speak(w, r, half, 0)
		panic(http.ErrAbortHandler)
	case Garbage:
		write(w, "data: \x00\xff\x1b[2J<garbage>\n\n")
	case Busy:
		w.WriteHeader(http.StatusServiceUnavailable)
		write(w, `{"error":{"message":"the model is being loaded"}}`)
	default:
		w.WriteHeader(http.StatusNotFound)
		write(w, fmt.Sprintf(`{"error":{"message":"model %s not found"}}`, model))
	}
}

// speak streams words.
func speak(w http.ResponseWriter, r *http.Request, words []string, pause time.Duration) {
	for _, word := range words {
		write(w, fmt.Sprintf("data: {\"choices\":[{\"delta\":{\"content\":%s}}]}\n\n", quoted(word)))
		select {
		case <-r.Context().Done():
			return
		case <-time.After(pause):
		}
	}
}

func quoted(text string) []byte {
	data, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string can be written
	}
	return data
}

// write sends text at once; the client may be gone.
func write(w http.ResponseWriter, text string) {
	_, _ = io.WriteString(w, text)
	w.(http.Flusher).Flush()
}
