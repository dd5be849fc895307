package transformer

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"

	"dowse/engine/kernel"
	"dowse/engine/kv"
	"dowse/models"
)

// usualLevels are the sparsities that Calibrate measures by default.
var usualLevels = []float64{.3, .4, .5, .6, .7, .8}

// CalibrationOptions say how thorough Calibrate is. The zero value is the usual.
type CalibrationOptions struct {
	Text    string    // what the texts are, in words, for people
	Levels  []float64 // ascending; nil for 0.3 to 0.8
	Windows int       // how many pieces of the texts are read, of which thresholds are taken; 0 for 8
	Scored  int       // in how many of them perplexity is measured, at each level; 0 for 2, below 0 for none
	Tokens  int       // of a window; 0 for 1024. The second half of each is observed.
}

func (o *CalibrationOptions) fill(d *Decoder) {
	if o.Levels == nil {
		o.Levels = usualLevels
	}
	if o.Windows == 0 {
		o.Windows = 8
	}
	if o.Scored == 0 {
		o.Scored = 2
	}
	if o.Tokens == 0 {
		o.Tokens = 1024
	}
	o.Tokens = min(o.Tokens, d.MaxTokens())
}

// leastObserved is the fewest tokens that thresholds are taken from.
const leastObserved = 64

// Calibrate measures on texts, with all weights, which magnitude of the inputs of each
// projection a share of them does not exceed, and what it costs in perplexity to leave
// these out (ActiveFlow 4.1, after TEAL). Only the second halves of windows count: what
// a prompt begins with is not what is decoded behind it. Texts are read one after the other;
// progress, unless nil, is told how many tokens of how many are computed. What comes
// out depends on model, texts and options alone. Nobody else may use the decoder meanwhile.
func (d *Decoder) Calibrate(ctx context.Context, texts []string, o CalibrationOptions, progress func(done, total int)) (*models.Thresholds, error) {
	if d.network.thresholds != nil {
		return nil, errors.New("calibrate a decoder that leaves nothing out")
	}
	o.fill(d)
	windows := cut(d.tokenizer.Encode(strings.Join(texts, "\n\n")), o.Tokens, o.Windows)
	if len(windows) == 0 || len(windows[0])/2 < leastObserved {
		return nil, fmt.Errorf("calibrate: the texts have too few tokens; want %d at least", 2*leastObserved)
	}
	c := &calibration{decoder: d, windows: windows, options: o, seen: newInputMagnitudes(d.config.Layers), progress: progress}
	c.total = len(windows) * o.Tokens
	if o.Scored > 0 {
		c.total += min(o.Scored, len(windows)) * o.Tokens / 2 * (1 + len(o.Levels))
	}
	result, err := c.run(ctx)
	if err != nil {
		return nil, fmt.Errorf("calibrate: %w", err)
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

// calibration is a Calibrate under way.
type calibration struct {
	decoder     *Decoder
	windows     [][]int32
	options     CalibrationOptions
	seen        *inputMagnitudes
	progress    func(done, total int)
	done, total int
}

func (c *calibration) run(ctx context.Context) (*models.Thresholds, error) {
	d := c.decoder
	result := &models.Thresholds{Model: hex.EncodeToString(d.sum[:]), Text: c.options.Text, Perplexity: 1}
	for _, window := range c.windows {
		if err := c.observe(ctx, window); err != nil {
			return nil, err
		}
		result.Tokens += len(window) - len(window)/2
	}
	all := append([]float64{0}, c.options.Levels...)
	losses, left := make([]float64, len(all)), make([]tallied, len(all))
	thresholds := make([]Thresholds, len(all))
	for i, level := range c.options.Levels {
		thresholds[i+1] = c.seen.thresholds(level)
	}
	scored := c.windows[:max(0, min(c.options.Scored, len(c.windows)))]
	for _, window := range scored {
		if err := c.score(ctx, window, thresholds, losses, left); err != nil {
			return nil, err
		}
	}
	perplexity := func(i int) float64 { return math.Exp(losses[i] / float64(max(1, len(scored)))) }
	result.Perplexity = perplexity(0)
	for i, level := range c.options.Levels {
		l := models.SparsityLevel{Sparsity: level, Measured: left[i+1].share(), Perplexity: perplexity(i + 1)}
		for _, layer := range thresholds[i+1] {
			l.Thresholds = append(l.Thresholds, layer[:])
		}
		result.Levels = append(result.Levels, l)
	}
	return result, nil
}

// observe counts the inputs of the second half of a window.
func (c *calibration) observe(ctx context.Context, window []int32) error {
	s := c.decoder.NewSequence()
	half := len(window) / 2
	err := c.decoder.Append(ctx, s, window[:half], nil)
	if err == nil {
		c.decoder.network.observer = c.seen
		err = c.decoder.Append(ctx, s, window[half:], nil)
		c.decoder.network.observer = nil
	}
	c.report(len(window))
	return errors.Join(err, s.Free())
}

// score adds the mean surprise of the second half of a window to losses, one for each
// of the thresholds, nil ones being none.
func (c *calibration) score(ctx context.Context, window []int32, thresholds []Thresholds, losses []float64, left []tallied) error {
	d := c.decoder
	s, half := d.NewSequence(), len(window)/2
	err := d.Append(ctx, s, window[:half], nil)
	for i := 0; i < len(thresholds) && err == nil; i++ {
		var loss float64
		if thresholds[i] != nil {
			d.network.thresholds = thresholds[i]
			d.network.observer = &leftOut{thresholds: thresholds[i], tallied: &left[i]}
		}
		loss, err = c.surprise(ctx, s, window[half:])
		d.network.thresholds, d.network.observer = nil, nil
		losses[i] += loss
		err = errors.Join(err, s.Truncate(half))
		c.report(len(window) - half)
	}
	return errors.Join(err, s.Free())
}

// surprise returns the mean surprise, in nats, of the tokens after the first, decoded
// some at a time. The sequence has them then.
func (c *calibration) surprise(ctx context.Context, s *Sequence, ids []int32) (float64, error) {
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
	return total / float64(len(ids)-1), nil
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

func (c *calibration) report(tokens int) {
	c.done += tokens
	if c.progress != nil {
		c.progress(min(c.done, c.total), c.total)
	}
}

// tallied counts inputs, and those of them that were left out.
type tallied struct{ out, all atomic.Int64 }

// share returns how many were left out; 0 if nothing was counted.
func (t *tallied) share() float64 { return float64(t.out.Load()) / float64(max(1, t.all.Load())) }

// leftOut is an inputObserver that counts what thresholds leave out.
type leftOut struct {
	thresholds Thresholds
	tallied    *tallied
}

func (l *leftOut) see(layer, part int, x []float32, weights *kernel.Linear) {
	out, threshold := int64(0), l.thresholds[layer][part]
	for i, v := range x {
		if weights.In != nil {
			v *= weights.In[i%weights.K]
		}
		if float32(math.Abs(float64(v))) <= threshold {
			out++
		}
	}
	l.tallied.out.Add(out)
	l.tallied.all.Add(int64(len(x)))
}
