package config

import (
	"os"
	"strings"
	"testing"
	"time"
)

// TestServersAreChosen: one embeds or reranks where its table names it and no model is
// chosen, and dowse models use turns it off and on without losing what was set.
func TestServersAreChosen(t *testing.T) {
	const tables = "[embed]\nendpoint = 'http://localhost:1/v1'\nendpoint_model = 'm'\nquery_prompt = ''\ndimensions = 256\nlocal = 'x'\n" +
		"[rerank]\nendpoint = 'https://box.example/v1'\nendpoint_model = 'r'\nendpoint_key_env = 'BOX_KEY'\nendpoint_remote = true\nendpoint_time = '2s'\ndepth = 30\n"
	path := write(t, tables)
	c, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	e := c.EmbedServer
	if c.Model != FromEndpoint || e.URL != "http://localhost:1/v1" || e.Model != "m" || e.QueryPrompt == nil || *e.QueryPrompt != "" || e.PassagePrompt != nil || e.Dimensions != 256 || e.Local != "x" {
		t.Errorf("%+v", c)
	}
	r := c.RerankServer
	if c.Reranker != DefaultReranker || r.URL != "https://box.example/v1" || r.Time != 2*time.Second || !r.Remote || r.KeyName != "BOX_KEY" || c.Depth != 30 {
		t.Errorf("%+v", c)
	}
	if _, err := r.Key(); err == nil || !strings.Contains(err.Error(), "BOX_KEY, which rerank.endpoint_key_env names") {
		t.Error(err)
	}
	for _, name := range []string{"own", FromEndpoint} {
		if err := UseModel(path, name); err != nil {
			t.Fatal(err)
		}
		if err := UseReranker(path, name); err != nil {
			t.Fatal(err)
		}
		c, err = Load(path)
		if asked := name == FromEndpoint; err != nil || (c.EmbedServer.URL != "") != asked || (c.RerankServer.URL != "") != asked || c.Model != name || c.EmbedServer.Dimensions != map[bool]int{true: 256}[asked] {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
	bare := write(t, "threads = 1\n")
	for _, use := range []func(string, string) error{UseModel, UseReranker} {
		if err := use(bare, FromEndpoint); err == nil || !strings.Contains(err.Error(), "endpoint too, the address of the server") {
			t.Error(err)
		}
	}
	if data, err := os.ReadFile(bare); err != nil || string(data) != "threads = 1\n" {
		t.Errorf("the file is %q, %v", data, err)
	}
}

func TestServersAreRefused(t *testing.T) {
	for text, says := range map[string]string{
		"model = 'endpoint'":          "want embed.endpoint too",
		"rerank.model = 'endpoint'":   "want rerank.endpoint too",
		"embed.dimensions = 256":      "want embed.endpoint too",
		"embed.query_prompt = 'q'":    "want embed.endpoint too",
		"embed.endpoint_model = 'm'":  "want embed.endpoint too",
		"rerank.endpoint_time = '1s'": "want rerank.endpoint too",
		"embed.model = 'm'":           "unknown setting \"embed.model\"",

		"[embed]\nendpoint = 'http://localhost/v1'":                                            "want embed.endpoint_model",
		"[embed]\nendpoint = 'http://me:hush@localhost/v1'\nendpoint_model = 'm'":              "embed.endpoint: want the address of the server alone",
		"[embed]\nendpoint = 'http://localhost/v1'\nendpoint_model = 'm'\ndimensions = 1":      "want a number from 16",
		"[embed]\nendpoint = 'https://api.example/v1'\nendpoint_model = 'm'":                   "api.example is not this machine; the text of your files and your questions would be sent there: if you want that, set embed.endpoint_remote = true",
		"model = 'own'\n[embed]\nendpoint = 'https://api.example/v1'\nendpoint_model = 'm'":    "set embed.endpoint_remote",
		"[rerank]\nendpoint = 'https://api.example/v1'\nendpoint_model = 'm'":                  "your questions and passages of your files would be sent there",
		"[rerank]\nendpoint = 'http://localhost'\nendpoint_model = 'm'\nendpoint_time = '1h'":  "rerank.endpoint_time = \"1h\": want a time",
		"[embed]\nendpoint = 'http://localhost'\nendpoint_model = 'm'\nendpoint_key_env = 'x'": "never the key itself",
	} {
		_, err := Load(write(t, text))
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: error %v, want it to say %q", text, err, says)
		}
		if err != nil && strings.Contains(err.Error(), "hush") {
			t.Errorf("the error tells a secret: %v", err)
		}
	}
}
