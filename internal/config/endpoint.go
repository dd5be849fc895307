package config

import (
	"errors"
	"fmt"
	"os"
	"regexp"

	"dowse/engine/endpoint"
)

// Endpoint is a server that writes answers: its URL is "" where none is asked.
type Endpoint struct {
	URL     string // that /chat/completions is added to
	Model   string // as the server calls it
	KeyName string // of the environment variable that holds the key; "" for none
	Remote  bool   // it is on another machine, and the person says so
}

// FromEndpoint as the name of the answerer asks the server of the settings.
const FromEndpoint = "endpoint"

// Key returns the key that the server wants, "" for none.
func (e Endpoint) Key() (string, error) {
	if e.KeyName == "" {
		return "", nil
	}
	key := os.Getenv(e.KeyName)
	if key == "" {
		return "", fmt.Errorf("the environment variable %s, which answer.endpoint_key_env names, is not set; set it to the server's key where dowse is started", e.KeyName)
	}
	return key, nil
}

// answerFile mirrors the table answer.
type answerFile struct {
	Model    *string `toml:"model"`
	Endpoint *string `toml:"endpoint"`
	Server   *string `toml:"endpoint_model"`
	KeyEnv   *string `toml:"endpoint_key_env"`
	Remote   *bool   `toml:"endpoint_remote"`
}

// applyAnswer puts the values of the table answer over the ones in c. A server
// is asked where one is named, unless a model is.
func (c *Config) applyAnswer(f *answerFile) error {
	if f == nil {
		return nil
	}
	server, err := f.endpoint()
	if err != nil {
		return err
	}
	switch {
	case f.Model == nil:
		c.Endpoint = server
	case *f.Model == "":
		return fmt.Errorf("answer.model = \"\": want a name, %q, %q or %q; dowse models list shows them", Auto, Extract, FromEndpoint)
	case *f.Model != FromEndpoint:
		c.Answerer = *f.Model
	case server.URL == "":
		return fmt.Errorf("answer.model = %q: want answer.endpoint too, the address of the server, such as \"http://localhost:11434/v1\"", FromEndpoint)
	default:
		c.Endpoint = server
	}
	if c.Endpoint.URL != "" {
		c.Answerer = Extract
	}
	return nil
}

// keyName is how names of variables are usually written, and keys are not.
var keyName = regexp.MustCompile(`^[A-Z_][A-Z0-9_]*$`)

// endpoint reads what the table says of a server, whether it is asked or not.
func (f *answerFile) endpoint() (Endpoint, error) {
	text := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	e := Endpoint{URL: text(f.Endpoint), Model: text(f.Server), KeyName: text(f.KeyEnv), Remote: f.Remote != nil && *f.Remote}
	if f.Endpoint == nil {
		if f.Server != nil || f.KeyEnv != nil || f.Remote != nil {
			return e, errors.New("answer.endpoint_model, endpoint_key_env and endpoint_remote are about a server: want answer.endpoint too, its address")
		}
		return e, nil
	}
	address, err := endpoint.ParseURL(e.URL)
	switch {
	case err != nil: // the value may hold a key
		return e, fmt.Errorf("answer.endpoint: %w", err)
	case e.Model == "":
		return e, errors.New("answer.endpoint: want answer.endpoint_model too, the name of the model as the server has it")
	case f.KeyEnv != nil && !keyName.MatchString(e.KeyName):
		return e, errors.New("answer.endpoint_key_env: want the name of an environment variable in capitals, such as \"OPENAI_API_KEY\", and never the key itself")
	case !endpoint.IsLocal(address.Hostname()) && !e.Remote:
		return e, fmt.Errorf("answer.endpoint: %s is not this machine; questions and passages of your files would be sent there: if you want that, set answer.endpoint_remote = true", address.Hostname())
	}
	return e, nil
}
