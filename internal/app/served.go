package app

import (
	"context"
	"errors"
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

// serverOf is a server of the settings.
func serverOf(e config.Endpoint) endpoint.Server {
	return endpoint.Server{URL: e.URL, Model: e.Model, Key: e.Key, Remote: e.Remote}
}

// server is the one that writes answers, nil where the settings name none.
func (a *App) server() *endpoint.Server {
	if a.Config.Endpoint.URL == "" {
		return nil
	}
	s := serverOf(a.Config.Endpoint)
	return &s
}

// embedServer says which server embeds, nil where none does.
func (a *App) embedServer() *vectors.Options {
	e := a.Config.EmbedServer
	if e.URL == "" { // the settings may have come to name one
		now, err := config.Load(a.Home.ConfigFile())
		if e = now.EmbedServer; err != nil || e.URL == "" {
			return nil
		}
	}
	usual := prompt.Embeddings(publishedName(e.Model))
	o := &vectors.Options{
		Server: serverOf(e.Endpoint), Query: usual.Query, Passage: usual.Passage, Dimensions: e.Dimensions,
		Folder: filepath.Join(a.Home.Data, "endpoint"), Tell: a.Tell,
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
func (a *App) rerankServer() *scores.Options {
	e := a.Config.RerankServer
	if e.URL == "" {
		return nil
	}
	return &scores.Options{Server: serverOf(e.Endpoint), Time: e.Time}
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

// sameModel finds the installed embedder that is the one of the server, as far as its name
// tells; "" where there is none. The embedder of the server compares vectors too.
func (a *App) sameModel() string {
	e := a.Config.EmbedServer
	name := e.Local
	if name == "" {
		name = e.Model
	}
	installed, err := models.Installed(a.Home.Caches()...)
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

// embedderPath finds the embedder of a name: the path of its pack, or the address of the
// server of the settings.
func (a *App) embedderPath(name string) (string, error) {
	if name != config.FromEndpoint {
		return a.packPath(name)
	}
	o := a.embedServer()
	if o == nil {
		return "", fmt.Errorf("the settings name no server that embeds; want embed.endpoint")
	}
	return o.Server.Address(), nil
}

// embedderPrint is the fingerprint of the embedder of a name, whose path is known.
func (a *App) embedderPrint(ctx context.Context, name, path string) (string, error) {
	if name != config.FromEndpoint {
		return models.Fingerprint(path)
	}
	e, err := vectors.Open(ctx, *a.embedServer())
	if err != nil {
		return "", fmt.Errorf("%w; start the server, or put a model of this machine to use with dowse models use %s", err, config.DefaultModel)
	}
	return e.Fingerprint(), e.Close()
}

// The uses of a server.
const (
	AsEmbedder = "embedder"
	AsReranker = "reranker"
	AsAnswerer = "answerer"
)

// UseEndpoint has the server of the settings embed, rerank or answer. One that embeds is
// asked for what tells its model from another one; changed says that it has another one than
// it had under that name, so that the index is built again.
func (a *App) UseEndpoint(ctx context.Context, as string) (changed bool, err error) {
	path := a.Home.ConfigFile()
	switch as {
	case AsReranker:
		return false, config.UseReranker(path, config.FromEndpoint)
	case AsAnswerer:
		return false, config.UseAnswerer(path, config.FromEndpoint)
	case AsEmbedder:
	default:
		return false, fmt.Errorf("--as %s: want %s, %s or %s", as, AsEmbedder, AsReranker, AsAnswerer)
	}
	if err := config.UseModel(path, config.FromEndpoint); err != nil {
		return false, err
	}
	c, err := config.Load(path)
	if err != nil {
		return false, err
	}
	e, err := vectors.Open(ctx, *(&App{Home: a.Home, Config: c, Tell: a.Tell}).embedServer())
	if err != nil {
		return false, err
	}
	changed, err = e.Adopt(ctx)
	return changed, errors.Join(err, e.Close())
}

// servers lists the servers that the settings name, and what each gets.
func (a *App) servers() (list []engine.ServerStatus) {
	add := func(use, gets string, e config.Endpoint) {
		if e.URL != "" {
			s := serverOf(e)
			list = append(list, engine.ServerStatus{
				For: use, Model: s.Model, Host: s.Host(), Remote: s.Elsewhere(), Encrypted: strings.HasPrefix(s.Address(), "https:"), Gets: gets,
			})
		}
	}
	add("embedding", embedGets, a.Config.EmbedServer.Endpoint)
	add("reranking", rerankGets, a.Config.RerankServer.Endpoint)
	add("answering", answerGets, a.Config.Endpoint)
	return list
}

// What servers get.
const (
	embedGets  = "the text of all files that are indexed, your questions, and up to 31 passages of a search again"
	rerankGets = "your questions and the passages that may answer them"
	answerGets = "your questions and the passages that answer them"
)
