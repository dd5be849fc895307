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
	"dowse/internal/reply"
)

// newServe is dowse serve: what other machines ask.
func newServe(s *streams) *cobra.Command {
	var stdio bool
	cmd := &cobra.Command{
		Use:   "serve --stdio",
		Short: "Answer a dowse of another machine over standard input and output",
		Long: `Serve lets a dowse of another machine search what is indexed here and read what it finds. That dowse starts it,
through a command such as ssh, for dowse -q QUERY --host NAME; nothing listens on a network. It changes nothing.`,
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
	service, err := a.Open(ctx, indexes.Read)
	if err != nil {
		return err
	}
	err = daemon.ServePipe(ctx, service, s.in, s.out)
	return errors.Join(err, service.Close())
}

// hostsRequest is the request that other machines get: folders are named as they are called there.
func (q *queryFlags) hostsRequest(req engine.Request, dirs []string) (engine.Request, error) {
	switch {
	case q.answer:
		return req, errors.New("--answer is of this machine; search others with --host, and ask there")
	case q.context != "":
		return req, errors.New("--context is of this machine; ask others without it")
	}
	for _, name := range append(slices.Clone(dirs), q.in...) {
		if _, is := app.AsPath(name); is && !filepath.IsAbs(name) {
			return req, fmt.Errorf("%s is a folder of this machine; with --host, name one by its name or its whole path there", name)
		}
		req.In = append(req.In, name)
	}
	return req, nil
}

// askHosts answers -q from other machines.
func (q *queryFlags) askHosts(ctx context.Context, s *streams, a *app.App, req *engine.Request, page reply.Page) error {
	list, err := hosts.Named(a.Config.Hosts, q.hosts)
	if err != nil {
		return err
	}
	report := newReporter(s, *q)
	own := func(ctx context.Context, req engine.Request) (*engine.Result, error) {
		service, err := a.Open(ctx, indexes.Read)
		if err != nil {
			return nil, err
		}
		result, err := service.Search(ctx, req, nil)
		return result, errors.Join(err, service.Close())
	}
	result, err := hosts.Search(ctx, list, own, *req, report.note)
	if err != nil {
		report.abandon(ctx.Err() != nil)
		return err
	}
	if result.Stats.Merged != "" && q.output.format != formatJSON {
		report.note(result.Stats.Merged)
	}
	return q.tellResult(s, report, result, page, req)
}

// readHost reads a file of another machine, named as results have it.
func readHost(ctx context.Context, a *app.App, host string, req engine.ReadRequest) (*engine.FileText, error) {
	list, err := hosts.Named(a.Config.Hosts, []string{host})
	if err != nil {
		return nil, err
	}
	return list[0].Read(ctx, req)
}
