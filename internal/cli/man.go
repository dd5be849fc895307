package cli

import (
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// newMan is dowse man, by which packages get their pages.
func newMan() *cobra.Command {
	return &cobra.Command{
		Use: "man DIR", Short: "Write the manual pages into a folder", Args: cobra.ExactArgs(1), Hidden: true, ValidArgsFunction: folders,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			root := cmd.Root()
			root.DisableAutoGenTag = true // the day of the build says nothing
			return doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "dowse", Manual: "dowse"}, args[0])
		},
	}
}
