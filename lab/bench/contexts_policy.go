package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"dowse/internal/eval"
)

// policy keeps the keys and values of conversations within a budget of memory. All
// policies are given the same calls, and the same keys and values.
type policy interface {
	// bring makes a conversation ready for the tokens of a call, and returns the time
	// that it would have waited for a slow disk or for the model and did not. Tokens
	// that are left for the model to compute with the question count as waiting.
	bring(ctx context.Context, c call) (waited time.Duration, err error)
	// extend appends the tokens of the call's question and answer.
	extend(c call) error
	// leave ends the call. It returns once nothing is left to do in the background.
	leave(ctx context.Context, c call) error
	// remove deletes a conversation.
	remove(ctx context.Context, conversation int) error
	// check compares the conversation of a call that was brought with what was made.
	check(c call) error
	// counts returns what was moved so far.
	counts() moved
	close() error
}

// ownPolicy is the name of what dowse does.
const ownPolicy = "dowse"

// keptRatio is the part of their bytes that dowse leaves full chunks, as in use.
const keptRatio = 0.5

// moved counts what a policy did to bring conversations back.
type moved struct {
	Read     int64 `json:"read_bytes"`
	Written  int64 `json:"written_bytes"`
	Computed int   `json:"computed_chunks"`
}

func (m moved) less(other moved) moved {
	return moved{m.Read - other.Read, m.Written - other.Written, m.Computed - other.Computed}
}

// switchRow is what a policy came to over a trace.
type switchRow struct {
	Policy        string  `json:"policy"`
	Conversations int     `json:"conversations"`
	Pattern       string  `json:"pattern"`
	Share         float64 `json:"memory_share"` // of the working set
	Memory        int64   `json:"memory_bytes"`
	Rate          float64 `json:"disk_mb_per_second"` // 0: as fast as it is
	Switches      int     `json:"switches"`
	Mean          float64 `json:"mean_ms"`
	P95           float64 `json:"p95_ms"`
	Whole         float64 `json:"mean_with_question_ms"` // with computing the question
	Under10       float64 `json:"under_10_ms"`           // share of the switches
	Under25       float64 `json:"under_25_ms"`
	Ratio         float64 `json:"ratio"` // of the mean to that of dowse in the same turns
	moved

	latencies []float64 // milliseconds
}

// finish works out what a row shows.
func (r *switchRow) finish(whole float64, did moved) {
	r.Switches, r.moved = len(r.latencies), did
	if r.Switches == 0 {
		return
	}
	under := func(limit float64) float64 {
		n := 0
		for _, ms := range r.latencies {
			countIf(&n, ms <= limit)
		}
		return ratio(n, r.Switches)
	}
	for _, ms := range r.latencies {
		r.Mean += ms / float64(r.Switches)
	}
	r.P95, r.Whole = eval.Percentile(r.latencies, .95), whole/float64(r.Switches)
	r.Under10, r.Under25 = under(10), under(25)
}

// runner gives a policy the calls of a trace.
type runner struct {
	policy policy
	row    switchRow
	made   []*made
	whole  float64       // milliseconds of all switches with computing their questions
	owed   time.Duration // how long the work in the background took that the last call left
	before moved         // counts when the trace began
}

// begin gives the policy the histories.
func (r *runner) begin(ctx context.Context, t *trace) error {
	for i, tokens := range t.histories {
		if err := r.turn(ctx, call{conversation: i, delta: tokens}); err != nil {
			return err
		}
	}
	r.before, r.owed = r.policy.counts(), 0
	r.row.latencies, r.whole = nil, 0
	return nil
}

// turn gives the policy a call. A conversation that begins is no switch.
func (r *runner) turn(ctx context.Context, c call) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s: %w", r.row.Policy, err)
		}
	}()
	if c.fresh {
		if err := r.policy.remove(ctx, c.conversation); err != nil {
			return err
		}
	}
	start := time.Now()
	waited, err := r.policy.bring(ctx, c)
	if err != nil {
		return err
	}
	latency := time.Since(start) + waited + max(0, r.owed-c.pause)
	if c.before > 0 {
		r.row.latencies = append(r.row.latencies, millis(latency))
		r.whole += millis(latency + r.made[c.conversation].computing(c.before, c.before+c.delta))
	}
	if err := errors.Join(r.policy.check(c), r.policy.extend(c)); err != nil {
		return err
	}
	start = time.Now()
	err = r.policy.leave(ctx, c)
	r.owed = time.Since(start)
	return err
}

// finish ends the policy and returns its row.
func (r *runner) finish() (switchRow, error) {
	r.row.finish(r.whole, r.policy.counts().less(r.before))
	return r.row, r.policy.close()
}
