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

func newBenchSwap(s *streams) *cobra.Command {
	var opts bench.SwapOptions
	var shape bench.ShapeOptions
	var one bench.SwapRun
	var memory, thresholds, besideFixed, besideWeights string
	cmd := &cobra.Command{
		Use:   "swap [TEXT]",
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
             "dowse models swap" makes. Inputs below a threshold are left out:
             as --sparsity says, or as people get it.
  cold       The same, but the prompt leaves no rows in memory: the first token waits
             for all that it needs.
  groups     Whole groups are read from the row pack, and nothing is left out.
  streamed   Layers come through two buffers; as many as fit are kept.
  mapped     The pack is mapped, and the system reads its pages as they are used.
  beside     The command of --beside, whose last word is its tokens a second. It is told
             DOWSE_PROMPT, DOWSE_TOKENS and DOWSE_THREADS; and its group, DOWSE_GROUP,
             which it may leave while it loads what is no memory of the model's.
             internal/bench/testdata/llamacpp.py measures llama.cpp.

Columns:
  takes           what auto chose
  of weights      memory for the weights, in percent of their 8-bit form
  from, to        tokens a second of the slowest and the fastest round
  ratio           of tokens a second to the mapped way of the same run
  first token     reading the prompt of --prompt tokens of TEXT, to the first token
  tokens a pass   more than 1 with drafts alone
  hits            active rows that were in memory
  preloaded used  rows read ahead that were active
  on demand       active rows that were read when they were wanted
  peak            the most that the control group held, pages of files included

Tables behind that:
  operators   Of the rows way: how many rows that were read ahead were active
              (guessed right: precision), and how many that were not in memory were
              read ahead (misses guessed: recall).
  loads       Rows of channels of all layers are read as they lie with groups of 1,
              2, 4 and 8 layers; with 1 each row is a read. It is of the bundles
              that the residual stream feeds, and takes channels as active in all
              layers of a group.
  caches      Which active rows of TEXT two caches of equal size would hold: those
              that were active most often in its first half (static), and those of
              the text at hand behind a prompt of 128 tokens (contextual). No fixed
              cache holds more than that of the rows to come (best fixed).

Texts are continued greedily, whatever they say. Ways that leave nothing out must
write the same tokens. Speeds are medians of --rounds, in which the ways take turns.

--shape NAME measures a model that you need not have: llama-2-7b, qwen2.5-7b,
smollm2-135m, qwen3-30b-a3b or mixtral-8x7b with random weights, which say nothing
about quality. They are written once, to the cache or to --dir, and take as much of
the disk as the model: --memory holds a part of them. Tokens are drawn at random.
Ways are rows, of which half of the inputs are left out, or as --sparsity says, and
groups, which leaves nothing out. Of a mixture the experts are read that its routers
choose, beside the mapped file. The disk's bound is the tokens a second if the bytes
that were read were all that takes time.`,
		Args: cobra.MaximumNArgs(1),
	}
	measures(s, cmd, func(ctx context.Context, a *app.App, args []string, progress bench.Progress) (bench.Report, error) {
		bytes, err := sizeOf("--memory", memory)
		if err != nil {
			return nil, err
		}
		one.Memory, one.Prompt, one.Tokens, one.Threads = bytes, opts.Prompt, opts.Tokens, opts.Threads
		switch {
		case one.File != "":
			one.Progress = progress
			return measure.With(a).ShapeOne(ctx, one, thresholds)
		case shape.Shape != "":
			return benchShape(ctx, cmd, a, args, shape, opts, bytes, progress)
		case len(args) == 0:
			return nil, errors.New("name a text whose beginning is the prompt, or a --shape")
		}
		if opts.BesideFixed, err = sizeOf("--beside-fixed", besideFixed); err == nil {
			opts.BesideWeights, err = sizeOf("--beside-weights", besideWeights)
		}
		if err != nil {
			return nil, err
		}
		opts.Text, one.Text = args[0], args[0]
		if one.Way != "" {
			return measure.With(a).SwapOne(ctx, one, opts.Model, opts.Levels)
		}
		return measure.With(a).Swap(ctx, opts, progress)
	})
	f := cmd.Flags()
	f.StringVar(&shape.Shape, "shape", "", "measure random weights of a model of this `NAME`")
	f.StringVar(&shape.Folder, "dir", "", "keep the weights of --shape in this folder instead of the cache")
	f.BoolVar(&shape.Remove, "remove", false, "remove the weights of --shape afterwards")
	f.IntVar(&shape.Bits, "bits", 8, "bits of a weight of --shape: 8 or 4")
	f.IntVar(&shape.GroupLayers, "group", 1, "layers of --shape whose rows lie together: 1, 2, 4 or 8")
	f.StringVar(&memory, "memory", "", "that --shape may take, such as 2GiB; default 2 GiB, of a mixture 4 GiB")
	f.StringVar(&opts.Model, "model", "", "measure this installed model; default the one in use, or the only one that writes")
	f.IntSliceVar(&opts.Shares, "shares", []int{100, 75, 60, 40, 25}, "memory for the weights, in percent of them")
	f.Float64SliceVar(&opts.Levels, "sparsity", nil, "shares of inputs that are left out; default as people get it")
	f.StringSliceVar(&opts.Parts, "parts", nil, "measure only these: speed, loads, caches")
	f.IntVar(&opts.Tokens, "tokens", benchSwapTokens, "tokens that are written")
	f.IntVar(&opts.Prompt, "prompt", benchSwapPrompt, "tokens of the text that are read before")
	f.IntVar(&opts.Rounds, "rounds", benchSwapRounds, "of all ways")
	f.StringVar(&opts.Beside, "beside", "", "measure this `COMMAND` in the same memory")
	f.StringVar(&besideFixed, "beside-fixed", "", "memory that the command takes without its weights, if not that of dowse")
	f.StringVar(&besideWeights, "beside-weights", "", "its weights, of which it gets the same share")
	f.StringSliceVar(&opts.Ways, "ways", nil, "measure these ways alone")
	threadsFlag(cmd, &opts.Threads)
	// What a process is told that measures one way.
	f.StringVar(&one.Way, "one", "", "")
	f.StringVar(&one.Group, "cgroup", "", "")
	f.StringVar(&one.File, "file", "", "")
	f.StringVar(&thresholds, "thresholds", "", "")
	for _, name := range []string{"one", "cgroup", "file", "thresholds"} {
		_ = f.MarkHidden(name) // there is such a flag
	}
	return cmd
}

// benchShape measures a shape. What is not said is what suits a model that is read for
// each token.
func benchShape(ctx context.Context, cmd *cobra.Command, a *app.App, args []string, shape bench.ShapeOptions, opts bench.SwapOptions, memory int64, progress bench.Progress) (bench.Report, error) {
	if len(args) > 0 {
		return nil, errors.New("--shape takes no text: its tokens are drawn at random")
	}
	shape.Memory, shape.Level, shape.Threads = memory, benchShapeLevel, opts.Threads
	shape.Tokens, shape.Prompt, shape.Rounds = opts.Tokens, opts.Prompt, opts.Rounds
	for name, usual := range map[string]struct {
		value *int
		to    int
	}{"tokens": {&shape.Tokens, benchShapeTokens}, "prompt": {&shape.Prompt, benchShapePrompt}, "rounds": {&shape.Rounds, 1}} {
		if !cmd.Flags().Changed(name) {
			*usual.value = usual.to
		}
	}
	if len(opts.Levels) > 0 {
		shape.Level = opts.Levels[0]
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
