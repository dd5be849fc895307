package registry

import (
	"context"
	"errors"
	"fmt"

	"dowse/engine/answer/local"
	"dowse/engine/endpoint/vectors"
	"dowse/internal/config"
	"dowse/models"
)

// UseModel makes an installed model the embedder, the reranker or the answerer,
// whichever it is, and returns which. The name config.NoReranker turns reranking
// off, config.Extract lets answers be extracted, and config.Auto is the default.
func (r *Registry) UseModel(name string) (models.Role, error) {
	path := r.Home.ConfigFile()
	switch name {
	case config.NoReranker:
		return models.Reranker, config.UseReranker(path, name)
	case config.Extract, config.Auto, config.FromEndpoint:
		return models.Answerer, config.UseAnswerer(path, name)
	}
	m, err := r.FindModel(name)
	if err != nil {
		return "", err
	}
	role := m.Role()
	name = m.Name // in full, so that no other model of that name is ever meant
	switch role {
	case models.Reranker:
		return role, config.UseReranker(path, name)
	case models.Embedder:
		return role, config.UseModel(path, name)
	case models.Reader:
		return role, fmt.Errorf("%s marks evidence, and is used wherever they are chosen from the passages; there is nothing to set", name)
	}
	if err := local.CheckTemplate(m.Path); err != nil {
		return role, fmt.Errorf("%s cannot answer: %w; dowse models add makes a reranker of it, with --adapter or --prompt", name, err)
	}
	return role, config.UseAnswerer(path, name)
}

// TryEmbedder uses an installed embedder without changing the settings; "" is theirs.
func (r *Registry) TryEmbedder(name string) error {
	if name == "" {
		return nil
	}
	m, err := r.FindModel(name)
	if err != nil {
		return fmt.Errorf("--embedder: %w", err)
	}
	if m.Role() != models.Embedder {
		return fmt.Errorf("--embedder: the model %s is %s; dowse models list shows the embedders", name, m.Role().WithArticle())
	}
	r.Config.Model = m.Name
	return nil
}

// UseFolderModel gives a resolved folder an installed embedder of its own, or that of the other
// folders again (DefaultForFolder).
func (r *Registry) UseFolderModel(folder, name string) error {
	path := r.Home.ConfigFile()
	if name == DefaultForFolder {
		return config.UseFolderModel(path, folder, "")
	}
	m, err := r.FindModel(name)
	if err != nil {
		return err
	}
	if m.Role() != models.Embedder {
		return fmt.Errorf("the model %s is %s; a folder gets an embedder of its own, and nothing else", name, m.Role().WithArticle())
	}
	return config.UseFolderModel(path, folder, m.Name)
}

// DefaultForFolder is the name by which a folder has the embedder of the rest again.
const DefaultForFolder = "default"

// The uses of a server.
const (
	AsEmbedder = "embedder"
	AsReranker = "reranker"
	AsAnswerer = "answerer"
)

// UseEndpoint has the server of the settings embed, rerank or answer. The model of one that embeds
// is probed; changed says that it is another one than before under that name, so that the index is
// built again.
func (r *Registry) UseEndpoint(ctx context.Context, as string) (changed bool, err error) {
	path := r.Home.ConfigFile()
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
	e, err := vectors.Open(ctx, *(&Registry{Home: r.Home, Config: c, Tell: r.Tell}).EmbedServer())
	if err != nil {
		return false, err
	}
	changed, err = e.Adopt(ctx)
	return changed, errors.Join(err, e.Close())
}
