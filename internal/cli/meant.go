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

// misspelt refuses the name of a command that is nearly one where a folder was expected, if there
// is no such folder.
func misspelt(root *cobra.Command, dirs []string) error {
	if len(dirs) == 0 || strings.ContainsAny(dirs[0], "/\\") {
		return nil
	}
	near := spelt.Nearest(dirs[0], commandNames(root))
	if near == "" {
		return nil
	}
	if _, err := os.Lstat(dirs[0]); err == nil {
		return nil
	}
	return fmt.Errorf("there is neither a command nor a folder %s; did you mean dowse %s?", dirs[0], near)
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
