package doctor

import (
	"context"
	"fmt"
	"strings"

	"dowse/engine/answer/local"
	"dowse/internal/config"
	"dowse/internal/registry"
	"dowse/models"

	"github.com/dustin/go-humanize"
)

// checkModel reads every byte of the embedder.
func (e examination) checkModel(ctx context.Context) Finding {
	if e.Config.EmbedServer.URL != "" {
		return e.checkEmbedServer(ctx)
	}
	path, err := e.PackPath(e.Config.Model)
	if err != nil {
		return Finding{"model", Broken, err.Error()}
	}
	return checkPack(ctx, "model", e.Config.Model, e.Config.Model, path, Broken)
}

// checkFolderModel reads every byte of the embedder that folders have of their own. Without
// it they are searched by words.
func (e examination) checkFolderModel(ctx context.Context) Finding {
	const topic = "folders"
	own := e.Config.Folders
	m, err := e.FindModel(own.Model)
	if err == nil && m.Role() != models.Embedder {
		err = fmt.Errorf("the model %s is %s, and embeds nothing; dowse models use NAME --folder PATH names another one", m.Name, m.Role().WithArticle())
	}
	if err != nil {
		return Finding{topic, Warning, fmt.Sprintf("%s: %v", strings.Join(own.Paths, ", "), err)}
	}
	f := checkPack(ctx, topic, own.Model, own.Model, m.Path, Warning)
	if f.Level == Fine {
		f.Detail = strings.Join(own.Paths, ", ") + ": " + f.Detail
	}
	return f
}

// checkReranker reads every byte of the reranker. Search works without.
func (e examination) checkReranker(ctx context.Context) Finding {
	if server := e.Config.RerankServer; server.URL != "" {
		return checkServer(ctx, "reranker", registry.ServerOf(server.Endpoint), registry.RerankGets, config.DefaultReranker)
	}
	if e.Config.Reranker == config.NoReranker {
		return Finding{"reranker", Fine, "turned off"}
	}
	m, err := e.FindModel(e.Config.Reranker)
	if err != nil {
		return Finding{"reranker", Warning, err.Error()}
	}
	if m.Role() != models.Reranker {
		return Finding{"reranker", Warning, fmt.Sprintf("the model %s is %s, and scores nothing; name another one with dowse models use", m.Name, m.Role().WithArticle())}
	}
	return checkInstalled(ctx, "reranker", m)
}

// checkReader reads every byte of the model that marks evidence. Without it there are no
// answers, and searches go on.
func (e examination) checkReader(ctx context.Context) Finding {
	m, err := e.FindModel(models.DefaultReader)
	if err != nil {
		return Finding{"reader", Warning, err.Error()}
	}
	return checkInstalled(ctx, "reader", m)
}

// checkAnswerer reads every byte of the answerer. Answers can be extracted
// without.
func (e examination) checkAnswerer(ctx context.Context) Finding {
	const topic = "answerer"
	if e.Config.Endpoint.URL != "" {
		return e.checkEndpoint(ctx)
	}
	name := e.Answerer()
	if name == config.Extract {
		return Finding{topic, Fine, "none; answers are chosen from the passages"}
	}
	m, err := e.FindModel(name)
	if err == nil && m.Role() != models.Answerer {
		err = fmt.Errorf("the model %s is %s, and writes nothing; name another one with dowse models use", m.Name, m.Role().WithArticle())
	}
	if err == nil {
		err = local.CheckTemplate(m.Path)
	}
	if err != nil {
		return Finding{topic, Warning, err.Error()}
	}
	return checkInstalled(ctx, topic, m)
}

// checkInstalled reads every byte of a model that dowse can do without, and says
// what its job is. Its adapter was read when it was found.
func checkInstalled(ctx context.Context, topic string, m models.Installation) Finding {
	owner := m.Name
	if m.Job != nil && m.Job.Base != "" {
		owner = m.Job.Base
	}
	f := checkPack(ctx, topic, m.Name, owner, m.Path, Warning)
	if f.Level == Fine && m.Rows != "" && m.Rows != m.Path {
		if _, err := models.VerifyWeights(ctx, m.Rows); err != nil {
			return Finding{topic, Warning, fmt.Sprintf("%s cannot be used: %v; run dowse models swap %s", m.Rows, err, owner)}
		}
		f.Detail += "; its row pack too"
	}
	if f.Level == Fine && m.Job != nil {
		f.Detail += "; " + registry.SourceOf(m)
	}
	return f
}

// checkPack reads every byte of the pack, or row pack, of a model, whose owner another one may
// be; bad is how bad it is if that fails.
func checkPack(ctx context.Context, topic, name, owner, path string, bad Level) Finding {
	size, err := models.VerifyWeights(ctx, path)
	if err != nil && size == 0 {
		return Finding{topic, bad, fmt.Sprintf("%s cannot be used: %v; run dowse models remove %s and dowse models pull", path, err, owner)}
	}
	if err != nil {
		return Finding{topic, bad, fmt.Sprintf("%s is damaged: %v; run dowse models remove %s and dowse models pull", path, err, owner)}
	}
	return Finding{topic, Fine, fmt.Sprintf("%s, %s, every block as written", name, humanize.Bytes(uint64(size)))}
}
