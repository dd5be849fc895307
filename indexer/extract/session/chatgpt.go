package session

import (
	"encoding/json"
	"strings"

	"dowse/internal/pattern"
)

// gptMessage is a message of ChatGPT's.
type gptMessage struct {
	Author    struct{ Role string }
	Created   moment `json:"create_time"`
	Recipient string
	Content   struct {
		Type  string `json:"content_type"`
		Parts words  // of a spoken turn the transcription
		Text  string
	}
	Metadata struct {
		Model    string                  `json:"model_slug"`
		Hidden   bool                    `json:"is_visually_hidden_from_conversation"`
		Attached []struct{ Name string } `json:"attachments"`
		Widget   struct {
			State string `json:"widget_state"`
		} `json:"chatgpt_sdk"`
	}
}

// chatGPT reads a conversation of ChatGPT's.
func chatGPT(object []byte) (c conversation, ok bool) {
	var in struct {
		Title   string
		Created moment `json:"create_time"`
		Current string `json:"current_node"`
		Model   string `json:"default_model_slug"`
		Mapping map[string]*struct {
			Parent   string
			Children []string
			Message  *gptMessage
		}
	}
	if !decoded(object, &in) || len(in.Mapping) == 0 {
		return c, false
	}
	c.title, c.at = in.Title, in.Created.Time
	nodes := make(map[string]*node, len(in.Mapping))
	for id, m := range in.Mapping {
		if m == nil {
			continue
		}
		n := &node{parent: m.Parent, children: m.Children}
		if m.Message != nil {
			if n.turn = m.Message.turn(); n.turn.model == "" {
				n.turn.model = in.Model
			}
		}
		nodes[id] = n
	}
	c.turns = walk(nodes, in.Current)
	return c, true
}

// turn returns what a message says to a person: nothing of thoughts, calls of tools and what these return.
func (m *gptMessage) turn() turn {
	t := turn{who: whoOf(m.Author.Role), model: m.Metadata.Model, at: m.Created.Time}
	toAll := m.Recipient == "" || m.Recipient == "all"
	switch {
	case m.Metadata.Hidden:
	case strings.HasPrefix(m.Recipient, "canmore."): // the canvas beside the conversation
		t.text = canvas(m.Content.Text + string(m.Content.Parts))
	case m.Metadata.Widget.State != "":
		t.who, t.text = assistant, uncited(report(m.Metadata.Widget.State))
	case t.who != "" && toAll && (m.Content.Type == "text" || m.Content.Type == "multimodal_text"):
		t.text = uncited(string(m.Content.Parts))
		for _, a := range m.Metadata.Attached {
			t.attach(a.Name)
		}
	}
	return t
}

// attach names an attached file.
func (t *turn) attach(name string) {
	if name != "" {
		t.text += "\n\nAttached: " + name
	}
}

// canvas returns the text that a call writes into a canvas, as a whole or in the places that it changes.
func canvas(call string) string {
	var in struct {
		Name, Type, Content string
		Updates             []struct{ Replacement string }
	}
	_ = json.Unmarshal([]byte(call), &in) // a damaged one writes nothing
	for _, u := range in.Updates {
		in.Content += "\n\n" + u.Replacement
	}
	return written(in.Name, in.Type, in.Content)
}

// written is a text with a title that an assistant wrote beside the conversation.
func written(title, kind, text string) string {
	if text = strings.TrimSpace(text); text == "" {
		return ""
	}
	if language, is := strings.CutPrefix(kind, "code/"); is {
		text = "````" + language + "\n" + text + "\n````"
	}
	return strings.TrimSpace(title + "\n\n" + text)
}

// report returns the report that a widget of deep research shows.
func report(state string) string {
	var in struct {
		Report gptMessage `json:"report_message"`
	}
	_ = json.Unmarshal([]byte(state), &in) // of another widget
	return string(in.Report.Content.Parts)
}

// citation is a mark that stands for a source, a card or a link: private characters around a kind and what it is of; the others are of
// earlier years.
var citation = pattern.New("\ue200(\\w+)\ue202([^\ue201]*)\ue201|[\ue200-\ue206]|【\\d+[^】]*†[^】]*】|:contentReference\\[oaicite:\\d+\\](?:\\{index=\\d+\\})?")

// uncited returns a text without such marks. What a person reads of them stays: the name of a thing, the words of a link.
func uncited(text string) string {
	if !strings.ContainsAny(text, "\ue200\ue201\ue202\ue203\ue204\ue205\ue206【") && !strings.Contains(text, ":contentReference") {
		return text
	}
	return citation.ReplaceAllStringFunc(text, func(mark string) string {
		m := citation.FindStringSubmatch(mark)
		shown, _, _ := strings.Cut(m[2], "\ue202")
		switch m[1] {
		case "url", "link_title":
			return shown
		case "entity":
			var of []string
			if json.Unmarshal([]byte(shown), &of) == nil && len(of) > 1 {
				return of[1]
			}
		}
		return ""
	})
}
