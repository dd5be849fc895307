package database

import (
	"context"
	"encoding/json"

	"dowse/indexer/extract/session"
)

// readOpenCode reads the sessions that OpenCode keeps, as it exports them: a session, its messages, their parts. Those of agents
// that another one called are the assistant's work, and left out.
func readOpenCode(ctx context.Context, db *database, w *writer) error {
	type message struct {
		Info  json.RawMessage   `json:"info"`
		Parts []json.RawMessage `json:"parts"`
	}
	type info struct {
		ID        string           `json:"id"`
		Title     string           `json:"title"`
		Directory string           `json:"directory"`
		Time      map[string]int64 `json:"time"`
	}
	var infos []info
	err := db.each(`SELECT id, title, directory, time_created FROM session WHERE parent_id IS NULL ORDER BY time_created, id`, func(r row) {
		infos = append(infos, info{r.text(0), r.text(1), r.text(2), map[string]int64{"created": r.int(3)}})
	})
	if err != nil {
		return err
	}
	s, err := db.prepare(`SELECT m.id, m.data, p.data FROM message m LEFT JOIN part p ON p.message_id = m.id WHERE m.session_id = ? ORDER BY m.time_created, m.id, p.id`)
	if err != nil {
		return err
	}
	defer s.Close() //nolint:errcheck // what failed is in each
	for _, in := range infos {
		if err := ctx.Err(); err != nil || w.Full() {
			return err
		}
		var messages []message
		last := ""
		if err := s.BindText(1, in.ID); err != nil {
			return err
		}
		err := db.rows(s, func(r row) {
			if id := r.text(0); id != last || messages == nil {
				last = id
				messages = append(messages, message{Info: rawJSON(r.text(1))})
			}
			if part := r.text(2); part != "" {
				m := &messages[len(messages)-1]
				m.Parts = append(m.Parts, rawJSON(part))
			}
		})
		if err != nil {
			return err
		}
		object, err := json.Marshal(map[string]any{"info": in, "messages": messages})
		if err != nil {
			return err
		}
		session.OpenCode(w.Builder, object)
	}
	return nil
}

// rawJSON returns a value as it stands; null where it is damaged.
func rawJSON(text string) json.RawMessage {
	if !json.Valid([]byte(text)) {
		return json.RawMessage("null")
	}
	return json.RawMessage(text)
}
