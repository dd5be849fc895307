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

// swapBench holds the flags of lab bench swap.
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
		Long: `Swap measures a model whose weights do not fit into memory, in sizes of memory
that hold --shares of them. Each way runs in a process of its own, in a control
group that holds it to that memory, pages of files included; it needs Linux and a
group that it may make, as root may. The file leaves the page cache before each run.

Ways:
  auto       As people get it: active rows where the model of costs says that they
             pay on this disk, which is measured once, otherwise as streamed.
  drafted    The same with drafts from the text so far, of which a pass checks
             several; one pass reads the same for one token as for many.
  rows       The rows that a token needs are swapped in, from the row pack that
             "dowse models swap" makes. Inputs below a threshold are left out.
  streamed   Layers come through two buffers; as many as fit are kept.
  mapped     The pack is mapped, and the system reads its pages as they are used.
  beside     The command of --beside, whose last word is its tokens a second. It is told
             DOWSE_PROMPT, DOWSE_TOKENS and DOWSE_THREADS; and its group, DOWSE_GROUP,
             which it may leave while it loads what is no memory of the model's.
             lab/bench/testdata/llamacpp.py measures llama.cpp.

Columns:
  takes           what auto chose
  of weights      memory for the weights, in percent of their 8-bit form
  from, to        tokens a second of the slowest and the fastest round
  ratio           of tokens a second to the mapped way of the same run
  first token     reading the prompt of --prompt tokens of TEXT, to the first token
  tokens a pass   more than 1 with drafts alone
  hits            active rows that were in memory
  peak            the most that the control group held, pages of files included

Texts are continued greedily, whatever they say. Ways that leave nothing out must
write the same tokens. Speeds are medians of --rounds, in which the ways take turns.`,
		Args: cobra.ExactArgs(1),
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
	writerFlags(cmd, &opts.WriterOptions)
	f.IntSliceVar(&opts.Shares, "shares", []int{100, 75, 60, 40, 25}, "memory for the weights, in percent of them")
	f.IntVar(&opts.Tokens, "tokens", benchSwapTokens, "tokens that are written")
	f.IntVar(&opts.Prompt, "prompt", benchSwapPrompt, "tokens of the text that are read before")
	f.IntVar(&opts.Rounds, "rounds", benchSwapRounds, "of all ways")
	f.StringVar(&opts.Beside, "beside", "", "measure this `COMMAND` in the same memory")
	f.StringVar(&b.besideFixed, "beside-fixed", "", "memory that the command takes without its weights, if not that of dowse")
	f.StringVar(&b.besideWeights, "beside-weights", "", "its weights, of which it gets the same share")
	f.StringSliceVar(&opts.Ways, "ways", nil, "measure these ways alone")
	f.StringVar(&b.one.Way, "one", "", "")
	f.StringVar(&b.one.Group, "cgroup", "", "")
	for _, name := range []string{"one", "cgroup", "memory"} {
		_ = f.MarkHidden(name) // there is such a flag
	}
}

// run measures one way, or all ways of an installed model.
func (b *swapBench) run(ctx context.Context, a *app.App, text string, progress bench.Progress) (_ bench.Report, err error) {
	b.one.Prompt, b.one.Tokens = b.opts.Prompt, b.opts.Tokens
	if b.opts.BesideFixed, err = sizeOf("--beside-fixed", b.besideFixed); err == nil {
		b.opts.BesideWeights, err = sizeOf("--beside-weights", b.besideWeights)
	}
	if err != nil {
		return nil, err
	}
	b.opts.Text, b.one.Text = text, text
	if b.one.Way != "" {
		return measure.With(a).SwapOne(ctx, b.one, b.opts.WriterOptions)
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
