package endpoint

import (
	"context"
	"errors"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"dowse/internal/testwait"
)

// hang keeps a request open until its client is gone.
func hang(r *http.Request) {
	select {
	case <-r.Context().Done():
	case <-time.After(2 * testwait.Patience):
	}
}

// then answers with events and goes on.
func then(events string, after http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { stream(events)(w, r); after(w, r) }
}

func status(code int, kind, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(code)
		write(w, body)
	}
}

// endless sends text until the client is gone.
func endless(text string, pause time.Duration) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			write(w, text)
			select {
			case <-r.Context().Done():
			case <-time.After(pause):
			}
		}
	}
}

// die ends the connection without a word.
func die(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// badServers are what servers do, what is said of it, and the text until then.
var badServers = map[string]struct {
	does http.HandlerFunc
	says string
	text string
}{
	"hangs before headers":     {func(_ http.ResponseWriter, r *http.Request) { hang(r) }, "did not answer in time", ""},
	"hangs after headers":      {func(w http.ResponseWriter, r *http.Request) { write(w, ""); hang(r) }, "did not answer in time", ""},
	"hangs midway":             {then(delta("Ken wrote "), func(_ http.ResponseWriter, r *http.Request) { hang(r) }), "did not answer in time", "Ken wrote "},
	"dies before headers":      {die, "ended the connection", ""},
	"dies midway":              {then(delta("Ken wrote "), die), "middle of the answer", "Ken wrote "},
	"ends midway":              {stream(delta("Ken wrote ")), "middle of the answer", "Ken wrote "},
	"ends in an event":         {stream(delta("Ken wrote ") + `data: {"choices":[{"del`), "middle of the answer", "Ken wrote "},
	"ends in one object":       {stream(`{"choices":[{"message":{"content":"Ken`), "no chat completion", ""},
	"says nothing":             {stream(""), "without an answer", ""},
	"sends garbage":            {stream("\x00\x01\x02 garbage \xff\n\n\n"), "middle of the answer", ""},
	"sends garbage as data":    {stream("data: \x1b[2Jgarbage \xff\n\n"), `no chat completion: "[2Jgarbage`, ""},
	"sends lists":              {stream("data: [1, 2]\n\n"), "no chat completion", ""},
	"sends other types":        {stream(`data: {"choices":[{"delta":{"content":7}}]}` + "\n\n"), "no chat completion", ""},
	"sends a web page":         {status(200, "text/html", "<!DOCTYPE html><html><body>Welcome</body></html>"), "web page", ""},
	"sends a web page as data": {stream("data: <html>\n\n"), "web page", ""},
	"reports an error midway":  {stream(delta("Ken ") + "data: {\"error\":{\"message\":\"out of\\u001b[31m memory\"}}\n\n"), "it reports: out of [31m memory", "Ken "},
	"reports an error at once": {stream(`{"error":"model is loading"}`), "it reports: model is loading", ""},
	"401":                      {status(401, "application/json", `{"error":{"message":"Invalid API key","type":"auth"}}`), "wants a key (status 401): Invalid API key", ""},
	"404":                      {status(404, "application/json", `{"error":"model \"small\" not found, try pulling it"}`), `knows no model small, or nothing at /v1 (status 404): model "small" not found`, ""},
	"404 as a page":            {status(404, "text/html", "<h1>Not found</h1>"), "usually ends in /v1", ""},
	"429":                      {status(429, "application/json", `{"detail":"slow down"}`), "takes no more questions for now (status 429): slow down", ""},
	"500":                      {status(500, "application/json", `{"message":"`+strings.Repeat("oops ", 1000)+`"}`), "it failed (status 500): oops", ""},
	"502 as a page":            {status(502, "text/html", "<h1>Bad gateway</h1>"), "it failed (status 502)", ""},
	"nested errors":            {status(500, "application/json", strings.Repeat(`{"error":`, 5000)+`"x"`+strings.Repeat("}", 5000)), "it failed (status 500)", ""},
	"endless comments":         {endless(": still here\n", 10*time.Millisecond), "did not answer in time", ""},
	"endless pings":            {endless("data: {}\n\n", 10*time.Millisecond), "did not end within 5s", ""},
	"a flood":                  {endless("data: {\"x\":\""+strings.Repeat("y", 30<<10)+"\"}\n\n", 0), "far more than an answer", ""},
	"a line without end":       {endless(strings.Repeat("x", 32<<10), 0), "event that is far larger", ""},
	"one object without end":   {then("{\"choices\": [", endless(strings.Repeat("x", 32<<10), 0)), "far more than an answer", ""},
	"spaces without end":       {endless(strings.Repeat(" ", 32<<10), 0), "far more than an answer", ""},
	"an event of 100 MB": {func(w http.ResponseWriter, r *http.Request) {
		write(w, delta("Ken ")+"data: {\"choices\":[{\"delta\":{\"content\":\"")
		megabyte := strings.Repeat("a", 1<<20)
		for range 100 {
			if r.Context().Err() == nil {
				write(w, megabyte)
			}
		}
		write(w, "\"}}]}\n\n"+done)
	}, "event that is far larger", "Ken "},
}

// TestBadServers meets servers of every kind: each is an error soon that says
// what happened, and nothing is left of the request.
func TestBadServers(t *testing.T) {
	for name, c := range badServers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := serve(t, c.does)
			begun := time.Now()
			_, text, err := chat(t.Context(), t, brief(server.URL))
			if err == nil || !strings.Contains(err.Error(), c.says) || text != c.text {
				t.Errorf("after %q: %v; want it to say %q after %q", text, err, c.says, c.text)
			}
			if err != nil && (len(err.Error()) > 500 || strings.ContainsAny(err.Error(), "\x1b\n")) {
				t.Errorf("the error is no sentence: %q", err)
			}
			if took := time.Since(begun); took > testwait.Patience {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// TestEndlessText: a server that writes on and on is cut, and that is no error.
func TestEndlessText(t *testing.T) {
	server := serve(t, endless(delta("and on "), time.Millisecond))
	reply, _, err := chat(t.Context(), t, brief(server.URL))
	if err != nil || !reply.Cut || len(reply.Text) != 2<<10 {
		t.Errorf("%d bytes, cut %t, %v", len(reply.Text), reply.Cut, err)
	}
}

// TestHangsAfterTheAnswer: an answer that is complete is not lost to a server
// that keeps its connection.
func TestHangsAfterTheAnswer(t *testing.T) {
	for name, after := range map[string]http.HandlerFunc{
		"silent": func(_ http.ResponseWriter, r *http.Request) { hang(r) },
		"pings":  endless(": ping\n\n", 20*time.Millisecond),
		"dies":   die,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := brief(serve(t, then(delta("Ken. [1]")+stops, after)).URL)
			o.Whole = time.Minute
			begun := time.Now()
			reply, _, err := chat(t.Context(), t, o)
			if took := time.Since(begun); err != nil || reply.Text != "Ken. [1]" || took > testwait.Patience {
				t.Errorf("%+v, %v after %v", reply, err, took)
			}
		})
	}
}

// TestRedirectsAreRefused: neither the question nor the key go anywhere else.
func TestRedirectsAreRefused(t *testing.T) {
	other := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("the other server was asked") })
	for _, code := range []int{301, 302, 303, 307, 308} {
		server := serve(t, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL+"/v1/chat/completions", code)
		})
		_, _, err := chat(t.Context(), t, brief(server.URL))
		if err == nil || !strings.Contains(err.Error(), "sent on to "+other.URL) {
			t.Errorf("%d: %v", code, err)
		}
	}
}

// TestCancelEndsAtOnce cancels in each phase; the server notices.
func TestCancelEndsAtOnce(t *testing.T) {
	for name, before := range map[string]string{"before headers": "", "midway": delta("Ken ")} {
		gone, asked := make(chan struct{}), make(chan struct{})
		server := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if before != "" {
				write(w, before)
			}
			close(asked)
			hang(r)
			close(gone)
		})
		o := brief(server.URL)
		o.First, o.Idle, o.Whole = time.Minute, time.Minute, time.Minute
		ctx, cancel := context.WithCancel(t.Context())
		client, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		if before == "" {
			go func() { <-asked; cancel() }()
		}
		_, err = client.Chat(ctx, Request{Messages: []Message{{"user", "who wrote grep?"}}, MaxTokens: 32}, func(string) error {
			go cancel() // while it waits for more
			return nil
		})
		if !errors.Is(err, context.Canceled) { // the patience of o would end in another error
			t.Errorf("%s: %v", name, err)
		}
		select {
		case <-gone:
		case <-time.After(testwait.Patience):
			t.Errorf("%s: the server still waits", name)
		}
	}
}

// TestNobodyThere asks a port that nobody listens on, and a name that is none.
func TestNobodyThere(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := "http://" + listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := chat(t.Context(), t, brief(address)); err == nil || !strings.Contains(err.Error(), "no server answers at "+address) {
		t.Error(err)
	}
}

// TestLocalStaysLocal: a name that leads elsewhere is refused when its address
// is known, before a byte is sent.
func TestLocalStaysLocal(t *testing.T) {
	o := brief("http://192.0.2.1:9") // RFC 5737: nobody has it
	if _, _, err := chat(t.Context(), t, o); err == nil || !strings.Contains(err.Error(), "192.0.2.1, which is not this machine") {
		t.Error(err)
	}
	for host, want := range map[string]bool{
		"localhost": true, "LOCALHOST.": true, "x.localhost": true, "127.0.0.1": true, "127.9.9.9": true, "::1": true,
		"localhost.example": false, "notlocalhost": false, "10.0.0.1": false, "0.0.0.0": false, "": false, "127.0.0.1.example": false,
	} {
		if IsLocal(host) != want {
			t.Errorf("%q: %t", host, !want)
		}
	}
}

// TestNothingIsLeft counts goroutines after requests of every end.
func TestNothingIsLeft(t *testing.T) {
	good := brief(serve(t, stream(delta("Ken."), stops, done)).URL)
	slow := brief(serve(t, func(_ http.ResponseWriter, r *http.Request) { hang(r) }).URL)
	slow.First = 100 * time.Millisecond
	ask := func() {
		_, _, _ = chat(t.Context(), t, good)
		_, _, _ = chat(t.Context(), t, slow)
	}
	ask() // what the servers themselves start
	before := runtime.NumGoroutine()
	for range 5 {
		ask()
	}
	if !testwait.For(testwait.Patience, func() bool { return runtime.NumGoroutine() <= before }) {
		t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
	}
}
