package indexes

import (
	"context"

	"dowse/engine"
	"dowse/indexer/paths"
)

// forgetSaid erases past answers, since they do not say of which files they were made, and looks for conversations that
// hold passages of the folder.
func (c *folderChange) forgetSaid(ctx context.Context) error {
	forgotten, err := c.s.Models.Chosen().Writer.Forget(ctx, c.s.past)
	if err != nil {
		return err
	}
	c.report.Answers = forgotten.Answers
	if err := c.opener.Home.ScrubLogs(c.of.Path); err != nil {
		return err
	}
	list, err := c.s.conversations.Conversations(ctx)
	if err != nil {
		return err
	}
	for _, each := range list {
		said, err := c.s.conversations.Conversation(ctx, each.Name)
		if err != nil || !tellsOf(said, c.of.Path) {
			continue // one that cannot be read says so where they are listed
		}
		c.report.Conversations = append(c.report.Conversations, each.Name)
		if c.Conversations {
			if _, err := c.s.conversations.DeleteConversation(ctx, each.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

// tellsOf reports whether a conversation holds a passage of a folder.
func tellsOf(said *engine.Conversation, folder string) bool {
	for _, t := range said.Turns {
		for _, p := range t.Passages {
			if paths.Within(p.Path, folder) {
				return true
			}
		}
	}
	return false
}
