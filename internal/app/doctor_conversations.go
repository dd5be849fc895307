package app

import (
	"context"
	"fmt"

	"github.com/dustin/go-humanize"

	"dowse/engine"
)

// checkConversations reads every conversation.
func (a *App) checkConversations(ctx context.Context) Finding {
	const topic = "conversations"
	var list []engine.Conversation
	err := a.WithConversations(ctx, func(c engine.Conversations) (err error) {
		list, err = c.Conversations(ctx)
		return err
	})
	if err != nil {
		return Finding{topic, Warning, err.Error()}
	}
	bytes := int64(0)
	for _, c := range list {
		if c.Problem != "" {
			return Finding{topic, Warning, fmt.Sprintf("%s: %s", c.Name, c.Problem)}
		}
		bytes += c.Text + c.Keys.Disk
	}
	if len(list) == 0 {
		return Finding{topic, Fine, "none are kept"}
	}
	return Finding{topic, Fine, fmt.Sprintf("%d, %s on disk", len(list), humanize.Bytes(uint64(bytes)))}
}
