package cli

import (
	"fmt"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"dowse/engine"
	"dowse/internal/app"
)

// newForget is dowse forget-answers.
func newForget(s *streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "forget-answers",
		Short: "Erase the past answers that later ones are drafted from",
		Long: `A language model that answers writes faster where it has written the same before.
For that its last answers are kept, in the folder of the index, for you alone to
read. Forget-answers erases them, on disk and in a dowse that runs. Answers are
the same without them, only slower.

Answers in the words of your files and answers of a server are not kept.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := app.New()
			if err != nil {
				return err
			}
			forgotten, err := a.ForgetAnswers(cmd.Context())
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(s.out, forgotten)
			}
			_, err = fmt.Fprintln(s.out, forgottenText(forgotten))
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// forgottenText says what was erased.
func forgottenText(f *engine.Forgotten) string {
	if f.Answers == 0 {
		return "no past answers were kept"
	}
	return fmt.Sprintf("erased %s of %s: %s, %s", counted(f.Answers, "past answer"), counted(f.Models, "model"),
		counted(f.Tokens, "token"), bytesText(f.Bytes))
}

// counted is a number of things.
func counted(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return humanize.Comma(int64(n)) + " " + thing
}
