package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"dowse/engine/kernel"
	"dowse/indexer/chunk"
	"dowse/indexer/extract"
	"dowse/indexer/skip"
	"dowse/indexer/walk"
)

// BenchEmbedOptions say what BenchEmbed measures.
type BenchEmbedOptions struct {
	Threads  int      // 0 means the setting
	Passages int      // at most so many, spread evenly; 0 means all
	Kernels  []string // nil means all of this machine
	Texts    string   // file to write the passages to; "" writes none
}

// BenchEmbedReport is what BenchEmbed measured.
type BenchEmbedReport struct {
	Passages   int        `json:"passages"`
	MeanTokens float64    `json:"mean_tokens"`
	Threads    int        `json:"threads"`
	Runs       []BenchRun `json:"runs"`
}

// BenchRun is one set of kernels.
type BenchRun struct {
	Kernels   string  `json:"kernels"`
	Seconds   float64 `json:"seconds"`
	Rate      float64 `json:"chunks_per_second"`
	TokenRate float64 `json:"tokens_per_second"`
	Ratio     float64 `json:"ratio"` // to the first run's rate
}

// BenchEmbed embeds the passages of a folder on several sets of kernels.
func (a *App) BenchEmbed(ctx context.Context, dir string, opts BenchEmbedOptions, progress func(kernels string, done, total int)) (*BenchEmbedReport, error) {
	if opts.Threads < 0 || opts.Passages < 0 {
		return nil, errors.New("--threads and --passages want a number from 0, which means all")
	}
	folder, err := ResolveFolder(dir)
	if err != nil {
		return nil, err
	}
	if opts.Threads == 0 {
		opts.Threads = a.Config.Threads
	}
	texts, err := a.passages(ctx, folder)
	if err != nil {
		return nil, err
	}
	if n := opts.Passages; n > 0 && n < len(texts) {
		for i := range n {
			texts[i] = texts[i*len(texts)/n]
		}
		texts = texts[:n]
	}
	if len(texts) == 0 {
		return nil, fmt.Errorf("%s holds no text that would be indexed", dir)
	}
	if opts.Texts != "" {
		data, err := json.Marshal(texts)
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(opts.Texts, data, 0o600); err != nil {
			return nil, fmt.Errorf("cannot write the passages: %w", err)
		}
	}
	report := &BenchEmbedReport{Passages: len(texts), Threads: opts.Threads}
	for _, k := range a.benchKernels(opts.Kernels) {
		run, tokens, err := a.benchRun(ctx, k, opts.Threads, texts, progress)
		if err != nil {
			return nil, err
		}
		report.MeanTokens = float64(tokens) / float64(len(texts))
		report.Runs = append(report.Runs, run)
	}
	for i := range report.Runs {
		report.Runs[i].Ratio = report.Runs[i].Rate / report.Runs[0].Rate
	}
	return report, nil
}

// runtimeKernels is the name of the set that multiplies by ONNX Runtime.
const runtimeKernels = "onnxruntime"

// benchKernels names the sets to run, the slowest and the baseline first.
func (a *App) benchKernels(asked []string) []string {
	if len(asked) > 0 {
		return asked
	}
	var names []string
	for _, level := range kernel.Levels() {
		names = append(names, string(level))
	}
	if a.runtimeLibrary() != "" {
		names = append(names, runtimeKernels)
	}
	return names
}

// passages are the texts that indexing a folder would embed.
func (a *App) passages(ctx context.Context, folder string) ([]string, error) {
	m, err := a.openModel(nil)
	if err != nil {
		return nil, err
	}
	listing, err := walk.List(ctx, []string{folder}, walk.Options{Workers: a.Config.Threads})
	if err != nil {
		return nil, errors.Join(err, m.close())
	}
	var texts []string
	for _, e := range listing.Files {
		doc, err := extract.File(e.Path, extract.Options{MaxBytes: a.Config.MaxFile})
		if _, left := skip.ReasonOf(err); left {
			continue
		}
		if err != nil {
			return nil, errors.Join(err, m.close())
		}
		for _, c := range chunk.Split(doc, chunk.Options{Count: m.embedder.Count}) {
			texts = append(texts, chunk.EmbedText(doc, c))
		}
	}
	return texts, m.close()
}

// benchSlice is how many passages are embedded between reports of progress.
const benchSlice = 256

// benchRun embeds the texts once on one set of kernels, after a warm-up.
func (a *App) benchRun(ctx context.Context, name string, threads int, texts []string, progress func(string, int, int)) (BenchRun, int, error) {
	opts := kernel.Options{Level: kernel.Level(name), Backend: kernel.Own}
	if name == runtimeKernels {
		opts = kernel.Options{Library: a.runtimeLibrary(), Backend: kernel.Runtime}
	}
	m, err := a.openModelWith(opts, threads, nil)
	if err != nil {
		return BenchRun{}, 0, err
	}
	if name == runtimeKernels {
		// Without its library the own kernels would be measured under its name.
		if err := m.requireRuntime(); err != nil {
			return BenchRun{}, 0, errors.Join(err, m.close())
		}
	}
	if _, err := m.embedder.EmbedDocuments(ctx, texts[:min(8, len(texts))]); err != nil {
		return BenchRun{}, 0, errors.Join(err, m.close())
	}
	start, tokens := time.Now(), 0
	for from := 0; from < len(texts); from += benchSlice {
		progress(name, from, len(texts))
		_, n, err := m.embedder.EmbedCounted(ctx, texts[from:min(from+benchSlice, len(texts))])
		if err != nil {
			return BenchRun{}, 0, errors.Join(err, m.close())
		}
		tokens += n
	}
	seconds := time.Since(start).Seconds()
	run := BenchRun{Kernels: name, Seconds: seconds, Rate: float64(len(texts)) / seconds, TokenRate: float64(tokens) / seconds}
	return run, tokens, m.close()
}
