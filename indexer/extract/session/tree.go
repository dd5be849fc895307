package session

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// node is a message of a tree.
type node struct {
	parent   string
	children []string
	turn     turn
}

// walk returns the turns of a tree: those on the way to current first, then each way that left another one, as a branch
// of its own. Each message is read once, whatever the tree says.
func walk(nodes map[string]*node, current string) (turns []turn) {
	onWay, seen := map[string]bool{}, map[string]bool{}
	for id := current; nodes[id] != nil && !onWay[id]; id = nodes[id].parent {
		onWay[id] = true
	}
	ways := slices.DeleteFunc(slices.Sorted(maps.Keys(nodes)), func(id string) bool { return nodes[nodes[id].parent] != nil })
	slices.SortStableFunc(ways, func(a, b string) int { return order(onWay[b]) - order(onWay[a]) })
	for branch := 1; len(ways) > 0; {
		id := ways[0]
		ways = ways[1:]
		before := len(turns)
		for n := nodes[id]; n != nil && !seen[id]; n = nodes[id] {
			seen[id] = true
			if n.turn.who != "" && strings.TrimSpace(n.turn.text) != "" {
				n.turn.branch = branch
				turns = append(turns, n.turn)
			}
			id = ""
			for _, child := range n.children {
				if id == "" || onWay[child] && !onWay[id] {
					id, child = child, id
				}
				if child != "" {
					ways = append(ways, child)
				}
			}
		}
		if len(turns) > before {
			branch++
		}
	}
	return turns
}

func order(first bool) int {
	if first {
		return 1
	}
	return 0
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
			Message  *struct {
				Author    struct{ Role string }
				Created   moment `json:"create_time"`
				Recipient string
				Content   struct {
					Type  string `json:"content_type"`
					Parts words
					Text  string
				}
				Metadata struct {
					Model  string `json:"model_slug"`
					Hidden bool   `json:"is_visually_hidden_from_conversation"`
				}
			}
		}
	}
	if json.Unmarshal(object, &in) != nil || len(in.Mapping) == 0 {
		return c, false
	}
	c.title, c.at = in.Title, in.Created.Time
	nodes := make(map[string]*node, len(in.Mapping))
	for id, m := range in.Mapping {
		if m == nil {
			continue
		}
		n := &node{parent: m.Parent, children: m.Children}
		if s := m.Message; s != nil && !s.Metadata.Hidden && (s.Recipient == "" || s.Recipient == "all") && (s.Content.Type == "text" || s.Content.Type == "multimodal_text") {
			model := s.Metadata.Model
			if model == "" {
				model = in.Model
			}
			n.turn = turn{who: whoOf(s.Author.Role), model: model, text: cited.Replace(string(s.Content.Parts)), at: s.Created.Time}
		}
		nodes[id] = n
	}
	c.turns = walk(nodes, in.Current)
	return c, true
}

// cited takes away the marks that stand for citations.
var cited = strings.NewReplacer("\ue200", "", "\ue201", "", "\ue202", " ")

// openWebUI reads a conversation of Open WebUI's.
func openWebUI(object []byte) (c conversation, ok bool) {
	var in struct {
		Title     string
		CreatedAt moment `json:"created_at"`
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
	if json.Unmarshal(object, &in) != nil || len(in.Chat.History.Messages) == 0 {
		return c, false
	}
	if c.title, c.at = in.Title, in.CreatedAt.Time; c.title == "" {
		c.title = in.Chat.Title
	}
	nodes := map[string]*node{}
	for id, m := range in.Chat.History.Messages {
		if m != nil {
			nodes[id] = &node{parent: m.ParentID, children: m.ChildrenIDs, turn: turn{who: whoOf(m.Role), model: m.Model, text: string(m.Content), at: m.Timestamp.Time}}
		}
	}
	c.turns = walk(nodes, in.Chat.History.CurrentID)
	return c, true
}
