package generatebench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"dowse/engine/generate/chat"
)

// PromptSet is a kind of prompts, as a person would write them.
type PromptSet struct {
	Name          string
	Texts         []string
	Conversations [][]chat.Message // or these, as a program asks
}

// specFile holds the questions of Spec-Bench, one JSON object a line.
const specFile = "question.jsonl"

// chats is the set of conversations. Spec-Bench takes its from MT-Bench and calls
// them by what they are about; the traces have the same.
const chats = "chat"

// specSets are the sets of Spec-Bench, by the category of their questions.
var specSets = map[string]string{
	"translation": "translation", "summarization": "summarization", "qa": "questions",
	"math_reasoning": "mathematics", "rag": "passages",
}

// readSpec reads the questions of Spec-Bench, the first turn of each.
func readSpec(folder string) ([]PromptSet, error) {
	data, err := readData(folder, specFile)
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
		sets[i].Texts = append(sets[i].Texts, question.Turns[0])
	}
}

// readTracePrompts reads the prompts of the traces, without the template of the
// model that answered them, and of chats the first turn alone. Drafting knows
// what became of the even ones, so that these are left out.
func readTracePrompts(folder string, withChats bool) ([]PromptSet, error) {
	var sets []PromptSet
	for _, f := range traceFiles {
		if f.name == chats && !withChats {
			continue
		}
		items, err := readItems(folder, f.file)
		if err != nil {
			return nil, fmt.Errorf("read prompts: %w", err)
		}
		set := PromptSet{Name: "prompt-lookup " + f.name}
		for i, item := range items {
			prompts, err := item.prompts()
			if err == nil && len(prompts) == 0 {
				err = errors.New("it has no prompt")
			}
			if err != nil {
				return nil, fmt.Errorf("read prompts: %s: item %d: %w", f.file, i, err)
			}
			if i%2 == 1 {
				set.Texts = append(set.Texts, withoutTemplate(prompts[0]))
			}
		}
		sets = append(sets, set)
	}
	return sets, nil
}

// withoutTemplate is what the user said.
func withoutTemplate(prompt string) string {
	prompt = strings.TrimPrefix(strings.TrimSpace(prompt), "[INST]")
	return strings.TrimSpace(strings.TrimSuffix(prompt, "[/INST]"))
}

// readPrompts reads the prompts of both folders, as far as they are named. Where
// both have chats, these are the same.
func readPrompts(traces, prompts string) ([]PromptSet, error) {
	var sets []PromptSet
	if traces != "" {
		read, err := readTracePrompts(traces, prompts == "")
		if err != nil {
			return nil, err
		}
		sets = append(sets, read...)
	}
	if prompts != "" {
		read, err := readSpec(prompts)
		if err != nil {
			return nil, err
		}
		sets = append(sets, read...)
	}
	return sets, nil
}
