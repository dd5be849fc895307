package generatebench

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"dowse/models/tokenizer"
)

// Item is a prompt with the greedy answer that a model gave.
type Item struct {
	Prompt []int32
	Answer []int32 // ends with the end-of-text token, unless the answer was cut
	// Number is that of the conversation in its set, the same for all its turns.
	Number int
}

// Set is a kind of prompts.
type Set struct {
	Name  string
	Items []Item
}

// The answers that were recorded end at this many tokens at the latest.
const recordedTokens = 500

// The files of the traces, by what their prompts ask for.
var traceFiles = []struct{ name, file string }{
	{"summaries", "cnn_dm_outputs.json"},
	{"rag", "hagrid_outputs.json"},
	{"chat", "mt_bench_output.json"},
}

// traceItem is a prompt of the traces: a string with its template around it, or
// the user's turns without it.
type traceItem struct {
	Prompt    json.RawMessage `json:"prompt"`
	Responses []struct {
		Method string `json:"gen_func"`
		Turn   int    `json:"turn"`
		Text   string `json:"response_text"`
		Tokens int    `json:"num_tokens"`
	} `json:"response_mistral7b"`
}

// readItems reads a file of the traces.
func readItems(folder, file string) ([]traceItem, error) {
	data, err := readData(folder, file)
	if err != nil {
		return nil, err
	}
	var items []traceItem
	if err := json.Unmarshal(data, &items); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return items, nil
}

// readData reads a file of published data: from a folder, or from where it lies
// in a copy of the repository that published it.
func readData(folder string, file string) ([]byte, error) {
	for _, below := range []string{".", "data", "data/spec_bench"} {
		data, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(below), file))
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return data, err
		}
	}
	return nil, fmt.Errorf("there is no %s in %s", file, folder)
}

// none is where there is no token.
const none = -1

// ReadTraces reads the traces of prompt-lookup-decoding: answers that
// Mistral-7B-Instruct gave to summaries, questions about passages and chats. A
// chat is an item for each turn, its prompt the turns before. end is the token
// that ends a text, below 0 if there is none.
func ReadTraces(folder string, t *tokenizer.Tokenizer, end int32) ([]Set, error) {
	var sets []Set
	for _, f := range traceFiles {
		items, err := readItems(folder, f.file)
		if err != nil {
			return nil, fmt.Errorf("read traces: %w", err)
		}
		set := Set{Name: f.name}
		for i, item := range items {
			turns, err := item.turns(t, end)
			if err != nil {
				return nil, fmt.Errorf("read traces: %s: item %d: %w", f.file, i, err)
			}
			for _, turn := range turns {
				turn.Number = i
				set.Items = append(set.Items, turn)
			}
		}
		sets = append(sets, set)
	}
	return sets, nil
}

// turns returns an item for each turn of a conversation.
func (item traceItem) turns(t *tokenizer.Tokenizer, end int32) ([]Item, error) {
	prompts, err := item.prompts()
	if err != nil {
		return nil, err
	}
	var items []Item
	var conversation []int32
	for turn, prompt := range prompts {
		for _, r := range item.Responses {
			if r.Method != "greedy" || r.Turn != turn {
				continue
			}
			conversation = t.AppendLiteral(conversation, prompt)
			// The tokenizer puts the first space itself.
			answer := t.AppendLiteral(nil, strings.TrimPrefix(r.Text, " "))
			if r.Tokens < recordedTokens && end >= 0 {
				answer = append(answer, end)
			}
			items = append(items, Item{Prompt: append([]int32(nil), conversation...), Answer: answer})
			conversation = append(conversation, answer...)
		}
	}
	return items, nil
}

func (item traceItem) prompts() ([]string, error) {
	var whole string
	if json.Unmarshal(item.Prompt, &whole) == nil {
		return []string{whole}, nil
	}
	var turns []string
	if err := json.Unmarshal(item.Prompt, &turns); err != nil {
		return nil, fmt.Errorf("the prompt is neither a string nor a list of them: %w", err)
	}
	for i := range turns {
		turns[i] = "[INST] " + turns[i] + " [/INST]"
	}
	return turns, nil
}
