package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"dowse/engine"
	"dowse/engine/answer"
	"dowse/internal/generatebench"
	"dowse/models"
)

// citedSet names the questions that are asked over the index.
const citedSet = "cited answers"

// askedOverIndex makes the prompts that the questions of a file, one a line,
// become over what is indexed, for a model trained as purpose says.
func (a *App) askedOverIndex(file string, purpose models.Purpose) (generatebench.Asked, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("--questions: %w", err)
	}
	questions := strings.FieldsFunc(string(data), func(r rune) bool { return r == '\n' || r == '\r' })
	if len(questions) == 0 {
		return nil, fmt.Errorf("--questions %s: there are none; write one on each line", file)
	}
	return func(ctx context.Context, count func(text string) int, tokens int) (sets []generatebench.PromptSet, err error) {
		service, err := a.Open(ctx, Read)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, service.Close()) }()
		options := answer.PromptOptions{
			Counter: counter(count), Tokens: tokens,
			Passages: purpose.Passages, PassageTokens: purpose.PassageTokens,
		}
		set := generatebench.PromptSet{Name: citedSet}
		for _, question := range questions {
			found, err := service.Search(ctx, engine.Request{Query: question, K: engine.AnswerPassages}, nil)
			if err != nil {
				return nil, fmt.Errorf("search for %q: %w", question, err)
			}
			if len(found.Passages) == 0 {
				continue // nothing is asked of a model then
			}
			prompt, err := answer.Assemble(question, answerPassages(found.Passages), options)
			if err != nil {
				return nil, fmt.Errorf("ask %q: %w", question, err)
			}
			set.Conversations = append(set.Conversations, chatMessages(prompt.Messages))
		}
		return []generatebench.PromptSet{set}, nil
	}, nil
}
