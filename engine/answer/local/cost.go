package local

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"dowse/engine/generate"
	"dowse/engine/opened"
)

// costContext is the tokens before the measured pass: about a short prompt of
// passages. Drafting learns the cost of longer ones.
const costContext = 512

// cost is what passes and prompts take. Measuring takes about as long as a
// short answer, so it is stored for each model and version of dowse, whose
// kernels may differ.
func (w *Writer) cost(ctx context.Context, o *Model) (generate.Costs, error) {
	path := w.costPath(o.key, o.Decoder.Resident())
	if kept, ok := w.readCost(path); ok {
		return generate.Costs{Passes: kept.Seconds, Prompt: kept.Prompt}, nil
	}
	costs, err := o.generator.ProfileBehind(ctx, o.Context, costContext, min(generate.UsualNodes, o.Decoder.MaxTokens()))
	if err != nil {
		return costs, err
	}
	// If it cannot be stored, the next process measures again.
	_ = w.writeCost(path, keptCost{Seconds: costs.Passes, Prompt: costs.Prompt})
	return costs, nil
}

func (w *Writer) costPath(key string, resident bool) string {
	name := fmt.Sprintf("%s-%s-%d-behind-%d.json", key[:16], w.Kernel.Describe().ISA, w.Threads, costContext)
	if !resident { // reading then takes most of the time
		name = fmt.Sprintf("in-%d-%s", w.Memory.Budget(), name)
	}
	return filepath.Join(w.costs, name)
}

// keptCost is a stored measurement.
type keptCost struct {
	Version string    `json:"version"`
	Seconds []float64 `json:"seconds"`         // of a pass of 1, 2, ... nodes
	Prompt  float64   `json:"prompt"`          // of a token of the prompt
	Layer   float64   `json:"layer,omitempty"` // of reading a layer, where that was tried
}

// readCost reads this version's measurement; false without a usable one.
func (w *Writer) readCost(path string) (kept keptCost, ok bool) {
	data, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(data, &kept) != nil || kept.Version != w.build {
		return kept, false
	}
	passes, bad := kept.Seconds, func(seconds float64) bool { return !(seconds > 0) }
	return kept, len(passes) > 0 && !slices.ContainsFunc(passes, bad) && slices.IsSorted(passes) && !bad(kept.Prompt) && kept.Layer >= 0
}

// writeCost replaces the file atomically.
func (w *Writer) writeCost(path string, kept keptCost) error {
	kept.Version = w.build
	data, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	return opened.Keep(path, data)
}
