package session

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// claudeBlock is a part of a message of Claude.ai's.
type claudeBlock struct {
	Type, Text, Name string
	Input            struct {
		Title, Type, Content, Path string
		NewText                    string `json:"new_str"`
		FileText                   string `json:"file_text"`
	}
}

// isProse says of types and of extensions that words are in them.
var isProse = map[string]bool{"": true, "text/markdown": true, "text/plain": true, ".md": true, ".txt": true}

// claudeMessage is a message of Claude.ai's.
type claudeMessage struct {
	UUID, Sender, Text string
	Parent             string `json:"parent_message_uuid"`
	Content            []claudeBlock
	CreatedAt          moment `json:"created_at"`
	Attachments        []struct {
		Name string `json:"file_name"`
		Text string `json:"extracted_content"`
	}
	Files []struct {
		Name string `json:"file_name"`
	}
}

// turn returns what a message says to a person, with the texts that the assistant wrote beside the conversation.
func (m *claudeMessage) turn() turn {
	var said []string
	for i := range m.Content {
		switch b := &m.Content[i]; {
		case b.Type == "text":
			said = append(said, b.Text)
		case b.Type == "tool_use" && (b.Name == "artifacts" || b.Name == "create_file"):
			in := &b.Input
			title, kind := in.Title, "code/"
			if title == "" && in.Path != "" {
				title = path.Base(in.Path)
			}
			if isProse[in.Type+path.Ext(in.Path)] {
				kind = ""
			}
			said = append(said, written(title, kind, in.Content+in.FileText+in.NewText))
		}
	}
	t := turn{who: whoOf(m.Sender), text: strings.Join(said, "\n\n"), at: m.CreatedAt.Time}
	if strings.TrimSpace(t.text) == "" {
		t.text = m.Text
	}
	for _, a := range m.Attachments {
		if strings.HasPrefix(a.Name, "paste") || a.Name == "" { // long words of the person's
			t.text += "\n\n" + a.Text
		} else {
			t.attach(a.Name)
		}
	}
	for _, f := range m.Files {
		t.attach(f.Name)
	}
	return t
}

// claudeAI reads a conversation of Claude.ai's.
func claudeAI(object []byte) (c conversation, ok bool) {
	var in struct {
		Name, Model string
		CreatedAt   moment `json:"created_at"`
		Leaf        string `json:"current_leaf_message_uuid"`
		Project     struct{ Name string }
		Messages    []claudeMessage `json:"chat_messages"`
	}
	if !decoded(object, &in) {
		return c, false
	}
	c.title, c.at = in.Name, in.CreatedAt.Time
	if in.Project.Name != "" {
		c.tags = []string{in.Project.Name}
	}
	nodes, last := make(map[string]*node, len(in.Messages)), ""
	for i := range in.Messages {
		m := &in.Messages[i]
		n := &node{parent: m.Parent, turn: m.turn()}
		n.turn.model = in.Model
		if m.Parent == "" { // as before there were branches
			n.parent = last
		}
		if last = m.UUID; last == "" {
			last = strconv.Itoa(i)
		}
		if before := nodes[n.parent]; before != nil {
			before.children = append(before.children, last)
		}
		nodes[last] = n
	}
	if nodes[in.Leaf] != nil {
		last = in.Leaf
	}
	c.turns = walk(nodes, last)
	return c, true
}

// claudeProject reads a project of Claude.ai's: what the person told the assistant in it, and the texts that belong to it.
func claudeProject(object []byte) (c conversation, ok bool) {
	var in struct {
		Name, Description string
		Prompt            string `json:"prompt_template"`
		CreatedAt         moment `json:"created_at"`
		Docs              []struct {
			Filename, Content string
			CreatedAt         moment `json:"created_at"`
		}
	}
	if !decoded(object, &in) {
		return c, false
	}
	c.title, c.at = in.Name, in.CreatedAt.Time
	for _, text := range []string{in.Description, in.Prompt} {
		c.turns = append(c.turns, turn{who: me, text: text})
	}
	for _, d := range in.Docs {
		c.turns = append(c.turns, turn{who: me, text: written(d.Filename, "", d.Content), at: d.CreatedAt.Time})
	}
	return c, true
}

// claudeMemory reads what Claude.ai keeps of a person.
func claudeMemory(object []byte) (c conversation, ok bool) {
	var in struct {
		All      string            `json:"conversations_memory"`
		Projects map[string]string `json:"project_memories"`
	}
	if !decoded(object, &in) {
		return c, false
	}
	c.title = "Memory"
	c.turns = append(c.turns, turn{who: assistant, text: in.All})
	for _, id := range slices.Sorted(maps.Keys(in.Projects)) {
		c.turns = append(c.turns, turn{who: assistant, text: in.Projects[id]})
	}
	return c, true
}
