package app

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"dowse/internal/config"
)

// checkEndpoint looks whether the server of the settings answers. It sends
// nothing but the key.
func (a *App) checkEndpoint(ctx context.Context) Finding {
	const topic = "answerer"
	server := a.server()
	client, err := server.Client()
	if err != nil {
		return Finding{topic, Warning, err.Error()}
	}
	f := Finding{topic, Fine, fmt.Sprintf("%s, a server on this machine, gets your questions and the passages that answer them", server.How(client))}
	if !client.Local() {
		f.Level, f.Detail = Warning, fmt.Sprintf("%s is not on this machine and gets your questions and the passages that answer them", server.How(client))
		if !client.Encrypted() {
			f.Detail += ", unencrypted"
		}
		f.Detail += fmt.Sprintf("; dowse models use %s ends that", config.Extract)
	}
	known, err := client.Models(ctx)
	has := func(name string) bool {
		return name == a.Config.Endpoint.Model || name == a.Config.Endpoint.Model+":latest"
	}
	switch {
	case err != nil:
		f.Level, f.Detail = Warning, fmt.Sprintf("%s; it was asked for its models: %v", f.Detail, err)
	case len(known) > 0 && !slices.ContainsFunc(known, has):
		f.Level, f.Detail = Warning, fmt.Sprintf("%s; it has no model %s but %s", f.Detail, a.Config.Endpoint.Model, strings.Join(known[:min(len(known), 5)], ", "))
	}
	return f
}
