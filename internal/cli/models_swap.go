package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"dowse/internal/app"
	"dowse/models"
)

func newModelsSwap(s *streams) *cobra.Command {
	var o models.SwapOptions
	var asJSON bool
	var text string
	cmd := &cobra.Command{
		Use:   "swap NAME",
		Short: "Convert a language model so that it can be larger than its memory",
		Long: `Swap writes the weights of an installed decoder (Llama, Qwen2, Qwen3) a second
time, row by row: an input channel of several layers at a time. A model of this
form reads the rows that its next token needs, and can answer in less memory than
it has weights. The ordinary form stays, unless --replace removes it once the new
one is written and read back.

--bits 8 keeps the weights as they are. --bits 4 takes half the disk and half the
reading, and answers less exactly. --group says of how many layers the rows lie
together: more make longer reads, and guess further ahead. By default what reads
cost on the disk decides, which is measured once, and 1 if the model fits anyway.

Where memory does not hold a model of this form, small inputs of its projections
are left out of each word that it writes, so that less has to be read. Afterwards it
is measured how small, for several shares, and what that costs in perplexity; up to
a share of 40% is left out, of models of 7 billion weights and more 50%. A model
that fits leaves nothing out.

What is there already is not converted or measured again.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := app.New()
			if err != nil {
				return err
			}
			line := newProgressLine(s.err)
			defer line.done()
			swapped, err := a.SwapModel(cmd.Context(), args[0], o, text, func(p models.Progress) {
				line.show(p.Step, pullText(p))
			})
			if err != nil {
				return err
			}
			line.done()
			if asJSON {
				return writeJSON(s.out, swapped)
			}
			s.note(swappedText(swapped))
			return nil
		},
	}
	cmd.Flags().IntVar(&o.Bits, "bits", 8, "bits of a weight: 8 or 4")
	cmd.Flags().IntVar(&o.GroupLayers, "group", 0, "layers whose rows lie together: 1, 2, 4 or 8; 0 for what suits the disk")
	cmd.Flags().BoolVar(&o.Replace, "replace", false, "remove the ordinary form afterwards")
	cmd.Flags().StringVar(&text, "text", "", "measure what may be left out on this `FILE`; default dowse's manual")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// rowPackText is what a row pack is like.
func rowPackText(p *models.RowPack) string {
	return fmt.Sprintf("rows of %d bits in groups of %s, %s", p.Bits, counted(p.GroupLayers, "layer"), bytesText(p.Bytes))
}

// swappedText says what was converted, and how large it is.
func swappedText(w models.Swapped) string {
	text := fmt.Sprintf("%s has %s", w.Model, rowPackText(&w.RowPack))
	if !w.Converted {
		text = fmt.Sprintf("%s already has %s; nothing was converted", w.Model, rowPackText(&w.RowPack))
	}
	switch {
	case w.Removed:
		text += fmt.Sprintf("; the ordinary form of %s was removed", bytesText(w.PackBytes))
	case w.Converted:
		text += fmt.Sprintf(", beside the ordinary form of %s", bytesText(w.PackBytes))
	}
	return text
}
