package session

import (
	"bytes"
	"encoding/json"
	"strings"

	"dowse/indexer/extract/dates"
)

// words is what a message holds: a text, or blocks of which those of text are kept.
type words string

func (w *words) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*w = words(one)
		return nil
	}
	var many []json.RawMessage
	_ = json.Unmarshal(data, &many) // anything else says nothing
	var all []string
	for _, raw := range many {
		var b struct {
			Type, Text string
			Content    json.RawMessage
			Thought    any
		}
		switch {
		case json.Unmarshal(raw, &one) == nil:
			all = append(all, one)
		case json.Unmarshal(raw, &b) == nil && b.Thought == nil && (b.Type == "" || b.Type == "text" || strings.HasSuffix(b.Type, "put_text")) && b.Text != "":
			all = append(all, b.Text)
		}
	}
	*w = words(strings.Join(all, "\n\n"))
	return nil
}

// isClaude reports whether a file begins as a session of Claude Code.
func isClaude(head []byte) bool {
	return has(head, "parentUuid", "isSidechain") || has(head, "sessionId") && (has(head, "queue-operation") || has(head, "leafUuid") || has(head, "permission-mode")) ||
		has(head, "file-history-snapshot", "messageId") || has(head, "type", "summary", "leafUuid")
}

// claudeLine reads a line of Claude Code's.
func claudeLine(s *state, line []byte) (t turn, ok bool) {
	var l struct {
		Type, UUID, ParentUUID, Timestamp, SessionID, Cwd, Summary, AITitle, CustomTitle string
		IsSidechain, IsMeta, IsCompactSummary                                            bool
		Message                                                                          struct {
			Role, Model string
			Content     words
		}
	}
	if json.Unmarshal(line, &l) != nil {
		return t, false
	}
	if s.ID == "" {
		s.ID = l.SessionID
	}
	if s.Folder == "" {
		s.Folder = l.Cwd
	}
	for _, title := range []string{l.CustomTitle, l.AITitle} {
		if title != "" {
			s.Title = title
		}
	}
	if l.Type == "summary" && l.Summary != "" {
		s.Title = l.Summary
	}
	last := s.Last
	if l.UUID != "" && !l.IsSidechain {
		s.Last = l.UUID
	}
	if l.IsMeta || l.IsCompactSummary || l.Message.Content == "" || l.Type != "user" && l.Type != "assistant" {
		return t, false
	}
	t = turn{who: me, text: string(l.Message.Content), at: dates.Parse(l.Timestamp)}
	if l.Type == "assistant" || l.IsSidechain {
		t.who, t.model = assistant, l.Message.Model
	}
	if l.Type == "user" && !l.IsSidechain && last != "" && l.ParentUUID != "" && l.ParentUUID != last {
		s.Branch++
	}
	return t, true
}

// isCodex reports whether a file begins as a session of Codex.
func isCodex(head []byte) bool { return has(head, "session_meta", "payload") }

// codexLine reads a line of Codex's.
func codexLine(s *state, line []byte) (t turn, ok bool) {
	if !bytes.Contains(line[:min(len(line), 400)], []byte(`"session_meta"`)) && !has(line, "message") && !has(line, "turn_context") {
		return t, false
	}
	var l struct {
		Timestamp, Type string
		Payload         struct {
			Type, Role, ID, Cwd, Model string
			Content                    words
		}
	}
	if json.Unmarshal(line, &l) != nil {
		return t, false
	}
	p := &l.Payload
	switch {
	case l.Type == "session_meta":
		s.ID, s.Folder = p.ID, p.Cwd
	case l.Type == "turn_context":
		s.Model = p.Model
	case l.Type == "response_item" && p.Type == "message" && (p.Role == "user" || p.Role == "assistant"):
		t = turn{who: me, text: string(p.Content), at: dates.Parse(l.Timestamp)}
		if p.Role == "assistant" {
			t.who = assistant
		}
		return t, !strings.HasPrefix(t.text, "# AGENTS.md instructions")
	}
	return t, false
}

// isGemini reports whether a file begins as a session of Gemini CLI, in lines.
func isGemini(head []byte) bool { return has(head, "sessionId", "projectHash", "startTime") }

// geminiMessage is a message of Gemini CLI's.
type geminiMessage struct {
	ID, Type, Timestamp, Model string
	Content                    words
}

func (m *geminiMessage) turn() (t turn, ok bool) {
	t = turn{who: me, model: m.Model, text: string(m.Content), at: dates.Parse(m.Timestamp)}
	if m.Type == "gemini" {
		t.who = assistant
	}
	return t, m.Type == "user" || m.Type == "gemini"
}

// geminiLine reads a line of Gemini CLI's. A message is written again when it is complete.
func geminiLine(s *state, line []byte) (t turn, ok bool) {
	var l struct {
		geminiMessage
		SessionID, Summary string
	}
	if json.Unmarshal(line, &l) != nil {
		return t, false
	}
	if l.SessionID != "" {
		s.ID = l.SessionID
	}
	if l.Summary != "" {
		s.Title = l.Summary
	}
	t, ok = l.turn()
	if said := l.ID + " " + t.text; ok && said == s.Asked {
		return t, false
	} else if ok {
		s.Asked = said
	}
	return t, ok
}
