package local

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"dowse/engine"
	"dowse/engine/generate"
	"dowse/engine/transformer"
	"dowse/engine/weights"
	"dowse/models"
	"dowse/models/pack"
	"dowse/models/pack/directio"
)

// pace is the seconds of a token: of one written without drafts, and of one of
// the prompt. Zeros are unknown.
type pace struct{ written, prompt float64 }

func (k *keptCost) pace() pace { return pace{k.Seconds[0], k.Prompt} }

// kept is the model's pace when last opened so; false: unknown.
func (w *Writer) kept(m models.Installation, way engine.Way) (pace, bool, error) {
	if m.Rows == m.Path { // its passes are stored under another name
		return pace{}, false, nil
	}
	key, err := keyOf(m)
	if err != nil {
		return pace{}, false, err
	}
	costs, ok := w.readCost(w.costPath(key, way == engine.Resident))
	if !ok {
		return pace{}, false, nil
	}
	return costs.pace(), true, nil
}

// keyOf is the key of an installed model.
func keyOf(m models.Installation) (string, error) {
	p, err := pack.Open(m.Path)
	if err != nil {
		return "", err
	}
	sum := p.Fingerprint()
	return adaptedKey(hex.EncodeToString(sum[:]), m.Job), p.Close()
}

// trialBytes is how much of a model is tried: more than caches hold, since a
// whole model is read from memory for each token.
const trialBytes = 128 << 20

// tried is what a resident model costs by its first layers: the others take as
// long. Trying takes about as long as reading trialBytes, so it is stored.
func (w *Writer) tried(ctx context.Context, m models.Installation, model *weights.Model) (keptCost, error) {
	key, err := keyOf(m)
	if err != nil {
		return keptCost{}, err
	}
	path := filepath.Join(w.costs, fmt.Sprintf("%s-%s-%d-tried.json", key[:16], w.Kernel.Describe().ISA, w.Threads))
	if kept, ok := w.readCost(path); ok && kept.Layer > 0 {
		return kept, nil
	}
	c := &model.Config
	layers := min(c.Layers, 2+trialBytes/c.LayerBuffer())
	costs, err := w.try(ctx, m, c.MaxTokens, layers)
	if err != nil {
		return keptCost{}, err
	}
	layer, err := layerSeconds(m.Path, c.LayerBuffer())
	if err != nil {
		return keptCost{}, w.unusable(err)
	}
	head := c.OutputBuffer() // of each written token alone
	if c.TiedOutput {
		head = c.EmbeddingsBuffer()
	}
	costs.Passes[0] *= float64(head+c.Layers*c.LayerBuffer()) / float64(head+layers*c.LayerBuffer())
	costs.Prompt *= float64(max(c.Layers-1, 1)) / float64(max(layers-1, 1)) // of the last layer keys and values alone
	kept := keptCost{Seconds: costs.Passes, Prompt: costs.Prompt, Layer: layer}
	_ = w.writeCost(path, kept)
	return kept, nil
}

// layerReads is how many layers are read to tell how long one takes.
const layerReads = 4

// layerSeconds is how long reading so many bytes takes as a streamed model reads
// them: alone, past the page cache.
func layerSeconds(path string, size int) (seconds float64, err error) {
	file, err := directio.Open(path)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	whole, err := file.Size()
	if err != nil {
		return 0, err
	}
	buffer, begin, reads := directio.AlignedBytes(size), time.Now(), 0
	for offset := int64(0); offset+int64(size) <= whole && reads < layerReads; offset += int64(size) {
		if err := file.ReadAt(buffer, offset); err != nil {
			return 0, err
		}
		reads++
	}
	return max(time.Since(begin), time.Microsecond).Seconds() / float64(max(reads, 1)), nil
}

// try measures the first layers of a model in its mapped file.
func (w *Writer) try(ctx context.Context, m models.Installation, most, layers int) (costs generate.Costs, err error) {
	d, err := transformer.OpenDecoder(ctx, m.Path, w.Kernel, transformer.DecoderOptions{
		Threads: w.Threads, MaxTokens: min(most, costContext+1), Adapter: m.Adapter, Layers: layers, Mapped: true,
	})
	if err != nil {
		return costs, w.unusable(err)
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	g, err := generate.New(generate.Model{Vocabulary: d.Vocabulary(), Window: d.MaxTokens(), Tokenizer: d.Tokenizer()})
	if err != nil {
		return costs, err
	}
	s := d.NewSequence()
	defer func() { err = errors.Join(err, s.Free()) }()
	// The first token waits for the disk.
	if err := s.Append(ctx, []int32{0}, make([]float32, d.Vocabulary())); err != nil {
		return costs, err
	}
	if err := s.Truncate(0); err != nil {
		return costs, err
	}
	return g.ProfileBehind(ctx, s, costContext, 1)
}
