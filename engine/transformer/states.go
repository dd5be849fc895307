package transformer

import (
	"context"
	"errors"

	"dowse/engine/memory"
	"dowse/engine/weights"
)

// piece is candidates with adjacent hidden states, which one worker computes at a time.
type piece struct {
	candidates []int
	batch
}

// states keeps the hidden states of the candidates of a pass.
type states interface {
	// keep drops the states of all candidates that are not in active, which ascends.
	keep(active []int)
	// each hands all kept candidates to run, in one or several rounds, to change in place.
	each(ctx context.Context, mode access, run func([]piece) error) error
	// traffic is the bytes read from and written to a file so far.
	traffic() (read, written int64)
	close() error
}

// access is how a round uses states.
type access int

const (
	update  access = iota // reads and writes them
	create                // writes them
	consume               // reads them
)

// newStates makes room for the states of candidates of the given lengths.
func newStates(lengths []int, width int, p Plan, o *CrossEncoderOptions) (states, error) {
	if p.Offload {
		s := &offloadedStates{width: width, lengths: lengths, threads: o.Threads}
		if err := s.open(p.ChunkRows, o); err != nil {
			return nil, errors.Join(err, s.close())
		}
		return s, nil
	}
	buffer, err := memory.NewBuffer(o.Ledger, weights.HiddenPool, 4*sum(lengths)*width)
	if err != nil {
		return nil, err
	}
	return &residentStates{
		buffer: buffer, width: width, lengths: lengths, kept: upTo(len(lengths)),
		chunkRows: p.ChunkRows, threads: o.Threads,
	}, nil
}

// residentStates are in memory, candidate after candidate, without gaps.
type residentStates struct {
	buffer    *memory.Buffer
	width     int
	lengths   []int // of all candidates
	kept      []int // ascending; their states lie in this order
	chunkRows int
	threads   int
}

// upTo returns 0 to n-1.
func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func (s *residentStates) keep(active []int) {
	s.kept = compact(s.buffer.Float32(), s.kept, active, s.lengths, s.width)
}

// compact moves the states of active candidates together, over the others, and returns
// active. Both lists ascend; active is a part of stored.
func compact(hidden []float32, stored, active, lengths []int, width int) []int {
	kept := make([]int, 0, len(active))
	from, to := 0, 0
	for _, c := range stored {
		size := lengths[c] * width
		if len(kept) < len(active) && active[len(kept)] == c {
			if from != to {
				copy(hidden[to:to+size], hidden[from:])
			}
			kept = append(kept, c)
			to += size
		}
		from += size
	}
	return kept
}

func (s *residentStates) each(_ context.Context, _ access, run func([]piece) error) error {
	rows := s.chunkRows
	if total := tokensOf(s.lengths, s.kept); total < rows*s.threads { // something for every worker
		rows = (total + s.threads - 1) / s.threads
	}
	return run(split(s.buffer.Float32(), s.kept, s.lengths, s.width, rows))
}

func (s *residentStates) traffic() (read, written int64) { return 0, 0 }
func (s *residentStates) close() error                   { return s.buffer.Free() }

// sum adds numbers up.
func sum(numbers []int) int {
	total := 0
	for _, n := range numbers {
		total += n
	}
	return total
}

// tokensOf adds up the lengths of some candidates.
func tokensOf(lengths, candidates []int) int {
	total := 0
	for _, c := range candidates {
		total += lengths[c]
	}
	return total
}

// split cuts candidates whose states lie in this order into pieces of at most
// rows tokens, or of one candidate.
func split(hidden []float32, candidates, lengths []int, width, rows int) []piece {
	var pieces []piece
	for _, group := range groups(candidates, lengths, rows) {
		p := piece{candidates: group}
		for _, c := range group {
			p.lengths = append(p.lengths, lengths[c])
		}
		size := tokensOf(lengths, group) * width
		p.hidden, hidden = hidden[:size:size], hidden[size:]
		pieces = append(pieces, p)
	}
	return pieces
}

// groups cuts a list of candidates into stretches of at most rows tokens, or
// of one candidate.
func groups(candidates, lengths []int, rows int) [][]int {
	var list [][]int
	for from := 0; from < len(candidates); {
		to, total := from+1, lengths[candidates[from]]
		for to < len(candidates) && total+lengths[candidates[to]] <= rows {
			total += lengths[candidates[to]]
			to++
		}
		list = append(list, candidates[from:to])
		from = to
	}
	return list
}
