package cli

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"dowse/internal/atomicfile"
)

// skillText tells agents how to use dowse, in the format of Agent Skills.
//
//go:embed skill.md
var skillText string

// skillFile is where a skill lies below a project, or below the home folder.
var skillFile = filepath.Join(".agents", "skills", "dowse", "SKILL.md")

// newSkill is dowse skill: what agents read about dowse.
func newSkill(s *streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "skill",
		Short: "Tell agents how to use dowse",
	}
	var global, print, force bool
	install := &cobra.Command{
		Use:   "install",
		Short: "Write a skill for agents into this folder",
		Long: `Install writes ` + skillFile + ` into the working folder, or with --global into the home
folder, where agents look for it. A file that was changed is left alone, unless --force is given.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if print {
				_, err := fmt.Fprint(s.out, skillText)
				return err
			}
			return installSkill(s, global, force)
		},
	}
	f := install.Flags()
	f.BoolVar(&global, "global", false, "into the home folder, for all projects")
	f.BoolVar(&print, "print", false, "print the skill and write nothing")
	f.BoolVar(&force, "force", false, "write over a file that was changed")
	cmd.AddCommand(install)
	return cmd
}

// installSkill writes the skill.
func installSkill(s *streams, global, force bool) error {
	dir := "."
	if global {
		var err error
		if dir, err = os.UserHomeDir(); err != nil {
			return fmt.Errorf("the home folder is not known: %w", err)
		}
	}
	path := filepath.Join(dir, skillFile)
	old, err := os.ReadFile(path)
	switch {
	case err == nil && string(old) == skillText:
		s.note(path + " is there already")
		return nil
	case err == nil && !force:
		return fmt.Errorf("%s is there and differs; compare it with dowse skill install --print, and write over it with --force", path)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := atomicfile.WriteFile(path, []byte(skillText), 0o644); err != nil {
		return err
	}
	s.note("wrote " + path)
	return nil
}
