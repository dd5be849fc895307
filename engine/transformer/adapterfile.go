package transformer

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"dowse/engine/kernel"
	"dowse/engine/memory"
	"dowse/engine/weights"
	"dowse/models/pack"
	"dowse/models/safetensors"
)

// adapterConfig is what adapter_config.json says, as PEFT writes it.
type adapterConfig struct {
	Kind     string             `json:"peft_type"`
	Rank     int                `json:"r"`
	Alpha    float64            `json:"lora_alpha"`
	Root     bool               `json:"use_rslora"` // alpha is divided by the root of the rank
	DoRA     bool               `json:"use_dora"`
	Bias     string             `json:"bias"`
	FanInOut bool               `json:"fan_in_fan_out"`
	Ranks    map[string]int     `json:"rank_pattern"`
	Alphas   map[string]float64 `json:"alpha_pattern"`
}

// check refuses unsupported settings.
func (c *adapterConfig) check() error {
	switch {
	case c.Kind != "LORA":
		return fmt.Errorf("adapters of the type %q are not supported; supported: LORA", c.Kind)
	case c.Rank < 1 || c.Alpha == 0:
		return fmt.Errorf("a rank of %d with lora_alpha %g is not possible", c.Rank, c.Alpha)
	case c.DoRA:
		return errors.New("use_dora is not supported")
	case c.Bias != "" && c.Bias != "none":
		return fmt.Errorf("trained biases (%q) are not supported", c.Bias)
	case c.FanInOut:
		return errors.New("fan_in_fan_out is not supported")
	case len(c.Ranks) > 0 || len(c.Alphas) > 0:
		return errors.New("ranks that differ between layers are not supported")
	}
	return nil
}

// scale is the factor of additions.
func (c *adapterConfig) scale() float32 {
	if c.Root {
		return float32(c.Alpha / math.Sqrt(float64(c.Rank)))
	}
	return float32(c.Alpha / float64(c.Rank))
}

// openAdapter reads an adapter for a model from a folder as PEFT writes it:
// adapter_config.json and adapter_model.safetensors, which may hold heads: scores as
// heads.weight [1,D] or [layers,D] with heads.bias [1] or [layers], spans as spans.weight
// [3,D]. It returns nil without a folder.
func openAdapter(folder string, c *pack.Config, ledger *memory.Ledger) (*adapter, error) {
	if folder == "" {
		return nil, nil
	}
	a, err := readAdapter(folder, c, ledger)
	if err != nil {
		return nil, fmt.Errorf("adapter %s: %w", folder, err)
	}
	return a, nil
}

func readAdapter(folder string, c *pack.Config, ledger *memory.Ledger) (*adapter, error) {
	text, err := os.ReadFile(filepath.Join(folder, "adapter_config.json"))
	if err != nil {
		return nil, err
	}
	var config adapterConfig
	if err := json.Unmarshal(text, &config); err != nil {
		return nil, fmt.Errorf("adapter_config.json: %w", err)
	}
	if err := config.check(); err != nil {
		return nil, fmt.Errorf("adapter_config.json: %w", err)
	}
	file, err := os.Open(filepath.Join(folder, "adapter_model.safetensors"))
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it was only read
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	reader, err := safetensors.NewReader(file, info.Size())
	if err != nil {
		return nil, fmt.Errorf("adapter_model.safetensors: %w", err)
	}
	r := adapterReader{config: config, shape: weights.ShapeOf(c), model: c, adapter: &adapter{layers: make([]layerAdapter, c.Layers)}}
	if err := r.read(reader, ledger); err != nil {
		return nil, errors.Join(fmt.Errorf("adapter_model.safetensors: %w", err), r.adapter.free())
	}
	return r.adapter, nil
}

// adapterReader sorts tensors into an adapter.
type adapterReader struct {
	config  adapterConfig
	shape   weights.Shape
	model   *pack.Config
	adapter *adapter
	room    []float32 // of the adapter's buffer
}

// read reads all tensors, the matrices into one buffer.
func (r *adapterReader) read(reader *safetensors.Reader, ledger *memory.Ledger) error {
	size := 0
	for _, tensor := range reader.Tensors() {
		if len(tensor.Shape) == 2 {
			size += 4 * tensor.Shape[0] * tensor.Shape[1]
		}
	}
	var err error
	if r.adapter.buffer, err = memory.NewBuffer(ledger, weights.ResidentPool, size); err != nil {
		return err
	}
	r.room = r.adapter.buffer.Float32()
	for _, tensor := range reader.Tensors() {
		if err := r.readTensor(tensor, reader); err != nil {
			return fmt.Errorf("%s: %w", tensor.Name, err)
		}
	}
	return r.adapter.check(r.model, &r.shape)
}

// matrix reads a tensor into the buffer, transposed if turned is set.
func (r *adapterReader) matrix(t *safetensors.Tensor, turned bool) ([]float32, error) {
	values, err := t.ReadAll()
	if err != nil {
		return nil, err
	}
	if turned {
		values = transposed(values, t.Shape[1])
	}
	n := copy(r.room, values)
	place := r.room[:n:n]
	r.room = r.room[n:]
	return place, nil
}

// transposed returns the transpose of a matrix, whose number of columns is given.
func transposed(values []float32, columns int) []float32 {
	rows, out := len(values)/columns, make([]float32, 0, len(values))
	for c := range columns {
		for r := range rows {
			out = append(out, values[r*columns+c])
		}
	}
	return out
}

const (
	downSuffix = ".lora_A.weight"
	upSuffix   = ".lora_B.weight"
)

// readTensor reads a tensor. The Up half of a pair is read with Down.
func (r *adapterReader) readTensor(t *safetensors.Tensor, reader *safetensors.Reader) (err error) {
	name := strings.TrimPrefix(t.Name, "base_model.model.")
	switch {
	case name == "heads.weight":
		r.adapter.heads, err = t.ReadAll()
		return err
	case name == "heads.bias":
		r.adapter.bias, err = t.ReadAll()
		return err
	case name == "spans.weight":
		if !shapeIs(t, SpanHeads, r.model.Hidden) {
			return fmt.Errorf("the shape is %v; to point at spans of this model it must be [%d %d]", t.Shape, SpanHeads, r.model.Hidden)
		}
		r.adapter.spans, err = t.ReadAll()
		return err
	case strings.HasSuffix(name, upSuffix):
		if _, ok := reader.Tensor(strings.TrimSuffix(t.Name, upSuffix) + downSuffix); !ok {
			return errors.New("the other half of the pair is missing")
		}
		return nil
	case !strings.HasSuffix(name, downSuffix):
		return errors.New("tensors of this kind are not supported")
	}
	up, ok := reader.Tensor(strings.TrimSuffix(t.Name, downSuffix) + upSuffix)
	if !ok {
		return errors.New("the other half of the pair is missing")
	}
	layer, module, err := splitModule(strings.TrimSuffix(name, downSuffix))
	if err != nil || layer >= r.model.Layers {
		return errors.Join(err, fmt.Errorf("layer %d of %d", layer, r.model.Layers))
	}
	return r.pair(layer, module, t, up)
}

// layerPrefixes are what the names of a layer's projections begin with.
var layerPrefixes = []string{"model.layers.", "bert.encoder.layer."}

// splitModule takes "model.layers.3.self_attn.q_proj" apart.
func splitModule(name string) (layer int, module string, err error) {
	for _, prefix := range layerPrefixes {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			number, module, found := strings.Cut(rest, ".")
			if layer, err := strconv.Atoi(number); found && err == nil && layer >= 0 {
				return layer, module, nil
			}
		}
	}
	return 0, "", errors.New("this is no projection of a layer")
}

// pair adds two halves to a layer.
func (r *adapterReader) pair(layer int, module string, down, up *safetensors.Tensor) error {
	to, ok := r.places()[module]
	if !ok {
		return fmt.Errorf("the projection %s is not supported", module)
	}
	inputs := r.shape.Projections[to.part][0]
	if !shapeIs(down, r.config.Rank, inputs) || !shapeIs(up, to.outputs, r.config.Rank) {
		return fmt.Errorf("shapes %v and %v for %d inputs, %d outputs and rank %d", down.Shape, up.Shape, inputs, to.outputs, r.config.Rank)
	}
	first, err := r.matrix(down, false)
	if err != nil {
		return err
	}
	second, err := r.matrix(up, true)
	if err != nil {
		return err
	}
	r.adapter.layers[layer][to.part] = append(r.adapter.layers[layer][to.part], kernel.LowRank{
		Inputs: inputs, Rank: r.config.Rank, From: to.from, Outputs: to.outputs, Scale: r.config.scale(),
		Down: first, Up: second,
	})
	return nil
}

// place is the outputs of a module in a projection.
type place struct{ part, from, outputs int }

// places lists the modules that an adapter may add to, by name.
func (r *adapterReader) places() map[string]place {
	d, inner := r.shape.Hidden, r.model.Intermediate
	if !r.model.Decoder {
		return map[string]place{
			"attention.self.query": {qkvPart, 0, d}, "attention.self.key": {qkvPart, d, d}, "attention.self.value": {qkvPart, 2 * d, d},
			"attention.output.dense": {outputPart, 0, d},
			"intermediate.dense":     {upPart, 0, inner},
			"output.dense":           {downPart, 0, d},
		}
	}
	queries, keys := r.shape.Heads*r.shape.HeadDim, r.shape.KVHeads*r.shape.HeadDim
	return map[string]place{
		"self_attn.q_proj": {qkvPart, 0, queries}, "self_attn.k_proj": {qkvPart, queries, keys}, "self_attn.v_proj": {qkvPart, queries + keys, keys},
		"self_attn.o_proj": {outputPart, 0, d},
		"mlp.gate_proj":    {upPart, 0, inner}, "mlp.up_proj": {upPart, inner, inner},
		"mlp.down_proj": {downPart, 0, d},
	}
}

func shapeIs(t *safetensors.Tensor, rows, columns int) bool {
	return len(t.Shape) == 2 && t.Shape[0] == rows && t.Shape[1] == columns
}
