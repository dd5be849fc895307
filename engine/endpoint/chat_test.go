package endpoint

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestChatAsksAndStreams(t *testing.T) {
	var asked struct {
		completion
		path, key string
	}
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked.path, asked.key = r.URL.Path, r.Header.Get("Authorization")
		data, err := io.ReadAll(r.Body)
		if err != nil || json.Unmarshal(data, &asked.completion) != nil {
			t.Errorf("the request is %q, %v", data, err)
		}
		stream(": wait\n\n", delta(""), delta("Ken wrote "), delta("grep. [2]"), stops,
			"data: {\"choices\":[],\"usage\":{\"prompt_tokens\":120,\"completion_tokens\":9}}\n\n", done)(w, r)
	})
	o := brief(server.URL)
	o.URL, o.Key = server.URL+"/v1/", "secret"
	reply, _, err := chat(t.Context(), t, o)
	if err != nil || reply.Text != "Ken wrote grep. [2]" || reply.PromptTokens != 120 || reply.Tokens != 9 || reply.Cut || reply.First <= 0 || reply.Took < reply.First {
		t.Errorf("%+v, %v", reply, err)
	}
	if asked.path != "/v1/chat/completions" || asked.key != "Bearer secret" || asked.Model != "small" || !asked.Stream ||
		asked.MaxTokens != 32 || asked.Temperature != 0 || len(asked.Messages) != 1 || asked.Messages[0].Role != "user" {
		t.Errorf("the server was asked %+v", asked)
	}
}

// TestGoodReplies are forms that servers give a reply.
func TestGoodReplies(t *testing.T) {
	for name, c := range map[string]struct {
		body, want string
		cut        bool
	}{
		"one object":         {body: `{"choices":[{"message":{"role":"assistant","content":"Ken. [1]"},"finish_reason":"stop"}],"usage":{"completion_tokens":3}}`, want: "Ken. [1]"},
		"no end of the list": {body: delta("Ken.") + stops, want: "Ken."},
		"no finish":          {body: delta("Ken.") + done, want: "Ken."},
		"carriage returns":   {body: strings.ReplaceAll(delta("Ken.")+done, "\n", "\r\n"), want: "Ken."},
		"out of tokens":      {body: delta("Ken wro") + strings.Replace(stops, "stop", "length", 1) + done, want: "Ken wro", cut: true},
		"other events":       {body: "event: ping\nid: 3\nretry: 10\n\n" + `data: {"timings":{"n":1}}` + "\n\n" + delta("Ken.") + done, want: "Ken."},
		"null content":       {body: "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":null}}]}\n\n" + delta("Ken.") + done, want: "Ken."},
		"not UTF-8":          {body: "data: {\"choices\":[{\"delta\":{\"content\":\"K\xff\xfen.\"}}]}\n\n" + done, want: "K\uFFFD\uFFFDn."},
		"half a surrogate":   {body: "data: {\"choices\":[{\"delta\":{\"content\":\"K\\ud83d.\"}}]}\n\n" + done, want: "K\uFFFD."},
		"thoughts":           {body: delta(" <thi") + delta("nk>Grep? [9]</th") + delta("ink>\n\nKen") + delta(". [1]") + done, want: "Ken. [1]"},
		"almost a thought":   {body: delta("<thin") + done, want: "<thin"},
		"nothing":            {body: done, want: ""},
		"too long":           {body: strings.Repeat(delta(strings.Repeat("é", 100)), 100) + done, want: strings.Repeat("é", 1<<10), cut: true},
		"one object, long":   {body: `{"choices":[{"message":{"content":"` + strings.Repeat("x", 5000) + `"}}]}`, want: strings.Repeat("x", 2<<10), cut: true},
	} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, stream(c.body))
			reply, _, err := chat(t.Context(), t, brief(server.URL))
			if err != nil || reply.Text != c.want || reply.Cut != c.cut {
				t.Errorf("%q, cut %t, %v; want %q, cut %t", reply.Text, reply.Cut, err, c.want, c.cut)
			}
		})
	}
}

func TestEmitEndsTheReply(t *testing.T) {
	server := serve(t, stream(delta("Ken"), delta(" wrote"), done))
	client, err := New(brief(server.URL))
	if err != nil {
		t.Fatal(err)
	}
	full := errors.New("the disk is full")
	reply, err := client.Chat(t.Context(), Request{}, func(string) error { return full })
	if !errors.Is(err, full) || reply.Text != "Ken" {
		t.Errorf("%+v, %v", reply, err)
	}
}

func TestModels(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || r.URL.Path != "/v1/models" {
			t.Errorf("%s %s", r.Method, r.URL.Path)
		}
		write(w, `{"object":"list","data":[{"id":"small"},{"id":"large"}]}`)
	})
	client, err := New(brief(server.URL))
	if err != nil {
		t.Fatal(err)
	}
	if names, err := client.Models(t.Context()); err != nil || strings.Join(names, " ") != "small large" {
		t.Errorf("%v, %v", names, err)
	}
}

func TestNewRefuses(t *testing.T) {
	for _, address := range []string{"", "localhost:11434", "ftp://localhost/v1", "http://", "http://me:secret@localhost/v1", "http://localhost/v1?key=secret", "http://local\x7fhost"} {
		_, err := New(Options{URL: address, Model: "m"})
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", address, err)
		}
	}
	if _, err := New(Options{URL: "http://localhost/v1"}); err == nil {
		t.Error("no model")
	}
}
