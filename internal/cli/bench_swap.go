package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"dowse/internal/app"
	"dowse/internal/bench"
	"dowse/internal/measure"
)

// Defaults of the measurement of swapping: an answer behind a few passages.
const (
	benchSwapTokens = 64
	benchSwapPrompt = 256
	benchSwapRounds = 3
)

// Defaults of --shape, whose tokens take seconds each: one question's worth, and what
// large models leave out.
const (
	benchShapeTokens = 16
	benchShapePrompt = 32
	benchShapeLevel  = 0.5
)

// swapBench is what the flags of dowse bench swap say.
type swapBench struct {
	opts  bench.SwapOptions
	shape bench.ShapeOptions
	one   bench.SwapRun // what a process is told that measures one way

	memory, besideFixed, besideWeights string // sizes
	thresholds                         string
}

func newBenchSwap(s *streams) *cobra.Command {
	var b swapBench
	cmd := &cobra.Command{
		Use:   "swap [TEXT]",
		Short: "Measure how fast a model writes that does not fit into memory",
		Long:  benchSwapHelp,
		Args:  cobra.MaximumNArgs(1),
	}
	measures(s, cmd, func(ctx context.Context, a *app.App, args []string, progress bench.Progress) (bench.Report, error) {
		return b.run(ctx, cmd, a, args, progress)
	})
	b.flags(cmd)
	return cmd
}

func (b *swapBench) flags(cmd *cobra.Command) {
	f, opts, shape := cmd.Flags(), &b.opts, &b.shape
	f.StringVar(&shape.Shape, "shape", "", "measure random weights of a model of this `NAME`")
	f.StringVar(&shape.Folder, "dir", "", "keep the weights of --shape in this folder instead of the cache")
	f.BoolVar(&shape.Remove, "remove", false, "remove the weights of --shape afterwards")
	f.IntVar(&shape.Bits, "bits", 8, "bits of a weight of --shape: 8 or 4")
	f.IntVar(&shape.GroupLayers, "group", 1, "layers of --shape whose rows lie together: 1, 2, 4 or 8")
	f.StringVar(&b.memory, "memory", "", "that --shape may take, such as 2GiB; default 2 GiB, of a mixture 4 GiB")
	f.StringVar(&opts.Model, "model", "", "measure this installed model; default the one in use, or the only one that writes")
	f.IntSliceVar(&opts.Shares, "shares", []int{100, 75, 60, 40, 25}, "memory for the weights, in percent of them")
	f.Float64SliceVar(&opts.Levels, "sparsity", nil, "shares of inputs that are left out; default as people get it")
	f.StringSliceVar(&opts.Parts, "parts", nil, "measure only these: speed, loads, caches")
	f.IntVar(&opts.Tokens, "tokens", benchSwapTokens, "tokens that are written")
	f.IntVar(&opts.Prompt, "prompt", benchSwapPrompt, "tokens of the text that are read before")
	f.IntVar(&opts.Rounds, "rounds", benchSwapRounds, "of all ways")
	f.StringVar(&opts.Beside, "beside", "", "measure this `COMMAND` in the same memory")
	f.StringVar(&b.besideFixed, "beside-fixed", "", "memory that the command takes without its weights, if not that of dowse")
	f.StringVar(&b.besideWeights, "beside-weights", "", "its weights, of which it gets the same share")
	f.StringSliceVar(&opts.Ways, "ways", nil, "measure these ways alone")
	threadsFlag(cmd, &opts.Threads)
	f.StringVar(&b.one.Way, "one", "", "")
	f.StringVar(&b.one.Group, "cgroup", "", "")
	f.StringVar(&b.one.File, "file", "", "")
	f.StringVar(&b.thresholds, "thresholds", "", "")
	for _, name := range []string{"one", "cgroup", "file", "thresholds"} {
		_ = f.MarkHidden(name) // there is such a flag
	}
}

// run measures one way, a shape, or all ways of an installed model.
func (b *swapBench) run(ctx context.Context, cmd *cobra.Command, a *app.App, args []string, progress bench.Progress) (bench.Report, error) {
	bytes, err := sizeOf("--memory", b.memory)
	if err != nil {
		return nil, err
	}
	b.one.Memory, b.one.Prompt, b.one.Tokens, b.one.Threads = bytes, b.opts.Prompt, b.opts.Tokens, b.opts.Threads
	switch {
	case b.one.File != "":
		b.one.Progress = progress
		return measure.With(a).ShapeOne(ctx, b.one, b.thresholds)
	case b.shape.Shape != "":
		return b.runShape(ctx, cmd, a, args, bytes, progress)
	case len(args) == 0:
		return nil, errors.New("name a text whose beginning is the prompt, or a --shape")
	}
	if b.opts.BesideFixed, err = sizeOf("--beside-fixed", b.besideFixed); err == nil {
		b.opts.BesideWeights, err = sizeOf("--beside-weights", b.besideWeights)
	}
	if err != nil {
		return nil, err
	}
	b.opts.Text, b.one.Text = args[0], args[0]
	if b.one.Way != "" {
		return measure.With(a).SwapOne(ctx, b.one, b.opts.Model, b.opts.Levels)
	}
	return measure.With(a).Swap(ctx, b.opts, progress)
}

// runShape measures a shape. What is not said is what suits a model that is read for
// each token.
func (b *swapBench) runShape(ctx context.Context, cmd *cobra.Command, a *app.App, args []string, memory int64, progress bench.Progress) (bench.Report, error) {
	if len(args) > 0 {
		return nil, errors.New("--shape takes no text: its tokens are drawn at random")
	}
	shape := b.shape
	shape.Memory, shape.Level, shape.Threads = memory, benchShapeLevel, b.opts.Threads
	shape.Tokens, shape.Prompt, shape.Rounds = b.opts.Tokens, b.opts.Prompt, b.opts.Rounds
	for name, usual := range map[string]struct {
		value *int
		to    int
	}{"tokens": {&shape.Tokens, benchShapeTokens}, "prompt": {&shape.Prompt, benchShapePrompt}, "rounds": {&shape.Rounds, 1}} {
		if !cmd.Flags().Changed(name) {
			*usual.value = usual.to
		}
	}
	if len(b.opts.Levels) > 0 {
		shape.Level = b.opts.Levels[0]
	}
	return measure.With(a).Shape(ctx, shape, progress)
}

// sizeOf reads a size of a flag, such as 2GiB; "" is 0.
func sizeOf(flag, text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	n, err := humanize.ParseBytes(text)
	if err != nil || n == 0 || n > 1<<50 {
		return 0, fmt.Errorf("%s = %q: want a size such as \"2GiB\"", flag, text)
	}
	return int64(n), nil
}
