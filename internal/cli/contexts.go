package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"dowse/engine"
	"dowse/internal/app"
)

// newContexts is dowse contexts and its verbs.
func newContexts(s *streams) *cobra.Command {
	list := newContextsList(s)
	cmd := &cobra.Command{
		Use:   "contexts",
		Short: "List, show, rename and delete the conversations that are kept",
		Long: `A conversation is questions and answers in a row. It is begun, and gone on with, by

  dowse -q "when does the train leave?" --answer --context "trip to Porto"
  dowse -q "and back?" --answer --context "trip to Porto"

Questions, answers and the passages that they rest on are kept in the folder of
the index, for you alone to read, and beside them what the language model
computed of them, so that it need not read the conversation again. Delete erases
all of that. Without a verb the conversations are listed.`,
		RunE: list.RunE,
	}
	cmd.Flags().AddFlagSet(list.Flags())
	cmd.AddCommand(list, newContextsShow(s), newContextsRename(s), newContextsDelete(s))
	return cmd
}

// withConversations calls f on the conversations of this home.
func withConversations(ctx context.Context, f func(engine.Conversations) error) error {
	a, err := app.NewReader(func(string) {}) // conversations do not depend on the settings
	if err != nil {
		return err
	}
	return a.WithConversations(ctx, f)
}

// listConversations returns all conversations, the one asked last first.
func listConversations(ctx context.Context) (list []engine.Conversation, err error) {
	err = withConversations(ctx, func(c engine.Conversations) (err error) {
		list, err = c.Conversations(ctx)
		return err
	})
	return list, err
}

// getConversation returns one conversation with its turns.
func getConversation(ctx context.Context, name string) (found *engine.Conversation, err error) {
	err = withConversations(ctx, func(c engine.Conversations) (err error) {
		found, err = c.Conversation(ctx, name)
		return err
	})
	return found, err
}

// completeNames completes the names of conversations that are not given yet, up to most arguments.
func completeNames(most int) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if most > 0 && len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		list, err := listConversations(cmd.Context())
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		var names []string
		for _, c := range list {
			if !slices.Contains(args, c.Name) {
				names = append(names, c.Name)
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
}

func newContextsList(s *streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the conversations, the one asked last first",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			list, err := listConversations(cmd.Context())
			if err != nil {
				return err
			}
			if asJSON {
				if list == nil {
					list = []engine.Conversation{}
				}
				err = writeJSON(s.out, map[string][]engine.Conversation{"conversations": list})
			} else {
				err = printConversations(s, list)
			}
			if err == nil && len(list) == 0 {
				err = errNothing
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// printConversations lists conversations for people.
func printConversations(s *streams, list []engine.Conversation) error {
	if len(list) == 0 {
		s.note(`dowse: no conversations are kept; dowse -q "..." --answer --context NAME begins one`)
		return nil
	}
	t := newTable(s.out)
	for _, c := range list {
		t.row(c.Name, counted(c.Count, "question"), askedText(time.Now(), c.Updated), bytesText(c.Text+c.Keys.Disk)+" on disk", keysText(c.Keys))
	}
	if err := t.flush(); err != nil {
		return err
	}
	for _, c := range list {
		if c.Problem != "" {
			s.note(fmt.Sprintf("dowse: %s: %s", c.Name, c.Problem))
		}
	}
	return nil
}

func newContextsShow(s *streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:               "show NAME",
		Short:             "Print the questions and answers of a conversation",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completeNames(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := getConversation(cmd.Context(), args[0])
			if err != nil {
				return missing(s, err)
			}
			if c.Problem != "" {
				s.note(fmt.Sprintf("dowse: %s: %s", c.Name, c.Problem))
			}
			if asJSON {
				for _, turn := range c.Turns {
					for i, p := range turn.Passages {
						turn.Passages[i].PathBytes = bytesOf(p.Path)
					}
				}
				return writeJSON(s.out, c)
			}
			_, err = fmt.Fprint(s.out, conversationText(s.painter(), c, time.Now()))
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// missing makes a conversation that is not there nothing found.
func missing(s *streams, err error) error {
	if errors.Is(err, engine.ErrNoConversation) {
		s.fail(err)
		return errNothing
	}
	return err
}

func newContextsRename(s *streams) *cobra.Command {
	return &cobra.Command{
		Use:               "rename OLD NEW",
		Short:             "Give a conversation another name",
		Args:              cobra.ExactArgs(2),
		ValidArgsFunction: completeNames(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			err := withConversations(cmd.Context(), func(c engine.Conversations) error {
				return c.RenameConversation(cmd.Context(), args[0], args[1])
			})
			if err != nil {
				return missing(s, err)
			}
			_, err = fmt.Fprintf(s.out, "renamed to %s\n", oneLine(args[1]))
			return err
		},
	}
}
