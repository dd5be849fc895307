package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"dowse/engine/generate/chat"
)

// PromptSet is a kind of prompts, each the messages of a conversation.
type PromptSet struct {
	Name          string
	Conversations [][]chat.Message
}

// specFile holds the questions of Spec-Bench, one JSON object a line.
const specFile = "question.jsonl"

// chats is the set of conversations. Spec-Bench takes its from MT-Bench and calls
// them by what they are about.
const chats = "chat"

// specSets are the sets of Spec-Bench, by the category of their questions.
var specSets = map[string]string{
	"translation": "translation", "summarization": "summarization", "qa": "questions",
	"math_reasoning": "mathematics", "rag": "passages",
}

// readSpec reads the questions of Spec-Bench, the first turn of each.
func readSpec(folder string) ([]PromptSet, error) {
	data, err := readPublished(folder, specFile)
	if err != nil {
		return nil, fmt.Errorf("read prompts: %w", err)
	}
	var sets []PromptSet
	at := map[string]int{}
	lines := json.NewDecoder(bytes.NewReader(data))
	for line := 1; ; line++ {
		var question struct {
			Category string   `json:"category"`
			Turns    []string `json:"turns"`
		}
		err := lines.Decode(&question)
		if errors.Is(err, io.EOF) {
			return sets, nil
		}
		if err == nil && len(question.Turns) == 0 {
			err = errors.New("it has no turns")
		}
		if err != nil {
			return nil, fmt.Errorf("read prompts: %s: question %d: %w", specFile, line, err)
		}
		name, known := specSets[question.Category]
		if !known {
			name = chats
		}
		i, known := at[name]
		if !known {
			i = len(sets)
			at[name] = i
			sets = append(sets, PromptSet{Name: "spec-bench " + name})
		}
		sets[i].Conversations = append(sets[i].Conversations, []chat.Message{{Role: "user", Content: question.Turns[0]}})
	}
}

// readPublished reads a file of published data: from a folder, or from where it lies
// in a copy of the repository that published it.
func readPublished(folder, file string) ([]byte, error) {
	for _, below := range []string{".", "data/spec_bench"} {
		data, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(below), file))
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return data, err
		}
	}
	return nil, fmt.Errorf("there is no %s in %s", file, folder)
}

// encodedSet is a set of prompts as tokens.
type encodedSet struct {
	name    string
	prompts [][]int32
}

// LeftOut counts the prompts of a set that the model has no room for.
type LeftOut struct {
	Set     string `json:"set"`
	Prompts int    `json:"prompts"`
}

// encode makes tokens of the prompts, leaves out those too long to be answered,
// and keeps as many as are asked for, spread evenly.
func (b *generating) encode(sets []PromptSet, report *GenerateReport) (list []encodedSet, err error) {
	room := b.language.decoder.MaxTokens() - b.opts.Tokens
	found := 0
	for _, set := range sets {
		var fit [][]int32
		for _, messages := range set.Conversations {
			ids, err := b.language.encode(messages)
			if err != nil {
				return nil, err
			}
			if len(ids) > 0 && len(ids) <= room {
				fit = append(fit, ids)
			}
		}
		if n := len(set.Conversations) - len(fit); n > 0 {
			report.LeftOut = append(report.LeftOut, LeftOut{set.Name, n})
		}
		found += len(fit)
		list = append(list, encodedSet{set.Name, spread(fit, b.opts.Queries)})
	}
	if found == 0 {
		return nil, fmt.Errorf("no prompt fits into the model's window of %d tokens and leaves %d for the answer; choose fewer --tokens or another model",
			b.language.decoder.MaxTokens(), b.opts.Tokens)
	}
	return list, nil
}
