package session

import (
	"slices"
	"strings"
	"time"

	"golang.org/x/net/html"

	"dowse/indexer/document"
	"dowse/internal/pattern"
)

// geminiSession reads a session of Gemini CLI's that is one object.
func geminiSession(object []byte) (c conversation, ok bool) {
	var in struct {
		SessionID, Summary string
		StartTime          moment
		Messages           []geminiMessage
	}
	if !decoded(object, &in) {
		return c, false
	}
	c.title, c.at = in.Summary, in.StartTime.Time
	c.resume = (&agent{resume: "gemini --resume "}).command(&state{ID: in.SessionID})
	for i := range in.Messages {
		if t, ok := in.Messages[i].turn(); ok {
			c.turns = append(c.turns, t)
		}
	}
	return c, true
}

// openWebUI reads a conversation of Open WebUI's.
func openWebUI(object []byte) (c conversation, ok bool) {
	var in struct {
		Title     string
		CreatedAt moment `json:"created_at"`
		Meta      struct{ Tags []string }
		Chat      struct {
			Title   string
			Models  []string
			History struct {
				CurrentID string
				Messages  map[string]*struct {
					ParentID, Role, Model string
					ChildrenIDs           []string
					Content               words
					Timestamp             moment
				}
			}
		}
	}
	if !decoded(object, &in) || len(in.Chat.History.Messages) == 0 {
		return c, false
	}
	if c.title, c.at = in.Title, in.CreatedAt.Time; c.title == "" {
		c.title = in.Chat.Title
	}
	c.tags = in.Meta.Tags
	nodes := map[string]*node{}
	for id, m := range in.Chat.History.Messages {
		if m != nil {
			nodes[id] = &node{parent: m.ParentID, children: m.ChildrenIDs, turn: turn{who: whoOf(m.Role), model: m.Model, text: string(m.Content), at: m.Timestamp.Time}}
		}
	}
	c.turns = walk(nodes, in.Chat.History.CurrentID)
	return c, true
}

// lmStudio reads a conversation of LM Studio's, of each message the version that was chosen last.
func lmStudio(object []byte) (c conversation, ok bool) {
	type version struct {
		Role    string
		Content words
		Sender  struct {
			Name string `json:"senderName"`
		} `json:"senderInfo"`
		Steps []struct {
			Type    string
			Content words
			Style   struct{ Type string }
		}
	}
	var in struct {
		Name          string
		CreatedAt     moment
		LastUsedModel struct{ Identifier string }
		Messages      []struct {
			Versions          []version
			CurrentlySelected int
		}
	}
	if !decoded(object, &in) {
		return c, false
	}
	c.title, c.at = in.Name, in.CreatedAt.Time
	for _, m := range in.Messages {
		for i, v := range m.Versions {
			who, text := whoOf(v.Role), []string{string(v.Content)}
			for _, s := range v.Steps {
				if s.Type == "contentBlock" && s.Style.Type != "thinking" {
					text = append(text, string(s.Content))
				}
			}
			t := turn{who: who, model: v.Sender.Name, text: strings.Join(text, "\n\n")}
			if t.model == "" {
				t.model = in.LastUsedModel.Identifier
			}
			if i != m.CurrentlySelected {
				t.branch = 2 + i
			}
			if who != "" {
				c.turns = append(c.turns, t)
			}
		}
	}
	return c, true
}

// takeoutAsked is how Google's activities of Gemini begin in which a person asked, in several languages; takeoutDid those in which nobody did.
var (
	takeoutAsked = pattern.New(`^(?:Prompted|Asked:?|Branched|Answered|Eingegebener Prompt:|Requête :)\s+`)
	takeoutDid   = pattern.New(`^(?:Used|Gave feedback|Selected preferred|Created|Added)\b`)
)

// takeout reads an activity of Gemini's in an export of Google's: what was asked, and the answer in HTML.
func takeout(object []byte) (c conversation, ok bool) {
	var in struct {
		Title         string
		Time          moment
		SafeHTMLItem  []struct{ HTML string }
		SafeHTMLItem2 []struct{ HTML string } `json:"safeHtmlItems"`
	}
	if !decoded(object, &in) {
		return c, false
	}
	answers := slices.Concat(in.SafeHTMLItem, in.SafeHTMLItem2)
	var texts []string
	for _, item := range answers {
		texts = append(texts, plain(item.HTML))
	}
	return asActivity(in.Title, in.Time.Time, texts)
}

// asActivity returns what was asked of Gemini, and the answers; those after the first are answers that the person asked for again.
func asActivity(title string, at time.Time, answers []string) (c conversation, ok bool) {
	if title == "" || len(answers) == 0 && takeoutDid.MatchString(title) {
		return c, false
	}
	asked := takeoutAsked.ReplaceAllString(title, "")
	c.title, c.at = firstLine(asked), at
	c.turns = append(c.turns, turn{who: me, text: asked})
	for i, answer := range answers {
		c.turns = append(c.turns, turn{who: assistant, model: "Gemini", text: answer, branch: i + 1})
	}
	return c, true
}

// plain returns the words of HTML, a blank line behind each block.
func plain(source string) string {
	var text strings.Builder
	tokens := html.NewTokenizer(strings.NewReader(source))
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return text.String()
		case html.TextToken:
			text.Write(tokens.Text())
		case html.EndTagToken, html.SelfClosingTagToken, html.StartTagToken:
			switch name, _ := tokens.TagName(); string(name) {
			case "p", "div", "li", "ul", "ol", "h1", "h2", "h3", "h4", "pre", "tr", "br":
				text.WriteString("\n\n")
			}
		}
	}
}

// OpenCode writes a session as "opencode export" writes it into a document.
func OpenCode(b *document.Builder, object []byte) {
	if c, ok := openCode(object); ok {
		w := &writer{Builder: b, marks: []document.LineMark{}}
		w.conversation(&c, 0)
	}
}

// openCode reads a session as "opencode export" writes it.
func openCode(object []byte) (c conversation, ok bool) {
	var in struct {
		Info struct {
			ID, Title, Directory string
			Time                 struct{ Created moment }
		}
		Messages []struct {
			Info struct {
				Role, ModelID string
				Time          struct{ Created moment }
			}
			Parts []struct {
				Type, Text string
				Synthetic  bool
			}
		}
	}
	if !decoded(object, &in) {
		return c, false
	}
	c.title, c.at = in.Info.Title, in.Info.Time.Created.Time
	c.resume = (&agent{resume: "opencode --session "}).command(&state{ID: in.Info.ID, Folder: in.Info.Directory})
	for _, m := range in.Messages {
		var text []string
		for _, p := range m.Parts {
			if p.Type == "text" && !p.Synthetic {
				text = append(text, p.Text)
			}
		}
		if who := whoOf(m.Info.Role); who != "" {
			c.turns = append(c.turns, turn{who: who, model: m.Info.ModelID, text: strings.Join(text, "\n\n"), at: m.Info.Time.Created.Time})
		}
	}
	return c, true
}
