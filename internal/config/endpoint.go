package config

import (
	"errors"
	"fmt"
	"os"
	"time"

	"dowse/engine/endpoint"
	"dowse/internal/pattern"
)

// Endpoint is a server: its URL is "" where none is asked.
type Endpoint struct {
	URL     string // that /chat/completions, /embeddings or /rerank is added to
	Model   string // as the server calls it
	KeyName string // of the environment variable that holds the key; "" for none
	Remote  bool   // it is on another machine, and the person says so

	table string // of the settings, for messages
}

// EmbedEndpoint is a server that embeds.
type EmbedEndpoint struct {
	Endpoint
	QueryPrompt   *string // before a query; nil: as the model was published
	PassagePrompt *string // before a passage
	Dimensions    int     // of a vector; 0: all that the model has
	Local         string  // the installed model that is the same; "": the one of the same name
}

// RerankEndpoint is a server that reranks.
type RerankEndpoint struct {
	Endpoint
	Time time.Duration // that it is waited for
}

// defaultEndpointTime is how long a server that reranks is waited for.
const defaultEndpointTime = 3 * time.Second

// FromEndpoint as the name of the embedder, the reranker or the answerer asks the server of
// the settings.
const FromEndpoint = "endpoint"

// Key returns the key that the server wants, "" for none.
func (e Endpoint) Key() (string, error) {
	if e.KeyName == "" {
		return "", nil
	}
	key := os.Getenv(e.KeyName)
	if key == "" {
		return "", fmt.Errorf("the environment variable %s, which %s.endpoint_key_env names, is not set; set it to the server's key where dowse is started", e.KeyName, e.table)
	}
	return key, nil
}

// endpointFile mirrors what the tables embed, rerank and answer say of a server.
type endpointFile struct {
	Endpoint *string `toml:"endpoint"`
	Server   *string `toml:"endpoint_model"`
	KeyEnv   *string `toml:"endpoint_key_env"`
	Remote   *bool   `toml:"endpoint_remote"`
}

// embedFile mirrors the table embed.
type embedFile struct {
	endpointFile
	QueryPrompt   *string `toml:"query_prompt"`
	PassagePrompt *string `toml:"passage_prompt"`
	Dimensions    *int    `toml:"dimensions"`
	Local         *string `toml:"local"`
}

// answerFile mirrors the table answer.
type answerFile struct {
	Model *string `toml:"model"`
	endpointFile
}

// What is sent to each kind of server, as a person is asked whether that may be.
const (
	embedSends  = "the text of your files and your questions"
	rerankSends = "your questions and passages of your files"
	answerSends = "questions and passages of your files"
)

// applyEmbed puts the values of the table embed over the ones in c. A server is asked where
// one is named, unless a model is.
func (c *Config) applyEmbed(model *string, f *embedFile) error {
	if f == nil {
		f = &embedFile{}
	}
	server, err := f.endpoint("embed", embedSends)
	if err != nil {
		return err
	}
	e := EmbedEndpoint{Endpoint: server, QueryPrompt: f.QueryPrompt, PassagePrompt: f.PassagePrompt}
	if f.Local != nil {
		e.Local = *f.Local
	}
	if f.Dimensions != nil {
		if e.Dimensions = *f.Dimensions; e.Dimensions < 16 || e.Dimensions > 8192 {
			return fmt.Errorf("embed.dimensions = %d: want a number from 16 to 8192, which the model was trained for", e.Dimensions)
		}
	}
	asked := model == nil || *model == FromEndpoint
	switch {
	case server.URL == "" && (f.QueryPrompt != nil || f.PassagePrompt != nil || f.Dimensions != nil || f.Local != nil):
		return errors.New("embed.query_prompt, passage_prompt, dimensions and local are about a server: want embed.endpoint too, its address")
	case server.URL == "" && model != nil && asked:
		return needsServer("model", "embed")
	case server.URL != "" && asked:
		c.Model, c.EmbedServer = FromEndpoint, e
	}
	return nil
}

// applyRerankServer puts the server of the table rerank over the one in c. What it cannot do,
// the usual reranker does.
func (c *Config) applyRerankServer(r *rerankFile) error {
	server, err := r.endpoint("rerank", rerankSends)
	if err != nil {
		return err
	}
	e := RerankEndpoint{Endpoint: server, Time: defaultEndpointTime}
	if err := setTime(&e.Time, r.ServerTime, "rerank.endpoint_time"); err != nil {
		return err
	}
	asked := r.Model == nil || *r.Model == FromEndpoint
	switch {
	case server.URL == "" && r.ServerTime != nil:
		return errors.New("rerank.endpoint_time is about a server: want rerank.endpoint too, its address")
	case server.URL == "" && r.Model != nil && asked:
		return needsServer("rerank.model", "rerank")
	case server.URL != "" && asked:
		c.Reranker, c.RerankServer = DefaultReranker, e
	}
	return nil
}

// applyAnswer puts the values of the table answer over the ones in c. A server
// is asked where one is named, unless a model is.
func (c *Config) applyAnswer(all file) error {
	f := all.Answer
	if f == nil {
		return nil
	}
	server, err := f.endpoint("answer", answerSends)
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
		return needsServer("answer.model", "answer")
	default:
		c.Endpoint = server
	}
	if c.Endpoint.URL != "" {
		c.Answerer = Extract
	}
	return nil
}

// needsServer says that a setting asks a server that its table does not name.
func needsServer(key, table string) error {
	return fmt.Errorf("%s = %q: want %s.endpoint too, the address of the server, such as \"http://localhost:11434/v1\"", key, FromEndpoint, table)
}

// keyName is how names of variables are usually written, and keys are not.
var keyName = pattern.New(`^[A-Z_][A-Z0-9_]*$`)

// endpoint reads what a table says of a server, whether it is asked or not; sends is what
// the server would get.
func (f *endpointFile) endpoint(table, sends string) (Endpoint, error) {
	text := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	e := Endpoint{URL: text(f.Endpoint), Model: text(f.Server), KeyName: text(f.KeyEnv), Remote: f.Remote != nil && *f.Remote}
	if f.Endpoint == nil {
		if f.Server != nil || f.KeyEnv != nil || f.Remote != nil {
			return e, fmt.Errorf("%[1]s.endpoint_model, endpoint_key_env and endpoint_remote are about a server: want %[1]s.endpoint too, its address", table)
		}
		return e, nil
	}
	e.table = table
	address, err := endpoint.ParseURL(e.URL)
	switch {
	case err != nil: // the value may hold a key
		return e, fmt.Errorf("%s.endpoint: %w", table, err)
	case e.Model == "":
		return e, fmt.Errorf("%[1]s.endpoint: want %[1]s.endpoint_model too, the name of the model as the server has it", table)
	case f.KeyEnv != nil && !keyName.MatchString(e.KeyName):
		return e, fmt.Errorf("%s.endpoint_key_env: want the name of an environment variable in capitals, such as \"OPENAI_API_KEY\", and never the key itself", table)
	case !endpoint.IsLocal(address.Hostname()) && !e.Remote:
		return e, fmt.Errorf("%s.endpoint: %s is not this machine; %s would be sent there: if you want that, set %s.endpoint_remote = true", table, address.Hostname(), sends, table)
	}
	return e, nil
}
