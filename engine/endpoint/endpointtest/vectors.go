package endpointtest

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
)

// Flavour is the program that a server of vectors and scores answers like.
type Flavour string

// The flavours, each with the JSON that its program documents.
const (
	Ollama   Flavour = "Ollama"
	LlamaCpp Flavour = "llama.cpp"
	VLLM     Flavour = "vLLM"
	TEI      Flavour = "text-embeddings-inference"
)

// Flavours are those that embed.
var Flavours = []Flavour{Ollama, LlamaCpp, VLLM, TEI}

// Fault is what a server of vectors does wrong.
type Fault string

// The faults of a server of vectors and scores.
const (
	None      Fault = ""
	Base64    Fault = "base64"    // none: vectors are sent as base64
	Shuffled  Fault = "shuffled"  // none: the last comes first, with its index
	Away      Fault = "away"      // ends connections without an answer
	Overload  Fault = "overload"  // fails with status 429 and asks for no pause
	WebPage   Fault = "web page"  // answers with HTML
	Fewer     Fault = "fewer"     // leaves the last one out
	Outside   Fault = "outside"   // an index that was not asked
	Twice     Fault = "twice"     // an index twice
	Null      Fault = "null"      // a null for a number
	Huge      Fault = "huge"      // a number that no float32 holds
	Zeros     Fault = "zeros"     // a vector without a direction
	Ragged    Fault = "ragged"    // vectors of two lengths
	Longer    Fault = "longer"    // vectors of another length than before
	Truncated Fault = "truncated" // ends in the middle of the body
	Stall     Fault = "stall"     // sends half of the body and then nothing
	Reported  Fault = "reported"  // an error with status 200
	Picky     Fault = "picky"     // fails with status 500 for texts above 600 bytes
	Moved     Fault = "moved"     // a redirect to another host
)

// Vectors is a server that embeds and reranks until it is closed. Its vectors are made of
// the words of a text, so that texts that share some are close.
type Vectors struct {
	URL string // that settings name

	http    *httptest.Server
	flavour Flavour

	mu     sync.Mutex
	fault  Fault
	left   int // requests that the fault is still for; below 0 all
	model  string
	texts  []string
	keys   []string
	asked  int
	stalls chan struct{}
}

// vectorDim is the length of a vector.
const vectorDim = 48

// StartVectors starts a server on this machine.
func StartVectors(f Flavour) *Vectors {
	s := &Vectors{flavour: f, model: "first", stalls: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/embeddings", s.serve(s.embed))
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) { write(w, `{"object":"list","data":[{"id":"m"}]}`) })
	switch f {
	case TEI:
		mux.HandleFunc("POST /rerank", s.serve(s.rerankTexts))
	case LlamaCpp, VLLM:
		mux.HandleFunc("POST /v1/rerank", s.serve(s.rerank))
	}
	s.http = httptest.NewServer(mux)
	s.URL = s.http.URL + "/v1"
	return s
}

// Root is the address without /v1, where text-embeddings-inference reranks.
func (s *Vectors) Root() string { return s.http.URL }

// Close ends the server and what it answers.
func (s *Vectors) Close() {
	close(s.stalls)
	s.http.CloseClientConnections()
	s.http.Close()
}

// Break gives the server a fault, for so many requests; below 0 for all.
func (s *Vectors) Break(f Fault, requests int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault, s.left = f, requests
}

// Become puts another model behind the name.
func (s *Vectors) Become(model string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.model = model
}

// Asked is how many requests came, and all texts that were in them.
func (s *Vectors) Asked() (requests int, texts []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked, slices.Clone(s.texts)
}

// Keys are the headers Authorization that came.
func (s *Vectors) Keys() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.keys)
}

// Forget forgets what was asked.
func (s *Vectors) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked, s.texts, s.keys = 0, nil, nil
}

// request is the body of any request.
type request struct {
	Model      string
	Input      []string
	Dimensions int
	Query      string
	Documents  []string
	Texts      []string
}

// serve reads a request and does what is wrong before an answer is made.
func (s *Vectors) serve(answer func(request, Fault) string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var ask request
		data, err := io.ReadAll(r.Body)
		if err != nil || json.Unmarshal(data, &ask) != nil {
			http.Error(w, "want a request", http.StatusBadRequest)
			return
		}
		s.mu.Lock()
		s.asked++
		s.texts = append(s.texts, slices.Concat(ask.Input, ask.Documents, ask.Texts)...)
		s.keys = append(s.keys, r.Header.Get("Authorization"))
		fault := s.fault
		switch {
		case s.left == 0:
			fault = None
		case s.left > 0:
			s.left--
		}
		s.mu.Unlock()
		if s.refuse(w, ask, fault) {
			return
		}
		body := answer(ask, fault)
		switch fault {
		case Truncated:
			w.Header().Set("Content-Length", fmt.Sprint(len(body)))
			write(w, body[:len(body)/2])
			panic(http.ErrAbortHandler)
		case Stall:
			write(w, body[:len(body)/2])
			select {
			case <-r.Context().Done():
			case <-s.stalls:
			}
		default:
			write(w, body)
		}
	}
}

// refuse answers with a failure where the fault, or the request, is one.
func (s *Vectors) refuse(w http.ResponseWriter, ask request, fault Fault) bool {
	fail := func(status int, body string) bool {
		w.WriteHeader(status)
		write(w, body)
		return true
	}
	switch {
	case fault == Away:
		panic(http.ErrAbortHandler)
	case fault == Overload:
		return fail(http.StatusTooManyRequests, `{"error":{"message":"slow down"}}`)
	case fault == WebPage:
		return fail(http.StatusOK, "<!doctype html><title>Welcome</title>")
	case fault == Reported:
		return fail(http.StatusOK, `{"error":{"message":"out of memory"}}`)
	case fault == Moved:
		w.Header().Set("Location", "http://elsewhere.example/v1/embeddings")
		return fail(http.StatusTemporaryRedirect, "")
	case fault == Picky && slices.ContainsFunc(ask.Input, func(t string) bool { return len(t) > 600 }):
		return fail(http.StatusInternalServerError, `{"error":{"code":500,"message":"input is too large to process. increase the physical batch size","type":"server_error"}}`)
	case s.flavour == TEI && len(ask.Input)+len(ask.Texts) > 32:
		return fail(http.StatusUnprocessableEntity, `{"error":"batch size 33 > maximum allowed batch size 32","error_type":"Validation"}`)
	case s.flavour == TEI && len(ask.Documents) > 0:
		return fail(http.StatusUnprocessableEntity, "Failed to deserialize the JSON body into the target type: missing field `texts` at line 1 column 61")
	}
	return false
}

// Vector is what the server makes of a text, of length 1.
func (s *Vectors) Vector(text string) []float32 {
	s.mu.Lock()
	model := s.model
	s.mu.Unlock()
	v := make([]float32, vectorDim)
	v[0] = .1 // of a text without words
	for _, word := range words(text) {
		h := fnv.New64a()
		_, _ = io.WriteString(h, model+" "+word) // never fails
		sum := h.Sum64()
		for range 4 {
			v[sum%vectorDim] += float32(int(sum>>8&1)*2 - 1)
			sum >>= 12
		}
	}
	norm := 0.0
	for _, x := range v {
		norm += float64(x * x)
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(norm))
	}
	return v
}

func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r < 'a' || r > 'z' })
}

// embed answers a request for vectors.
func (s *Vectors) embed(ask request, fault Fault) string {
	var data []string
	for i, text := range ask.Input {
		v := s.Vector(text)
		if ask.Dimensions > 0 {
			v = v[:ask.Dimensions]
		}
		switch {
		case fault == Longer, fault == Ragged && i == 0:
			v = append(v, .5)
		case fault == Zeros:
			v = make([]float32, len(v))
		}
		data = append(data, embedding(v, place(i, len(ask.Input), fault), fault))
	}
	data = arrange(data, fault)
	list := strings.Join(data, ",")
	switch s.flavour {
	case LlamaCpp:
		return `{"model":"m","object":"list","usage":{"prompt_tokens":9,"total_tokens":9},"data":[` + list + `]}`
	case VLLM:
		return `{"id":"embd-1","object":"list","created":1700000000,"model":"m","data":[` + list + `],"usage":{"prompt_tokens":9,"total_tokens":9,"completion_tokens":0,"prompt_tokens_details":null}}`
	}
	return `{"object":"list","data":[` + list + `],"model":"m","usage":{"prompt_tokens":9,"total_tokens":9}}`
}

// embedding is a vector in an answer.
func embedding(v []float32, index int, fault Fault) string {
	numbers := quoted64(v)
	if fault != Base64 {
		numbers = string(must(json.Marshal(v)))
	}
	switch fault {
	case Null:
		numbers = "[null," + numbers[1:]
	case Huge:
		numbers = "[1e300," + numbers[1:]
	}
	return fmt.Sprintf(`{"object":"embedding","embedding":%s,"index":%d}`, numbers, index)
}

// place is the index that an answer has.
func place(i, n int, fault Fault) int {
	switch {
	case fault == Outside && i == n-1:
		return n
	case fault == Twice:
		return 0
	}
	return i
}

// arrange orders, and leaves out, what is answered.
func arrange(list []string, fault Fault) []string {
	switch fault {
	case Shuffled:
		slices.Reverse(list)
	case Fewer:
		return list[:len(list)-1]
	}
	return list
}

// rerank answers a request for scores like Jina: probabilities of vLLM, logits of llama.cpp.
func (s *Vectors) rerank(ask request, fault Fault) string {
	var list []string
	for i, text := range ask.Documents {
		p := share(ask.Query, text)
		if s.flavour == LlamaCpp {
			p = 16*p - 8
		}
		score := string(must(json.Marshal(p)))
		if fault == Null {
			score = "null"
		}
		item := fmt.Sprintf(`{"index":%d,"relevance_score":%s}`, place(i, len(ask.Documents), fault), score)
		if s.flavour == VLLM {
			item = fmt.Sprintf(`{"index":%d,"document":{"text":%s},"relevance_score":%s}`, place(i, len(ask.Documents), fault), quoted(text), score)
		}
		list = append(list, item)
	}
	list = arrange(list, fault)
	return `{"id":"rerank-1","model":"m","usage":{"total_tokens":9},"results":[` + strings.Join(list, ",") + `]}`
}

// rerankTexts answers one like text-embeddings-inference.
func (s *Vectors) rerankTexts(ask request, fault Fault) string {
	var list []string
	for i, text := range ask.Texts {
		list = append(list, fmt.Sprintf(`{"index":%d,"score":%s}`, place(i, len(ask.Texts), fault), must(json.Marshal(share(ask.Query, text)))))
	}
	return "[" + strings.Join(arrange(list, fault), ",") + "]"
}

// share is the part of the words of a query that a text has, between .001 and .999.
func share(query, text string) float64 {
	asked, has, n := words(query), words(text), 0
	for _, word := range asked {
		if slices.Contains(has, word) {
			n++
		}
	}
	return .001 + .998*float64(n)/float64(max(len(asked), 1))
}

// quoted64 is a vector as base64 of float32 in little endian.
func quoted64(v []float32) string {
	var raw []byte
	for _, x := range v {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
	}
	return `"` + base64.StdEncoding.EncodeToString(raw) + `"`
}

// must is for what can always be written.
func must(data []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return data
}
