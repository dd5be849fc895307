package cli

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"dowse/engine"
)

func newContextsDelete(s *streams) *cobra.Command {
	var yes, asJSON bool
	cmd := &cobra.Command{
		Use:   "delete NAME...",
		Short: "Erase conversations",
		Long: `Delete erases questions, answers and passages of conversations, and what the
language model computed of them, on disk and in a dowse that runs. On a terminal
it asks first. Your files are not affected.

Past answers that later ones are drafted from are kept apart: dowse forget-answers
erases those.`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: completeNames(0),
		RunE: func(cmd *cobra.Command, names []string) error {
			ctx := cmd.Context()
			var going []engine.Conversation
			for _, name := range names {
				c, err := findConversation(ctx, name)
				if err != nil {
					return missing(s, err)
				}
				going = append(going, *c)
			}
			if !yes && isTerminal(s.in) {
				if ok, err := confirm(ctx, s, deletionText(going)); err != nil || !ok {
					return err
				}
			}
			return deleteConversations(ctx, s, going, asJSON)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// findConversation returns a conversation as it is listed, so that one whose file is
// damaged is found too.
func findConversation(ctx context.Context, name string) (*engine.Conversation, error) {
	list, err := listConversations(ctx)
	if err != nil {
		return nil, err
	}
	for i := range list {
		if list[i].Name == name {
			return &list[i], nil
		}
	}
	return getConversation(ctx, name) // which may be typed otherwise, or says what is like it
}

// deleteConversations erases conversations one after the other and tells of each.
func deleteConversations(ctx context.Context, s *streams, going []engine.Conversation, asJSON bool) error {
	deleted := []engine.DeletedConversation{}
	for _, c := range going {
		gone, err := deleteConversation(ctx, c.Name)
		if err != nil {
			return missing(s, err)
		}
		deleted = append(deleted, *gone)
		if !asJSON {
			if _, err := fmt.Fprintf(s.out, "deleted %s: %s, %s\n", oneLine(gone.Name), counted(gone.Questions, "question"), bytesText(gone.Bytes)); err != nil {
				return err
			}
		}
	}
	if asJSON {
		return writeJSON(s.out, map[string][]engine.DeletedConversation{"deleted": deleted})
	}
	return nil
}

// deleteConversation erases one conversation.
func deleteConversation(ctx context.Context, name string) (gone *engine.DeletedConversation, err error) {
	err = withConversations(ctx, func(c engine.Conversations) (err error) {
		gone, err = c.DeleteConversation(ctx, name)
		return err
	})
	return gone, err
}

// deletionText asks whether conversations shall be erased.
func deletionText(going []engine.Conversation) string {
	questions, bytes := 0, int64(0)
	for _, c := range going {
		questions += c.Count
		bytes += c.Text + c.Keys.Disk
	}
	what := counted(len(going), "conversation")
	if len(going) == 1 {
		what = going[0].Name
	}
	return fmt.Sprintf("delete %s (%s, %s)?", what, counted(questions, "question"), bytesText(bytes))
}

// confirm asks the person at the terminal. An end of dowse is a no.
func confirm(ctx context.Context, s *streams, question string) (bool, error) {
	fmt.Fprint(s.err, oneLine(question)+" [y/N] ")
	said := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(s.in).ReadString('\n')
		said <- line
	}()
	select {
	case <-ctx.Done():
		fmt.Fprintln(s.err)
		return false, ctx.Err()
	case line := <-said:
		switch strings.ToLower(strings.TrimSpace(line)) {
		case "y", "yes":
			return true, nil
		}
		s.note("nothing was deleted")
		return false, errNothing
	}
}
