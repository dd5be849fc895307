package config

import (
	"os"
	"strings"
	"testing"
)

const local = "[answer]\nendpoint = 'http://localhost:11434/v1'\nendpoint_model = 'small'\n"

// TestEndpointIsChosen: a server is asked where the file names one and no model.
func TestEndpointIsChosen(t *testing.T) {
	server := Endpoint{URL: "http://localhost:11434/v1", Model: "small", table: "answer"}
	for text, want := range map[string]Config{
		"":                             {Answerer: defaultAnswerer},
		local:                          {Answerer: Extract, Endpoint: server},
		local + "model = 'endpoint'\n": {Answerer: Extract, Endpoint: server},
		local + "model = 'extract'\n":  {Answerer: Extract},
		local + "model = 'other'\n":    {Answerer: "other"},
		local + "endpoint_key_env = 'SMALL_KEY'\nendpoint_remote = true\n": {
			Answerer: Extract, Endpoint: Endpoint{URL: server.URL, Model: "small", KeyName: "SMALL_KEY", Remote: true, table: "answer"},
		},
		strings.Replace(local, "localhost", "box.example", 1) + "endpoint_remote = true\n": {
			Answerer: Extract, Endpoint: Endpoint{URL: "http://box.example:11434/v1", Model: "small", Remote: true, table: "answer"},
		},
	} {
		c, err := Load(write(t, text))
		if err != nil || c.Answerer != want.Answerer || c.Endpoint != want.Endpoint {
			t.Errorf("%q: %q, %+v, %v", text, c.Answerer, c.Endpoint, err)
		}
	}
}

// TestUseAnswererKeepsTheEndpoint turns a server off and on again.
func TestUseAnswererKeepsTheEndpoint(t *testing.T) {
	path := write(t, local)
	for _, name := range []string{"other", Extract, FromEndpoint} {
		if err := UseAnswerer(path, name); err != nil {
			t.Fatal(err)
		}
		c, err := Load(path)
		if err != nil || (c.Endpoint.URL != "") != (name == FromEndpoint) {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
	bare := write(t, "threads = 1\n")
	if err := UseAnswerer(bare, FromEndpoint); err == nil || !strings.Contains(err.Error(), "want answer.endpoint too") {
		t.Error(err)
	}
	if data, err := os.ReadFile(bare); err != nil || string(data) != "threads = 1\n" {
		t.Errorf("the file is %q, %v", data, err)
	}
}

func TestKeyComesFromTheEnvironment(t *testing.T) {
	t.Setenv("DOWSE_TEST_KEY", "hush")
	if key, err := (Endpoint{KeyName: "DOWSE_TEST_KEY"}).Key(); key != "hush" || err != nil {
		t.Errorf("%q, %v", key, err)
	}
	t.Setenv("DOWSE_TEST_KEY", "")
	if _, err := (Endpoint{KeyName: "DOWSE_TEST_KEY"}).Key(); err == nil || !strings.Contains(err.Error(), "DOWSE_TEST_KEY") {
		t.Error(err)
	}
	if key, err := (Endpoint{}).Key(); key != "" || err != nil {
		t.Errorf("%q, %v", key, err)
	}
}
