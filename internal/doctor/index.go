package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"dowse/engine"
	"dowse/internal/daemon"
	"dowse/internal/indexes"

	"github.com/dustin/go-humanize"
)

// checkRecords looks at the index as dowse check does.
func (e examination) checkRecords(ctx context.Context) Finding {
	const topic = "records"
	service, err := e.Open(ctx, indexes.Read)
	switch {
	case errors.Is(err, indexes.ErrNothingIndexed):
		return Finding{topic, Fine, "none yet; dowse index DIR indexes a folder"}
	case indexes.Unusable(err):
		return Finding{topic, Broken, err.Error()}
	case err != nil:
		return Finding{topic, Warning, "not looked at: " + err.Error()}
	}
	first := ""
	report, err := service.Check(ctx, func(e engine.Event) {
		if first == "" {
			first = e.Problem
		}
	})
	switch err = errors.Join(err, service.Close()); {
	case err != nil:
		return Finding{topic, Warning, err.Error()}
	case report.Problems > 0:
		return Finding{topic, Broken, fmt.Sprintf("the index has %d problems, such as %s; run dowse index to repair it", report.Problems, first)}
	}
	return Finding{topic, Fine, fmt.Sprintf("of %d files and %d passages, every one as written", report.Files, report.Chunks)}
}

// checkFolders checks whether the indexed folders are there, and how their changes are seen.
func (e examination) checkFolders(ctx context.Context) Finding {
	const topic = "folders"
	service, err := e.Open(ctx, indexes.Read)
	if err != nil {
		return Finding{topic, Fine, "none are looked at: " + err.Error()} // which is judged with the records
	}
	all, err := service.Folders(ctx)
	if err = errors.Join(err, service.Close()); err != nil {
		return Finding{topic, Warning, err.Error()}
	}
	var away, said []string
	for i := range all {
		switch f := &all[i]; {
		case f.Away():
			away = append(away, f.AwayText())
		case f.State == engine.Polled || f.State == engine.Paused:
			said = append(said, fmt.Sprintf("%s is %s", f.Name, strings.TrimSuffix(string(f.State)+": "+f.Why, ": ")))
		}
	}
	if len(away) > 0 {
		return Finding{topic, Warning, strings.Join(append(away, said...), "; ")}
	}
	return Finding{topic, Fine, strings.Join(append([]string{fmt.Sprintf("%d, all of them there", len(all))}, said...), "; ")}
}

// checkOwner checks whether the index is kept fresh.
func (e examination) checkOwner(ctx context.Context) Finding {
	client, err := daemon.Dial(ctx, e.Home.Socket())
	switch {
	case errors.Is(err, daemon.ErrNobody):
		return Finding{"watch", Fine, "no process keeps the index fresh; dowse watch would"}
	case err != nil:
		return Finding{"watch", Warning, err.Error()}
	}
	st, err := client.Status(ctx)
	if err != nil {
		return Finding{"watch", Warning, err.Error()}
	}
	if !st.Watching {
		return Finding{"watch", Fine, "a process serves the index"}
	}
	return Finding{"watch", Fine, fmt.Sprintf("process %d keeps %d folders fresh", st.Owner, len(st.Roots))}
}

// checkConversations reads every conversation.
func (e examination) checkConversations(ctx context.Context) Finding {
	const topic = "conversations"
	var list []engine.Conversation
	err := e.WithConversations(ctx, func(c engine.Conversations) (err error) {
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
