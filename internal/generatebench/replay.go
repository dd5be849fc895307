package generatebench

import (
	"context"
	"fmt"
	"time"

	"dowse/engine/generate/draft"
)

// Result is what a way did with a set.
type Result struct {
	Set, Way string
	Answers  int
	Tokens   int           // emitted by verifications: all but the first of each answer
	Steps    int           // verifications
	Drafted  int           // nodes after the root
	Time     time.Duration // of Propose and Accept
	Prepare  time.Duration // of Begin: reading the prompts
}

// PerStep is the number of tokens that a verification emits: 1 where nothing is
// drafted.
func (r Result) PerStep() float64 { return float64(r.Tokens) / float64(max(r.Steps, 1)) }

// Replay drafts for each item in turn, with trees of at most so many rows, the
// root included, and verifies against the recorded answer.
func Replay(ctx context.Context, set Set, way Way, rows int) (Result, error) {
	result := Result{Set: set.Name, Way: way.Name, Answers: len(set.Items)}
	options := way.Options
	if way.History {
		options.History = draft.NewHistory(0)
	}
	options.Budget.Rows = rows
	drafter := draft.NewDrafter(options)
	var past *counts
	if way.Options.Calibration {
		past = newCounts()
	}
	for i, item := range set.Items {
		if err := ctx.Err(); err != nil {
			return result, err
		}
		result.begin(drafter, item, past)
		result.answer(drafter, item.Answer, rows)
		if past != nil {
			past.add(item.Answer, 1)
		}
		if options.History != nil {
			if err := options.History.Add(fmt.Sprint(i), item.Answer); err != nil {
				return result, err
			}
		}
	}
	return result, nil
}

// ReplayAll replays every set in every way. progress is called from this
// goroutine.
func ReplayAll(ctx context.Context, sets []Set, ways []Way, rows int, progress func(phase string, done, total int)) ([]Result, error) {
	var results []Result
	for _, set := range sets {
		for i, way := range ways {
			progress("replaying "+set.Name, i, len(ways))
			r, err := Replay(ctx, set, way, rows)
			if err != nil {
				return nil, err
			}
			results = append(results, r)
		}
	}
	return results, nil
}

// begin tells the drafter of a prompt and, in place of the model's logits there,
// of what followed in past answers and in the prompt. past is nil for a way that
// does not calibrate.
func (r *Result) begin(d *draft.Drafter, item Item, past *counts) {
	start := time.Now()
	d.Begin(item.Prompt)
	r.Prepare += time.Since(start)
	if past == nil {
		return
	}
	past.add(item.Prompt, 1)
	for i := range item.Prompt {
		d.Observe(i, past.after(item.Prompt[:i+1]))
	}
	past.add(item.Prompt, -1)
}

// answer drafts for an answer.
func (r *Result) answer(d *draft.Drafter, answer []int32, rows int) {
	for at := 0; at < len(answer)-1; {
		start := time.Now()
		tree := d.Propose(answer[at], rows)
		r.Time += time.Since(start)
		predictions := recorded(tree, answer[at:])
		path := tree.Walk(predictions)
		start = time.Now()
		d.Accept(path, predictions)
		r.Time += time.Since(start)
		r.Steps++
		r.Tokens += len(path)
		r.Drafted += tree.Len() - 1
		at += len(path)
	}
}

// unknown is a prediction that no recording tells.
const unknown = -1

// recorded returns what the model put after each node: along the answer, what it
// wrote; below a rejected node nobody knows.
func recorded(tree draft.Tree, answer []int32) []int32 {
	predictions := make([]int32, tree.Len())
	depth := make([]int, tree.Len()) // -1 for what is not in the answer
	for i := range predictions {
		predictions[i] = unknown
		if i > 0 {
			parent := depth[tree.Parents[i]]
			depth[i] = -1
			if parent >= 0 && parent+1 < len(answer) && answer[parent+1] == tree.Tokens[i] {
				depth[i] = parent + 1
			}
		}
		if depth[i] >= 0 && depth[i]+1 < len(answer) {
			predictions[i] = answer[depth[i]+1]
		}
	}
	return predictions
}
