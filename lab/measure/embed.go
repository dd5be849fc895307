package measure

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"dowse/engine/kernel"
	"dowse/engine/modelset"
	"dowse/internal/app"
	"dowse/lab/bench"
)

// Ask measures whole one-shot processes of opts.Program over a folder, in a
// home that it makes and removes.
func Ask(ctx context.Context, dir string, opts bench.AskOptions, progress bench.Progress) (_ *bench.AskReport, err error) {
	if opts.Folder, err = app.ResolveFolder(dir); err != nil {
		return nil, err
	}
	if opts.Program, err = filepath.Abs(opts.Program); err != nil {
		return nil, err
	}
	return bench.Ask(ctx, opts, progress)
}

// EmbedOptions say what Embed measures.
type EmbedOptions struct {
	Threads  int      // 0 means the setting
	Passages int      // at most so many, spread evenly; 0 means all
	Kernels  []string // nil means all of this machine
	Texts    string   // file to write the passages to; "" writes none
}

// Embed embeds the passages of a folder on several sets of kernels.
func (a *Runner) Embed(ctx context.Context, dir string, opts EmbedOptions, progress bench.Progress) (report *bench.EmbedReport, err error) {
	if opts.Threads < 0 || opts.Passages < 0 {
		return nil, errors.New("--threads and --passages want a number from 0, which means all")
	}
	if opts.Threads == 0 {
		opts.Threads = a.Config.Threads
	}
	folder, err := app.ResolveFolder(dir)
	if err != nil {
		return nil, err
	}
	names := a.kernelNames(opts.Kernels)
	opened, err := a.openKernels(names, opts.Threads)
	defer func() {
		for _, m := range opened {
			err = errors.Join(err, m.Close())
		}
	}()
	if err != nil {
		return nil, err
	}
	corpus, err := bench.ReadCorpus(ctx, []string{folder}, a.corpusOptions(opened[0].Embedder), progress)
	if err != nil {
		return nil, err
	}
	texts := corpus.Texts(opts.Passages)
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
	sets := make([]bench.Kernels, len(names))
	for i, m := range opened {
		e := m.Local()
		if e == nil {
			return nil, errors.New("the settings let a server embed, of which kernels say nothing; dowse models use NAME puts a model of this machine to use")
		}
		sets[i] = bench.Kernels{Name: names[i], Embedder: e, Peak: m.Kernel.Peak(opts.Threads)}
	}
	if report, err = bench.Embed(ctx, texts, sets, progress); err == nil {
		report.Threads = opts.Threads
	}
	return report, err
}

// runtimeKernels is the name of the set that multiplies by ONNX Runtime.
const runtimeKernels = "onnxruntime"

// kernelNames names the sets to run, the slowest and the baseline first.
func (a *Runner) kernelNames(asked []string) []string {
	if len(asked) > 0 {
		return asked
	}
	var names []string
	for _, level := range kernel.ISAs() {
		names = append(names, string(level))
	}
	if a.RuntimeLibrary() != "" {
		names = append(names, runtimeKernels)
	}
	return names
}

// openKernels opens the embedder on each set of kernels. The caller closes what it
// returns, after an error too.
func (a *Runner) openKernels(names []string, threads int) (opened []*modelset.Set, err error) {
	for _, name := range names {
		opts := kernel.Options{ISA: kernel.ISA(name), Backend: kernel.Own}
		if name == runtimeKernels {
			opts = kernel.Options{Library: a.RuntimeLibrary(), Backend: kernel.Runtime}
		}
		machine := a.Machine(nil)
		machine.Threads = threads
		m, err := a.OpenModelsWith(opts, machine)
		if err != nil {
			return opened, err
		}
		opened = append(opened, m)
		if name == runtimeKernels {
			// Without its library the own kernels would be measured under its name.
			if err := requireRuntime(m.Kernel); err != nil {
				return opened, err
			}
		}
	}
	return opened, nil
}

// requireRuntime loads ONNX Runtime, or says why it cannot.
func requireRuntime(k *kernel.Kernel) error {
	if k.Describe().Library == "" {
		return errors.New("there is no ONNX Runtime library to measure; run dowse models pull")
	}
	return k.LoadRuntime()
}

// corpusOptions are how indexing would cut text for an embedder.
func (a *Runner) corpusOptions(e modelset.Embedder) bench.CorpusOptions {
	return bench.CorpusOptions{MaxFile: a.Config.MaxFile, Workers: a.Config.Threads, Count: e.Count, Room: e.Room()}
}
