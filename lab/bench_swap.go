package main

import (
	"context"
	"fmt"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"dowse/internal/app"
	"dowse/lab/bench"
	"dowse/lab/measure"
)

// Defaults of the measurement of swapping: an answer behind a few passages.
const (
	benchSwapTokens = 64
	benchSwapPrompt = 256
	benchSwapRounds = 3
)

// swapBench is what the flags of lab bench swap say.
type swapBench struct {
	opts bench.SwapOptions
	one  bench.SwapRun // what a process is told that measures one way

	besideFixed, besideWeights string // sizes
}

func newBenchSwap(s streams) *cobra.Command {
	var b swapBench
	cmd := &cobra.Command{
		Use:   "swap TEXT",
		Short: "Measure how fast a model writes that does not fit into memory",
		Long:  benchSwapHelp,
		Args:  cobra.ExactArgs(1),
	}
	measures(s, cmd, func(ctx context.Context, a *app.App, args []string, progress bench.Progress) (bench.Report, error) {
		return b.run(ctx, a, args[0], progress)
	})
	b.flags(cmd)
	return cmd
}

func (b *swapBench) flags(cmd *cobra.Command) {
	f, opts := cmd.Flags(), &b.opts
	f.Int64Var(&b.one.Memory, "memory", 0, "")
	f.StringVar(&opts.Model, "model", "", "measure this installed model; default the one in use, or the only one that writes")
	f.IntSliceVar(&opts.Shares, "shares", []int{100, 75, 60, 40, 25}, "memory for the weights, in percent of them")
	f.Float64SliceVar(&opts.Levels, "sparsity", nil, "shares of inputs that are left out; default as people get it")
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
	for _, name := range []string{"one", "cgroup", "memory"} {
		_ = f.MarkHidden(name) // there is such a flag
	}
}

// run measures one way, or all ways of an installed model.
func (b *swapBench) run(ctx context.Context, a *app.App, text string, progress bench.Progress) (_ bench.Report, err error) {
	b.one.Prompt, b.one.Tokens, b.one.Threads = b.opts.Prompt, b.opts.Tokens, b.opts.Threads
	if b.opts.BesideFixed, err = sizeOf("--beside-fixed", b.besideFixed); err == nil {
		b.opts.BesideWeights, err = sizeOf("--beside-weights", b.besideWeights)
	}
	if err != nil {
		return nil, err
	}
	b.opts.Text, b.one.Text = text, text
	if b.one.Way != "" {
		return measure.With(a).SwapOne(ctx, b.one, b.opts.Model, b.opts.Levels)
	}
	return measure.With(a).Swap(ctx, b.opts, progress)
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
