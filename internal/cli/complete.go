package cli

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"dowse/engine"
	"dowse/internal/app"
	"dowse/internal/config"
	"dowse/internal/indexes"
	"dowse/internal/registry"
	"dowse/models"
	"dowse/models/prompt"
)

// Shells complete flags and arguments with few values. Free ones, such as a query, get no files.

// modes are what may rank.
var modes = []string{string(engine.Reranked), string(engine.Hybrid), string(engine.Lexical), string(engine.Vector)}

// oneOf completes one of some values.
func oneOf(values ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveKeepOrder)
}

// someOf completes the last value of a list with commas.
func someOf(values ...string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		before := typed[:strings.LastIndexByte(typed, ',')+1]
		var out []string
		for _, v := range values {
			if !slices.Contains(strings.Split(before, ","), v) {
				out = append(out, before+v)
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveKeepOrder
	}
}

// completionPatience is how long a shell waits for names while another dowse ends.
const completionPatience = 2 * time.Second

// folderNames completes up to most arguments, or any number for 0, with names of indexed folders.
func folderNames(most int) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if most > 0 && len(args) >= most {
			return nil, cobra.ShellCompDirectiveDefault
		}
		a, err := app.NewReader(func(string) {})
		if err != nil {
			return nil, cobra.ShellCompDirectiveDefault
		}
		ctx, cancel := context.WithTimeout(cmd.Context(), completionPatience)
		defer cancel()
		service, err := a.Open(ctx, indexes.Read)
		if err != nil {
			return nil, cobra.ShellCompDirectiveDefault
		}
		defer service.Close() //nolint:errcheck // nothing was written
		all, err := service.Folders(cmd.Context())
		if err != nil {
			return nil, cobra.ShellCompDirectiveDefault
		}
		var names []string
		for _, f := range all {
			names = append(names, cobra.CompletionWithDesc(f.Name, f.Path))
		}
		return names, cobra.ShellCompDirectiveDefault // paths too
	}
}

// hostNames completes the machines of the settings, and this one.
func hostNames(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	names := []string{config.ThisMachine}
	if a, err := app.NewReader(func(string) {}); err == nil {
		names = append(names, slices.Sorted(maps.Keys(a.Config.Hosts))...)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// folders completes folders alone.
func folders(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// modelNames completes up to most arguments, or any number for 0, with the models that are wanted, and more names.
func modelNames(most int, wanted func(registry.Model) bool, more ...string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if most > 0 && len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		a, err := app.NewReader(func(string) {})
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		list, err := a.Models()
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		var names []string
		for _, m := range list {
			if wanted(m) && !slices.Contains(args, m.Name) {
				names = append(names, cobra.CompletionWithDesc(m.Name, m.Role))
			}
		}
		return append(names, more...), cobra.ShellCompDirectiveNoFileComp
	}
}

// usable are the models that models use takes: the reader is used in any case.
func usable(m registry.Model) bool { return m.Role != string(models.Reader) }

// role is that of installed models.
func role(r models.Role) func(registry.Model) bool {
	return func(m registry.Model) bool { return m.Installed && m.Role == string(r) }
}

// notBundled are installed models that can be removed.
func notBundled(m registry.Model) bool { return m.Installed && !models.Bundled(m.Name) }

// fileTypes are the words that mean several formats.
var fileTypes = []string{"note", "code", "text", "web", "mail", "letter", "sheet", "slides", "office", "document", "book", "notebook", "picture", "sound", "video", "contact", "calendar", "archive"}

// completions are those of flags, by the path of the command; of all commands where that is "".
var completions = map[string]map[string]cobra.CompletionFunc{
	"": {"in": folderNames(0), "folder": folders, "dir": folders, "adapter": folders, "embedder": modelNames(0, role(models.Embedder)),
		"format": oneOf(formats...), "color": oneOf(colours...), "fields": someOf(passageFields()...)},
	"dowse": {
		"mode": oneOf(modes...), "context": completeNames(0), "host": hostNames,
	},
	"dowse models pull": {"from": oneOf("pip", "hub")},
	"dowse models add":  {"prompt": oneOf(prompts()...)},
	"dowse models use":  {"as": oneOf(registry.AsEmbedder, registry.AsReranker, registry.AsAnswerer)},
	"dowse models swap": {"bits": oneOf("8", "4"), "group": oneOf("1", "2", "4", "8")},
	"dowse folders add": {"files": folders, "type": oneOf(fileTypes...), "preset": oneOf(presetNames()...)},
	"dowse eval":        {"stages": someOf(modes...)},
}

// arguments are the completions of arguments, by the path of the command.
var arguments = map[string]cobra.CompletionFunc{
	"dowse": folders, "dowse index": folders, "dowse watch": folders, "dowse eval": folders,
	"dowse models pull":   modelNames(0, func(m registry.Model) bool { return !m.Installed }),
	"dowse models use":    modelNames(1, usable, config.NoReranker, config.Extract, config.Auto, config.FromEndpoint),
	"dowse models remove": modelNames(1, notBundled),
	"dowse models swap":   modelNames(1, role(models.Answerer)),
}

// prompts are the ways to ask a decoder.
func prompts() (names []string) {
	for _, way := range prompt.Ways {
		names = append(names, way.Name)
	}
	return append(names, string(models.PassagesPrompt))
}

// complete adds completions to a command and all below it. Commands without arguments get no files.
func complete(cmd *cobra.Command) {
	path := cmd.CommandPath()
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		own, is := completions[path][f.Name]
		if !is {
			own, is = completions[""][f.Name]
		}
		if is {
			_ = cmd.RegisterFlagCompletionFunc(f.Name, own) // fails for a flag that does not exist
		}
	})
	if own, is := arguments[path]; is {
		cmd.ValidArgsFunction = own
	} else if cmd.ValidArgsFunction == nil && !strings.Contains(cmd.Use, " ") {
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	}
	for _, below := range cmd.Commands() {
		complete(below)
	}
}
