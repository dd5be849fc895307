// Package calibrate measures the thresholds below which a decoder may leave inputs out
// (swap.Sparsity), and what that costs.
package calibrate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"dowse/engine/kv"
	"dowse/engine/swap"
	"dowse/engine/transformer"
	"dowse/models"
)

// usualLevels are the sparsities that Run measures by default.
var usualLevels = []float64{.3, .4, .5, .6, .7, .8}

// Options say how thorough Run is. The zero value is the usual.
type Options struct {
	Text    string    // what the texts are, in words, for people
	Levels  []float64 // ascending; nil for 0.3 to 0.8
	Windows int       // how many pieces of the texts are read; 0 for 4
	Tokens  int       // of a window; its second half is observed; 0 for 1024
}

func (o *Options) fill(d *transformer.Decoder) {
	if o.Levels == nil {
		o.Levels = usualLevels
	}
	o.Windows = cmp.Or(o.Windows, 4)
	o.Tokens = min(cmp.Or(o.Tokens, 1024), d.MaxTokens())
}

const (
	// leastObserved is the fewest tokens that thresholds are taken from.
	leastObserved = 64
	// What is left out in a layer changes what comes into the next ones, so that
	// thresholds are taken again with those of the round before in force, until the share is
	// met this closely, or so many times.
	closeShare  = .01
	mostRefined = 6
)

// Run measures on texts which magnitude of the inputs of each projection a share of them
// does not exceed, and what leaving these out costs in perplexity (ActiveFlow 4.1, after
// TEAL). Only the second halves of windows count, which are decoded: prompts are computed
// in full. progress, unless nil, is told the tokens that are computed, of at most how many.
// The result depends on model, texts and options alone. Nobody else may use the decoder
// meanwhile, which must not leave anything out.
func Run(ctx context.Context, d *transformer.Decoder, texts []string, o Options, progress func(done, total int)) (*models.Thresholds, error) {
	if d.Sparsity() > 0 {
		return nil, errors.New("calibrate a decoder that leaves nothing out")
	}
	if d.Config().Mixture.Experts > 0 {
		return nil, errors.New("a mixture of experts leaves out the experts that its router does not choose, and nothing else: there is nothing to calibrate")
	}
	o.fill(d)
	windows := cut(d.Tokenizer().Encode(strings.Join(texts, "\n\n")), o.Tokens, o.Windows)
	if len(windows) == 0 || len(windows[0])/2 < leastObserved {
		return nil, fmt.Errorf("calibrate: the texts have too few tokens; want %d at least", 2*leastObserved)
	}
	c := &calibration{decoder: d, windows: windows, progress: progress, rounds: 1 + mostRefined*len(o.Levels)}
	result := &models.Thresholds{Model: d.Fingerprint(), Text: o.Text, Distilled: d.Config().Distilled}
	dense, err := c.read(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("calibrate: %w", err)
	}
	result.Tokens, result.Perplexity = dense.tokens, dense.perplexity
	for i, share := range o.Levels {
		level, err := c.level(ctx, share, dense.inputs.Thresholds(share))
		if err != nil {
			return nil, fmt.Errorf("calibrate: %w", err)
		}
		result.Levels = append(result.Levels, level)
		c.report(1 + (i+1)*mostRefined)
	}
	return result, nil
}

// cut returns at most n windows of a text. All but a single one have as many tokens.
func cut(ids []int32, tokens, n int) [][]int32 {
	var windows [][]int32
	for at := 0; at+tokens <= len(ids) && len(windows) < n; at += tokens {
		windows = append(windows, ids[at:at+tokens])
	}
	if len(windows) == 0 && len(ids) > 0 {
		windows = [][]int32{ids}
	}
	return windows
}

// calibration is a Run under way.
type calibration struct {
	decoder      *transformer.Decoder
	windows      [][]int32
	progress     func(done, total int)
	done, rounds int // how often all windows were read, and will be at most
}

// reading is what came of reading all windows.
type reading struct {
	inputs     *swap.Magnitudes
	tokens     int // that were observed
	perplexity float64
}

// level settles the thresholds of a share, which begin as those of the dense model.
func (c *calibration) level(ctx context.Context, share float64, t swap.Thresholds) (models.SparsityLevel, error) {
	for round := 1; ; round++ {
		r, err := c.read(ctx, t)
		if err != nil {
			return models.SparsityLevel{}, err
		}
		measured := r.inputs.Share(t)
		if math.Abs(measured-share) > closeShare && round < mostRefined {
			t = r.inputs.Thresholds(share)
			continue
		}
		l := models.SparsityLevel{Sparsity: share, Measured: measured, Perplexity: r.perplexity}
		for _, layer := range t {
			l.Thresholds = append(l.Thresholds, layer[:])
		}
		return l, nil
	}
}

// read decodes the second half of each window with thresholds in force; nil for none.
func (c *calibration) read(ctx context.Context, t swap.Thresholds) (reading, error) {
	d, loss := c.decoder, 0.0
	r := reading{inputs: swap.NewMagnitudes(d.Layers())}
	for _, window := range c.windows {
		s, half := d.NewSequence(), len(window)/2
		err := d.Append(ctx, s, window[:half], nil)
		if err == nil {
			end := d.Watch(t, r.inputs)
			var nats float64
			nats, err = c.surprise(ctx, s, window[half:])
			end()
			loss += nats
		}
		if err := errors.Join(err, s.Free()); err != nil {
			return r, err
		}
		r.tokens += len(window) - half - 1
	}
	r.perplexity = math.Exp(loss / float64(r.tokens))
	c.report(c.done + 1)
	return r, nil
}

// report tells that windows were read so many times.
func (c *calibration) report(rounds int) {
	if c.done == rounds {
		return
	}
	tokens := len(c.windows) * len(c.windows[0])
	if c.done = rounds; c.progress != nil {
		c.progress(c.done*tokens, c.rounds*tokens)
	}
}

// surprise returns the surprise, in nats, of the tokens after the first, decoded some at
// a time. The sequence has them then.
func (c *calibration) surprise(ctx context.Context, s *transformer.Sequence, ids []int32) (float64, error) {
	d, total := c.decoder, 0.0
	logits := make([]float32, kv.MaxTree*d.Vocabulary())
	for at := 0; at < len(ids)-1; at += kv.MaxTree {
		n := min(kv.MaxTree, len(ids)-1-at)
		tree, path := kv.Tree{Tokens: ids[at : at+n]}, make([]int32, n)
		for i := range n {
			tree.Parents, path[i] = append(tree.Parents, int32(i-1)), int32(i)
		}
		own := logits[:n*d.Vocabulary()]
		if err := d.Verify(ctx, s, tree, own); err != nil {
			return 0, err
		}
		for i := range n {
			total += surprise(own[i*d.Vocabulary():(i+1)*d.Vocabulary()], ids[at+i+1])
		}
		if err := s.Keep(path); err != nil {
			return 0, err
		}
	}
	return total, nil
}

// surprise is minus the logarithm of the probability of a token.
func surprise(logits []float32, id int32) float64 {
	largest, total := logits[0], 0.0
	for _, v := range logits {
		largest = max(largest, v)
	}
	for _, v := range logits {
		total += math.Exp(float64(v - largest))
	}
	return math.Log(total) - float64(logits[id]-largest)
}
