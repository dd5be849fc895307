package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"dowse/internal/spelt"
)

// didYouMean is what to add to a complaint about a word where a name is nearly it.
func didYouMean(word string, names []string) string {
	if near := spelt.Nearest(word, names); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// flagError words what is wrong with a flag.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	hint := ""
	if near := spelt.Nearest(unknown.GetSpecifiedName(), names); near != "" && len(unknown.GetSpecifiedName()) > 1 {
		hint = "; did you mean --" + near + "?"
	}
	return fmt.Errorf("%w%s; see %s --help", err, hint, cmd.CommandPath())
}

// commandNames are the names of a command's children that a person may call.
func commandNames(parent *cobra.Command) (names []string) {
	for _, cmd := range parent.Commands() {
		if cmd.IsAvailableCommand() {
			names = append(names, cmd.Name())
		}
	}
	return names
}

// unknown refuses a word in the place of a folder that is neither one nor a command, and names what
// may have been meant: a command of nearly that name, or one below another.
func unknown(root *cobra.Command, dirs []string) error {
	if len(dirs) == 0 || strings.ContainsAny(dirs[0], "/\\~ ") {
		return nil // app.ResolveFolder says what is wrong
	}
	word := dirs[0]
	if _, err := os.Lstat(word); err == nil {
		return nil
	}
	meant := deeper(root, word)
	if near := spelt.Nearest(word, commandNames(root)); near != "" {
		meant = append([]string{root.Name() + " " + near}, meant...)
	}
	hint := "dowse --help lists the commands, and dowse -q " + word + " searches for the word"
	if len(meant) > 0 {
		hint = "did you mean " + strings.Join(meant, " or ") + "?"
	}
	return fmt.Errorf("unknown command %s, and no folder has that name; %s", word, hint)
}

// deeper are the commands of that name below others.
func deeper(parent *cobra.Command, word string) (paths []string) {
	for _, cmd := range parent.Commands() {
		for _, below := range cmd.Commands() {
			if cmd.IsAvailableCommand() && below.IsAvailableCommand() && below.Name() == word {
				paths = append(paths, below.CommandPath())
			}
		}
	}
	return paths
}

// variablePrefix begins the names of dowse's own variables of the environment.
const variablePrefix = "DOWSE_"

// variables are those of the environment that mean something, without the prefix.
var variables = []string{"HOME", "LEAN", "VIEWER", "CPU"}

// unknownVariables tells of variables that are nearly one of dowse's, which would do nothing.
func unknownVariables(environ []string) (told []string) {
	for _, v := range environ {
		name, _, _ := strings.Cut(v, "=")
		own, is := strings.CutPrefix(name, variablePrefix)
		if !is || slices.Contains(variables, own) {
			continue
		}
		if near := spelt.Nearest(own, variables); near != "" {
			told = append(told, fmt.Sprintf("the environment variable %s means nothing; did you mean %s?", name, variablePrefix+near))
		}
	}
	return told
}
