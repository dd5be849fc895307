package registry

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"unicode"

	"dowse/engine"
	"dowse/engine/endpoint"
	"dowse/engine/endpoint/scores"
	"dowse/engine/endpoint/vectors"
	"dowse/internal/config"
	"dowse/models"
	"dowse/models/prompt"
)

// ServerOf is a server of the settings.
func ServerOf(e config.Endpoint) endpoint.Server {
	return endpoint.Server{URL: e.URL, Model: e.Model, Key: e.Key, Remote: e.Remote}
}

// AnswerServer is the one that writes answers, nil where the settings name none.
func (r *Registry) AnswerServer() *endpoint.Server {
	if r.Config.Endpoint.URL == "" {
		return nil
	}
	s := ServerOf(r.Config.Endpoint)
	return &s
}

// EmbedServer says which server embeds, nil where none does.
func (r *Registry) EmbedServer() *vectors.Options {
	e := r.Config.EmbedServer
	if e.URL == "" { // the settings may have come to name one
		now, err := config.Load(r.Home.ConfigFile())
		if e = now.EmbedServer; err != nil || e.URL == "" {
			return nil
		}
	}
	usual := prompt.Embeddings(publishedName(e.Model))
	o := &vectors.Options{
		Server: ServerOf(e.Endpoint), Query: usual.Query, Passage: usual.Passage, Dimensions: e.Dimensions,
		Folder: filepath.Join(r.Home.Data, "endpoint"), Tell: r.Tell,
	}
	if e.QueryPrompt != nil {
		o.Query = *e.QueryPrompt
	}
	if e.PassagePrompt != nil {
		o.Passage = *e.PassagePrompt
	}
	return o
}

// rerankServer says which server reranks, nil where none does.
func (r *Registry) rerankServer() *scores.Options {
	e := r.Config.RerankServer
	if e.URL == "" {
		return nil
	}
	return &scores.Options{Server: ServerOf(e.Endpoint), Time: e.Time}
}

// publishedName is the name of a model without its owner and, as Ollama has them, its tag.
func publishedName(name string) string {
	name, _, _ = strings.Cut(name[strings.LastIndexByte(name, '/')+1:], ":")
	return name
}

// sameName reports whether two names mean one model, however their words are joined.
func sameName(a, b string) bool {
	bare := func(name string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return unicode.ToLower(r)
			}
			return -1
		}, publishedName(name))
	}
	return bare(a) == bare(b)
}

// SameModel returns the path of the installed embedder with the name of the server's; "" for none.
// Names may lie: the server's embedder compares vectors too.
func (r *Registry) SameModel() string {
	e := r.Config.EmbedServer
	name := e.Local
	if name == "" {
		name = e.Model
	}
	installed, err := models.Installed(r.Home.Caches()...)
	if err != nil {
		return ""
	}
	for _, m := range installed {
		if m.Problem == nil && m.Role() == models.Embedder && sameName(m.Name, name) {
			return m.Path
		}
	}
	return ""
}

// EmbedderPath finds the embedder of a name: the path of its pack, or the address of the
// server of the settings.
func (r *Registry) EmbedderPath(name string) (string, error) {
	if name != config.FromEndpoint {
		return r.PackPath(name)
	}
	o := r.EmbedServer()
	if o == nil {
		return "", fmt.Errorf("the settings name no server that embeds; want embed.endpoint")
	}
	return o.Server.Address(), nil
}

// EmbedderPrint is the fingerprint of the embedder of a name, whose path is known.
func (r *Registry) EmbedderPrint(ctx context.Context, name, path string) (string, error) {
	if name != config.FromEndpoint {
		return models.Fingerprint(path)
	}
	e, err := vectors.Open(ctx, *r.EmbedServer())
	if err != nil {
		return "", fmt.Errorf("%w; start the server, or put a model of this machine to use with dowse models use %s", err, config.DefaultModel)
	}
	return e.Fingerprint(), e.Close()
}

// Servers lists the servers that the settings name, and what each gets.
func (r *Registry) Servers() (list []engine.ServerStatus) {
	add := func(use, gets string, e config.Endpoint) {
		if e.URL != "" {
			s := ServerOf(e)
			list = append(list, engine.ServerStatus{
				For: use, Model: s.Model, Host: s.Host(), Remote: s.Elsewhere(), Encrypted: strings.HasPrefix(s.Address(), "https:"), Gets: gets,
			})
		}
	}
	add("embedding", EmbedGets, r.Config.EmbedServer.Endpoint)
	add("reranking", RerankGets, r.Config.RerankServer.Endpoint)
	add("answering", AnswerGets, r.Config.Endpoint)
	return list
}

// What servers get.
const (
	EmbedGets  = "the text of all files that are indexed, your questions, and up to 31 passages of a search again"
	RerankGets = "your questions and the passages that may answer them"
	AnswerGets = "your questions and the passages that answer them"
)
