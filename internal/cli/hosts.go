package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"dowse/engine"
	"dowse/internal/app"
	"dowse/internal/daemon"
	"dowse/internal/hosts"
	"dowse/internal/indexes"
	"dowse/internal/lent"
	"dowse/internal/reply"
)

// newServe is dowse serve: what other machines ask.
func newServe(s *streams) *cobra.Command {
	var stdio bool
	cmd := &cobra.Command{
		Use:   "serve --stdio",
		Short: "Answer a dowse of another machine over standard input and output",
		Long: `Serve lets a dowse of another machine search what is indexed here and read what it finds. That dowse starts it,
through a command such as ssh, for dowse -q QUERY --host NAME, and ends it when nothing was asked for two minutes; nothing listens
on a network. It changes nothing, and has the index open only while it is asked.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !stdio {
				return errors.New("dowse serve needs --stdio: a dowse of another machine starts it and speaks with it")
			}
			return runServe(cmd.Context(), s)
		},
	}
	cmd.Flags().BoolVar(&stdio, "stdio", false, "speak over standard input and output")
	return cmd
}

func runServe(ctx context.Context, s *streams) error {
	ignoreBrokenPipes()
	a, err := app.NewReader(s.warn)
	if err != nil {
		return err
	}
	index := &lent.Lender{Idle: lent.IdleClose, Open: func(ctx context.Context) (engine.Service, error) { return a.Open(ctx, indexes.Read) }}
	err = daemon.ServePipe(ctx, index.Service(), s.in, s.out)
	return errors.Join(err, index.Close())
}

// hostsRequest is the request that other machines get: folders are named as they are called there.
func (q *queryFlags) hostsRequest(req engine.Request, dirs []string) (engine.Request, error) {
	req.Hosts = q.hosts
	for _, name := range append(slices.Clone(dirs), q.in...) {
		if _, is := app.AsPath(name); is && !filepath.IsAbs(name) {
			return req, fmt.Errorf("%s is a folder of this machine; with --host, name one by its name or its whole path there", name)
		}
		req.In = append(req.In, name)
	}
	return req, nil
}

// machines are those of the settings.
func machines(a *app.App) *hosts.Pool {
	return hosts.NewPool(func() map[string]string { return a.Config.Hosts })
}

// askHosts answers -q from other machines where nothing is indexed on this one: each ranks by itself.
func (q *queryFlags) askHosts(ctx context.Context, s *streams, a *app.App, req *engine.Request, page reply.Page) error {
	pool := machines(a)
	defer pool.Close()
	report := newReporter(s, *q)
	result, err := pool.Search(ctx, *req, hosts.Here{}, report.note)
	if err != nil {
		report.abandon(ctx.Err() != nil)
		return err
	}
	return q.tellResult(s, report, result, page, req)
}

// readHost reads a file of another machine, named as results have it.
func readHost(ctx context.Context, a *app.App, host string, req engine.ReadRequest) (*engine.FileText, error) {
	pool := machines(a)
	defer pool.Close()
	return pool.Read(ctx, host, req)
}
