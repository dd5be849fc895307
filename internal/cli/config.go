package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"dowse/internal/app"
	"dowse/internal/child"
	"dowse/internal/config"
	"dowse/internal/home"
)

// newConfig is dowse config: the settings.
func newConfig(s *streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show the settings that are in force, change and check them",
		Long: `Config prints the file of settings with all that there are: those of your file with the line that
they come from, the others as comments with the default that is in force.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return showConfig(s, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	cmd.AddCommand(
		&cobra.Command{
			Use: "set KEY [VALUE]", Short: "Write a setting; without a value take it back", Args: cobra.RangeArgs(1, 2),
			Example: "  dowse config set rerank.time 300ms\n  dowse config set extract.picture '[\"describe\", \"{}\"]'\n  dowse config set folders.~/letters.exclude '*.log, /drafts/'",
			ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
				if len(args) > 0 {
					return nil, cobra.ShellCompDirectiveNoFileComp
				}
				return config.Keys(), cobra.ShellCompDirectiveNoFileComp
			},
			RunE: func(cmd *cobra.Command, args []string) error { return setConfig(cmd.Context(), s, args) },
		},
		&cobra.Command{
			Use: "edit", Short: "Open the file in your editor, and check it before it counts", Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error { return editConfig(cmd.Context(), s) },
		},
		&cobra.Command{
			Use: "check", Short: "Say what is wrong with the file", Args: cobra.NoArgs,
			RunE: func(*cobra.Command, []string) error { return checkConfig(s) },
		},
	)
	return cmd
}

// configFile is the file of settings of this home.
func configFile() (string, error) {
	h, err := home.Find()
	return h.ConfigFile(), err
}

// machineDefaults are the defaults that follow from the machine.
func machineDefaults() map[string]any {
	defaults := map[string]any{"threads": config.Default().Threads}
	if a, err := app.NewReader(func(string) {}); err == nil {
		defaults["memory"] = humanize.Bytes(uint64(a.MemoryBudget()))
	}
	return defaults
}

func showConfig(s *streams, asJSON bool) error {
	path, err := configFile()
	if err != nil {
		return err
	}
	if asJSON {
		all, err := config.InForce(path, machineDefaults())
		if err != nil {
			return err
		}
		return writeJSON(s.out, map[string]any{"path": path, "settings": all})
	}
	text, err := config.Commented(path, machineDefaults())
	if err != nil {
		return err
	}
	from := path
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		from += ", which is not there yet"
	}
	_, err = fmt.Fprintf(s.out, "# %s\n%s", printable(from), printable(text))
	return err
}

func setConfig(ctx context.Context, s *streams, args []string) error {
	path, err := configFile()
	if err != nil {
		return err
	}
	var value *string
	if len(args) == 2 {
		value = &args[1]
	}
	if err := config.Set(path, args[0], value); err != nil {
		return err
	}
	s.note("written to " + path)
	return followConfig(ctx, s)
}

// followConfig has a dowse that runs follow what it can, and says what it cannot.
func followConfig(ctx context.Context, s *streams) error {
	a, err := app.New()
	if err != nil {
		return err
	}
	change, err := a.FollowModel(ctx)
	switch {
	case err != nil:
		s.warn(err.Error())
	case change != nil && !change.Over:
		s.note(change.String())
	}
	if pid := a.Running(ctx); pid != 0 {
		s.note(fmt.Sprintf("process %d took over models and folders; it reads other settings when it starts again", pid))
	}
	return nil
}

func checkConfig(s *streams) error {
	path, err := configFile()
	if err != nil {
		return err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		s.note(path + " is not there: all settings are at their defaults")
		return nil
	}
	if _, err := app.New(); err != nil {
		return err
	}
	all, err := config.InForce(path, nil)
	if err != nil {
		return err
	}
	said := 0
	for _, each := range all {
		if each.Line > 0 {
			said++
		}
	}
	s.note(fmt.Sprintf("%s: %s, nothing wrong", path, counted(said, "setting")))
	return nil
}

// editConfig has a copy edited, and puts it in place when it is right.
func editConfig(ctx context.Context, s *streams) error {
	path, err := configFile()
	if err != nil {
		return err
	}
	editor := os.Getenv("VISUAL")
	if editor == "" {
		editor = os.Getenv("EDITOR")
	}
	if editor == "" {
		return fmt.Errorf("neither VISUAL nor EDITOR is set; set EDITOR to your editor, or edit %s, and run dowse config check", path)
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		commented, err := config.Commented(path, machineDefaults())
		if err != nil {
			return err
		}
		text = []byte(commented)
	} else if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "dowse")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a copy that nobody needs
	edited := filepath.Join(dir, "config.toml")
	if err := os.WriteFile(edited, text, 0o600); err != nil {
		return err
	}
	for {
		words := strings.Fields(editor)
		cmd, err := child.Attended(words[0], append(words[1:], edited)...)
		if err != nil {
			return err
		}
		cmd.Stdin, cmd.Stdout, cmd.Stderr = s.in, os.Stdout, os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%s: %w; the settings are as they were", editor, err)
		}
		after, err := os.ReadFile(edited)
		if err != nil {
			return err
		}
		if string(after) == string(text) {
			s.note("nothing was changed")
			return nil
		}
		err = config.Write(path, after)
		if err == nil {
			s.note("written to " + path)
			return followConfig(ctx, s)
		}
		s.fail(err)
		if !isTerminal(s.in) {
			return errors.New("the settings are as they were")
		}
		if again, err := confirm(ctx, s, "the settings are as they were; edit again?"); err != nil || !again {
			return err
		}
	}
}
