package bench

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"dowse/models/pack"
)

// tinyShape is a decoder or a mixture small enough to be written in a test.
func tinyShape(t *testing.T, name string) pack.Config {
	t.Helper()
	c, err := pack.SeededShape(name)
	if err != nil {
		t.Fatal(err)
	}
	c.Layers, c.Hidden, c.Heads, c.KVHeads, c.HeadDim, c.Vocabulary, c.Intermediate = 4, 256, 4, 2, 64, 200, 512
	if c.Mixture.Experts > 0 {
		c.Mixture.Width, c.Mixture.Experts = 256, 16
	}
	return c
}

// Tokens that are drawn are decoded by every way, in less memory than the weights take,
// with counts of what was read.
func TestDrawnTokens(t *testing.T) {
	k := newKernel(t)
	for name, ways := range map[string][]string{"llama-2-7b": {SwapRows, SwapGroups}, "qwen3-30b-a3b": {swapExperts, swapMapped}} {
		c := tinyShape(t, name)
		path := filepath.Join(t.TempDir(), "pack")
		if err := pack.WriteSeeded(t.Context(), path, c, shapeSeed, pack.RowOptions{GroupLayers: 1, Bits: 8}, nil); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, way := range ways {
			steps := 0
			r := SwapRun{
				Way: way, File: path, Memory: info.Size() * 9 / 10, Prompt: 5, Tokens: 3, Threads: 1, Swapped: way == SwapRows,
				Progress: func(phase string, _, _ int) {
					if strings.HasSuffix(phase, "/3") {
						steps++
					}
				},
			}
			if c.Mixture.Experts == 0 {
				r.Memory += 8 << 20 // of the readers
			}
			m, err := r.Run(t.Context(), k)
			if err != nil {
				t.Fatalf("%s, %s: %v", name, way, err)
			}
			if m.Tokens != 3 || m.Speed <= 0 || m.First <= 0 || steps != 4 {
				t.Errorf("%s, %s: %+v after %d steps", name, way, m, steps)
			}
		}
	}
}

// A pack is written once, and not where the disk has no room or the person interrupts.
func TestShapePackIsWrittenOnce(t *testing.T) {
	o := ShapeOptions{Shape: "qwen3-30b-a3b", Folder: filepath.Join(t.TempDir(), "shapes"), Bits: 8, GroupLayers: 1, Level: .5, Tokens: 1, Prompt: 1, Rounds: 1}
	p, err := newShapePack(o)
	if err != nil || p.opts.Memory != mixtureMemory || p.size < 28<<30 || p.size > 30<<30 {
		t.Fatalf("%+v, %v", p, err)
	}
	p.config = tinyShape(t, o.Shape)
	if p.size, err = pack.SeededSize(p.config, o.rows()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.provide(ctx, nil, func(string, int, int) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	if left, _ := os.ReadDir(o.Folder); len(left) > 0 {
		t.Errorf("interrupted, it left %v", left)
	}
	written := 0
	for range 2 {
		err := p.provide(t.Context(), nil, func(phase string, done, total int) {
			if strings.Contains(phase, p.path) && done == total {
				written++
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(p.path)
	if err != nil || info.Size() != p.size || written == 0 {
		t.Errorf("%v, %v, written %d times", info, err, written)
	}
	before := written
	if err := p.provide(t.Context(), nil, func(string, int, int) { written++ }); err != nil || written != before {
		t.Errorf("written again, or %v", err)
	}
	if err := errors.Join(p.remove(), p.remove()); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(o.Folder); len(left) > 0 {
		t.Errorf("removed, and there is %v", left)
	}
	p.size = 1 << 60
	if err := p.provide(t.Context(), nil, func(string, int, int) {}); err == nil || !strings.Contains(err.Error(), "--dir") {
		t.Errorf("a pack of an exabyte: %v", err)
	}
}

func TestShapeOptions(t *testing.T) {
	good := ShapeOptions{Shape: "llama-2-7b", Bits: 4, GroupLayers: 4, Level: .5, Tokens: 1, Prompt: 1, Rounds: 1}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
	for says, change := range map[string]func(o *ShapeOptions){
		"no shape":    func(o *ShapeOptions) { o.Shape = "llama-9" },
		"bits":        func(o *ShapeOptions) { o.Bits = 5 },
		"groups of 3": func(o *ShapeOptions) { o.GroupLayers = 3 },
		"--sparsity":  func(o *ShapeOptions) { o.Level = 1 },
		"--tokens":    func(o *ShapeOptions) { o.Tokens = 0 },
		"--prompt":    func(o *ShapeOptions) { o.Prompt = 0 },
		"--rounds":    func(o *ShapeOptions) { o.Rounds = 0 },
		"--memory":    func(o *ShapeOptions) { o.Memory = 1 << 20 },
	} {
		o := good
		change(&o)
		if err := o.Check(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// What a process complains of is told apart from how far it is, and so is what ended it.
func TestFollowedProcesses(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	var steps []int
	out, err := followed(exec.CommandContext(t.Context(), sh, "-c", "echo 1/3 >&2; echo '{}'; echo 2/3 >&2"), func(done, total int) { steps = append(steps, done, total) })
	if err != nil || string(out) != "{}\n" || len(steps) != 4 || steps[2] != 2 {
		t.Errorf("%q, %v, %v", out, steps, err)
	}
	for script, says := range map[string]string{
		"echo 1/3 >&2; echo dowse: no such model >&2; exit 1": "no such model",
		"kill -KILL $$": "more than the limit", "kill -BUS $$": "the mapped pack was cut",
	} {
		if _, err := followed(exec.CommandContext(t.Context(), sh, "-c", script), func(int, int) {}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", script, err)
		}
	}
}

// The report says that the weights are random, and where they lie.
func TestShapeReport(t *testing.T) {
	r := ShapeReport{
		Shape: "llama-2-7b", Seeded: true, Pack: "/p", Size: 6 << 30, Memory: 2 << 30, Bits: 8, Group: 1, Tokens: 8, Prompt: 16, Threads: 2, DiskRate: 1 << 30,
		Rows: []shapeRow{{Way: SwapRows, SwapMeasured: SwapMeasured{Speed: .5, Sparsity: .5, BytesPerToken: 1 << 30}, Bound: 1}, {Way: SwapGroups}},
	}
	for removed, says := range map[bool]string{false: "stays for the next time: /p", true: "was removed"} {
		var text strings.Builder
		r.Removed = removed
		if err := r.Write(&text); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"random weights", "nothing about quality", "through the page cache", "0.17 tokens/s", says} {
			if !strings.Contains(text.String(), want) {
				t.Errorf("%q lacks %q", text.String(), want)
			}
		}
	}
}
