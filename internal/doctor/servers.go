package doctor

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"dowse/engine/endpoint"
	"dowse/engine/endpoint/vectors"
	"dowse/internal/config"
	"dowse/internal/registry"
)

// checkEndpoint looks whether the server that answers is there. It sends
// nothing but the key.
func (e examination) checkEndpoint(ctx context.Context) Finding {
	return checkServer(ctx, "answerer", registry.ServerOf(e.Config.Endpoint), registry.AnswerGets, config.Extract)
}

// checkServer looks whether a server answers, and says what it gets. It sends nothing but
// the key; name is the model that ends that.
func checkServer(ctx context.Context, topic string, server endpoint.Server, gets, name string) Finding {
	client, err := server.Client(endpoint.Options{})
	if err != nil {
		return Finding{topic, Warning, err.Error()}
	}
	f := Finding{topic, Fine, fmt.Sprintf("%s, a server on this machine, gets %s", server.How(), gets)}
	if server.Elsewhere() {
		f.Level, f.Detail = Warning, fmt.Sprintf("%s is not on this machine and gets %s", server.How(), gets)
		if server.Plain() {
			f.Detail += ", unencrypted"
		}
		f.Detail += fmt.Sprintf("; dowse models use %s ends that", name)
	}
	known, err := client.Models(ctx)
	has := func(name string) bool { return name == server.Model || name == server.Model+":latest" }
	switch {
	case err != nil && topic != "answerer" && !endpoint.IsOutage(err):
		// Servers of embedders and rerankers alone need not list models.
	case err != nil:
		f.Level, f.Detail = Warning, fmt.Sprintf("%s; it was asked for its models: %v", f.Detail, err)
	case len(known) > 0 && !slices.ContainsFunc(known, has):
		f.Level, f.Detail = Warning, fmt.Sprintf("%s; it has no model %s but %s", f.Detail, server.Model, strings.Join(known[:min(len(known), 5)], ", "))
	}
	return f
}

// checkEmbedServer looks whether the server that embeds still has the model that it had. It
// sends fixed sentences, nothing of a person's files.
func (e examination) checkEmbedServer(ctx context.Context) Finding {
	const topic = "model"
	o := e.EmbedServer()
	f := checkServer(ctx, topic, o.Server, registry.EmbedGets, config.DefaultModel)
	embedder, err := vectors.Open(ctx, *o)
	if err != nil {
		return Finding{topic, Broken, fmt.Sprintf("%s; %v", f.Detail, err)}
	}
	if err = embedder.Check(ctx); err != nil {
		f.Level = Warning
		f.Detail = fmt.Sprintf("%s; %v; until that is over searches go by words alone", f.Detail, err)
		if !endpoint.IsOutage(err) {
			f.Detail += fmt.Sprintf(", unless dowse models use %s --as %s takes its model as it is now, for which the index is built again", config.FromEndpoint, registry.AsEmbedder)
		}
	}
	query, passage := embedder.Prompts()
	f.Detail += fmt.Sprintf("; vectors of %d numbers, %q before questions and %q before passages", embedder.Dim(), query, passage)
	if e.SameModel() != "" {
		f.Detail += "; a model of that name is installed and takes over for questions while the server is away, if its vectors agree"
	}
	if err := embedder.Close(); err != nil {
		return Finding{topic, Warning, err.Error()}
	}
	return f
}
