package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"dowse/engine"
	"dowse/internal/app"
)

// newForget is dowse forget-answers.
func newForget(s *streams) *cobra.Command {
	var asJSON, contexts, yes bool
	cmd := &cobra.Command{
		Use:   "forget-answers",
		Short: "Erase the past answers that later ones are drafted from",
		Long: `A language model that answers writes faster where it has written the same before.
For that its last answers are kept, in the folder of the index, for you alone to
read. Forget-answers erases them, on disk and in a dowse that runs. Answers are
the same without them, only slower.

Answers in the words of your files and answers of a server are not kept.

Conversations are kept apart, to be read and gone on with: dowse contexts delete
erases one. With --contexts all of them are erased as well, and the queries that
the screen has kept; on a terminal that is asked about first.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var deleted []engine.DeletedConversation
			var err error
			if contexts {
				if deleted, err = forgetConversations(cmd.Context(), s, yes); err != nil {
					return err
				}
			}
			a, err := app.New()
			if err != nil {
				return err
			}
			asked := 0
			if contexts {
				if asked, err = a.ForgetQueries(); err != nil {
					return err
				}
			}
			forgotten, err := a.ForgetAnswers(cmd.Context())
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(s.out, struct {
					*engine.Forgotten
					Conversations []engine.DeletedConversation `json:"conversations,omitempty"`
					Queries       int                          `json:"queries,omitempty"`
				}{forgotten, deleted, asked})
			}
			text := forgottenText(forgotten) + "\n"
			if contexts {
				text += deletedText(deleted) + "\n"
				if asked > 0 {
					text += "erased " + strings.Replace(counted(asked, "query"), "querys", "queries", 1) + " of the screen\n"
				}
			}
			_, err = fmt.Fprint(s.out, text)
			return err
		},
	}
	cmd.Flags().BoolVar(&contexts, "contexts", false, "erase all conversations too, and the queries of the screen")
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// forgetConversations erases all conversations, once the person agrees.
func forgetConversations(ctx context.Context, s *streams, yes bool) ([]engine.DeletedConversation, error) {
	list, err := listConversations(ctx)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	if !yes && isTerminal(s.in) {
		if ok, err := confirm(ctx, s, deletionText(list)); err != nil || !ok {
			return nil, err
		}
	}
	var deleted []engine.DeletedConversation
	for _, c := range list {
		gone, err := deleteConversation(ctx, c.Name)
		if err != nil {
			return deleted, err
		}
		deleted = append(deleted, *gone)
	}
	return deleted, nil
}

// deletedText says which conversations were erased.
func deletedText(deleted []engine.DeletedConversation) string {
	if len(deleted) == 0 {
		return "no conversations were kept"
	}
	questions, bytes := 0, int64(0)
	for _, d := range deleted {
		questions, bytes = questions+d.Questions, bytes+d.Bytes
	}
	return fmt.Sprintf("erased %s: %s, %s", counted(len(deleted), "conversation"), counted(questions, "question"), bytesText(bytes))
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
