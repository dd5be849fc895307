package transformer_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/models/safetensors"
)

// reference computes a reranker in float32 from the weights as published, one
// number after the other, with no thought of speed: what the executor computes
// in integers, and layer by layer for many, is this.
type reference struct {
	config struct {
		Architectures []string
		Layers        int     `json:"num_hidden_layers"`
		Hidden        int     `json:"hidden_size"`
		Heads         int     `json:"num_attention_heads"`
		Epsilon       float32 `json:"layer_norm_eps"`
		Padding       int     `json:"pad_token_id"`
		Modern        modernSettings
	}
	tensors map[string][]float32
}

// openReference reads a Hugging Face folder.
func openReference(t testing.TB, folder string) *reference {
	t.Helper()
	return openReferenceAt(t, folder, folder)
}

// openReferenceAt reads the weights of another folder than that of the configuration.
func openReferenceAt(t testing.TB, config, weights string) *reference {
	t.Helper()
	r := &reference{tensors: map[string][]float32{}}
	data, err := os.ReadFile(filepath.Join(config, "config.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(json.Unmarshal(data, &r.config), json.Unmarshal(data, &r.config.Modern)); err != nil {
		t.Fatal(err)
	}
	r.read(t, weights, "")
	for module, name := range map[string]string{"2_Dense": "head.dense", "3_LayerNorm": "head.norm", "4_Dense": "classifier"} {
		if folder := filepath.Join(weights, module); r.modern() && exists(folder) { // a head of modules
			r.read(t, folder, name)
		}
	}
	return r
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// read reads the tensors of a folder: as they are called, or of a module, with another name
// for what is before their last point.
func (r *reference) read(t testing.TB, folder, module string) {
	t.Helper()
	f, err := os.Open(filepath.Join(folder, "model.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	reader, err := safetensors.NewReader(f, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	for _, tensor := range reader.Tensors() {
		if strings.HasSuffix(tensor.Name, "_ids") { // positions counted out, in older checkpoints
			continue
		}
		values, err := tensor.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		name := tensor.Name
		for _, prefix := range []string{"bert.", "roberta.", "mpnet.", "model."} {
			name = strings.TrimPrefix(name, prefix)
		}
		if module != "" {
			name = module + filepath.Ext(name)
		}
		r.tensors[name] = values
	}
}

func (r *reference) mpnet() bool { return strings.Contains(r.config.Architectures[0], "MPNet") }

func (r *reference) roberta() bool { return strings.Contains(r.config.Architectures[0], "Roberta") }

// scores are those of a pair after every layer.
func (r *reference) scores(ids []int32, types []uint8) []float32 {
	states := r.embed(ids, types)
	scores := make([]float32, r.config.Layers)
	for l := range scores {
		states = r.layer(l, states)
		if r.modern() {
			scores[l] = r.modernHead(states)
			continue
		}
		scores[l] = r.head(l, states[0])
	}
	return scores
}

// embed sums word, position and type of each token and normalises.
func (r *reference) embed(ids []int32, types []uint8) [][]float32 {
	if r.modern() {
		return r.modernEmbed(ids)
	}
	d := r.config.Hidden
	states := make([][]float32, len(ids))
	for i, id := range ids {
		position := i
		if r.roberta() {
			position += r.config.Padding + 1
		}
		if r.mpnet() {
			position += 2
		}
		state := make([]float32, d)
		for j := range state {
			state[j] = r.tensors["embeddings.word_embeddings.weight"][int(id)*d+j] +
				r.tensors["embeddings.position_embeddings.weight"][position*d+j]
			if !r.mpnet() {
				state[j] += r.tensors["embeddings.token_type_embeddings.weight"][int(types[i])*d+j]
			}
		}
		states[i] = r.norm("embeddings.LayerNorm", state)
	}
	return states
}

// layer is one layer over the states of all tokens.
func (r *reference) layer(l int, states [][]float32) [][]float32 {
	if r.modern() {
		return r.modernLayer(l, states)
	}
	name := fmt.Sprintf("encoder.layer.%d.", l)
	q, k, v := make([][]float32, len(states)), make([][]float32, len(states)), make([][]float32, len(states))
	names := []string{"attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense", "attention.output.LayerNorm"}
	if r.mpnet() {
		names = []string{"attention.attn.q", "attention.attn.k", "attention.attn.v", "attention.attn.o", "attention.LayerNorm"}
	}
	for i, x := range states {
		q[i], k[i], v[i] = r.linear(name+names[0], x), r.linear(name+names[1], x), r.linear(name+names[2], x)
	}
	next := make([][]float32, len(states))
	for i, x := range states {
		mixed := r.linear(name+names[3], r.attend(q[i], i, k, v))
		x = r.norm(name+names[4], add(mixed, x))
		inner := r.linear(name+"intermediate.dense", x)
		next[i] = r.norm(name+"output.LayerNorm", add(r.linear(name+"output.dense", gelued(inner)), x))
	}
	return next
}

// bias is added to the product of query i and key j in MPNet: by the formula of the
// reference, in the logarithms that it has.
func (r *reference) bias(head, i, j int) float64 {
	table := r.tensors["encoder.relative_attention_bias.weight"]
	if table == nil {
		return 0
	}
	bucket, distance := 0, i-j
	if distance < 0 {
		bucket, distance = 16, -distance
	}
	if distance < 8 {
		return float64(table[(bucket+distance)*r.config.Heads+head])
	}
	far := 8 + int(math.Log(float64(distance)/8)/math.Log(16)*8+1e-9)
	return float64(table[(bucket+min(far, 15))*r.config.Heads+head])
}

// attend is what query i takes from all tokens, head by head.
func (r *reference) attend(q []float32, i int, k, v [][]float32) []float32 {
	mixed := make([]float32, len(q))
	width := len(q) / r.config.Heads
	for at := 0; at < len(q); at += width {
		weights, total, largest := make([]float32, len(k)), float32(0), math.Inf(-1)
		score := func(j int) float64 {
			return float64(dot(q[at:at+width], k[j][at:at+width]))/math.Sqrt(float64(width)) + r.bias(at/width, i, j)
		}
		for j := range k {
			largest = max(largest, score(j))
		}
		for j := range k {
			weights[j] = float32(math.Exp(score(j) - largest))
			total += weights[j]
		}
		for i := range v {
			for j := range width {
				mixed[at+j] += weights[i] / total * v[i][at+j]
			}
		}
	}
	return mixed
}

// head is the score of the first token's state.
func (r *reference) head(l int, state []float32) float32 {
	if heads, ok := r.tensors["heads.weight"]; ok {
		return dot(state, heads[l*len(state):(l+1)*len(state)]) + r.tensors["heads.bias"][l]
	}
	dense, output := "pooler.dense", "classifier"
	if r.roberta() {
		dense, output = "classifier.dense", "classifier.out_proj"
	}
	hidden := r.linear(dense, state)
	for i, y := range hidden {
		hidden[i] = float32(math.Tanh(float64(y)))
	}
	return r.linear(output, hidden)[0]
}

func (r *reference) linear(name string, x []float32) []float32 {
	weights, y := r.tensors[name+".weight"], append([]float32(nil), r.tensors[name+".bias"]...)
	for i := range y {
		y[i] += dot(weights[i*len(x):(i+1)*len(x)], x)
	}
	return y
}

func (r *reference) norm(name string, x []float32) []float32 {
	mean, variance := float32(0), float32(0)
	for _, v := range x {
		mean += v / float32(len(x))
	}
	for _, v := range x {
		variance += (v - mean) * (v - mean) / float32(len(x))
	}
	y := make([]float32, len(x))
	for i, v := range x {
		y[i] = (v-mean)/float32(math.Sqrt(float64(variance+r.config.Epsilon)))*r.tensors[name+".weight"][i] + r.tensors[name+".bias"][i]
	}
	return y
}

func dot(a, b []float32) float32 {
	sum := float32(0)
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func add(a, b []float32) []float32 {
	sum := make([]float32, len(a))
	for i := range a {
		sum[i] = a[i] + b[i]
	}
	return sum
}
