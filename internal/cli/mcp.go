package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dowse/engine"
	"dowse/internal/app"
	"dowse/internal/indexes"
	"dowse/internal/mcpserver"
	"dowse/internal/registry"
	"dowse/models"
	"dowse/tui"
)

// newMCP is dowse mcp: the index for agents.
func newMCP(s *streams) *cobra.Command {
	var answers bool
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve agents over the Model Context Protocol",
		Long: `Mcp lets an agent search the index, read what is in it and change nothing. The agent's
program starts it and speaks with it over standard input and output, until that closes:

  {"mcpServers": {"dowse": {"command": "dowse", "args": ["mcp"]}}}

Tools: search, read, related, list, status; with --answers also answer, where a model that
writes answers is installed. What the agent reads goes where it sends it, which may be a
server. Texts of files that hold passwords, keys or tokens are not given to it.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runMCP(cmd.Context(), s, answers) },
	}
	cmd.Flags().BoolVar(&answers, "answers", false, "offer answers too, which take seconds to minutes")
	return cmd
}

func runMCP(ctx context.Context, s *streams, answers bool) error {
	ignoreBrokenPipes()
	a, err := app.NewReader(s.warn)
	if err != nil {
		return err
	}
	a.Tell = s.tell
	if answers && !writesAnswers(a) {
		answers = false
		s.warn("no model that writes answers is installed, so that the tool answer is not offered; dowse models list names some")
	}
	server := mcpserver.New(mcpserver.Options{
		Version: app.Version(), Answers: answers, Clean: cleanLine,
		Open: func(ctx context.Context) (engine.Service, error) { return a.Open(ctx, indexes.Read) },
	})
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go endWithClient(ctx, cancel)
	return server.Run(ctx, s.in, s.out)
}

// writesAnswers reports whether a model or a server writes answers.
func writesAnswers(a *app.App) bool {
	if a.AnswerServer() != nil {
		return true
	}
	list, err := a.Models()
	return err == nil && slices.ContainsFunc(list, func(m registry.Model) bool { return m.Installed && m.Role == string(models.Answerer) })
}

// cleanLine makes a line safe to show and keeps its tabs, which mean something to programs.
func cleanLine(line string) string {
	parts := strings.Split(line, "\t")
	for i, part := range parts {
		parts[i] = tui.Sanitize(part)
	}
	return strings.Join(parts, "\t")
}
