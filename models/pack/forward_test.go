package pack

import (
	"math"
	"testing"

	"dowse/models/modeltest"
)

// plainDecoder runs a decoder from its pack in the slowest and plainest way:
// float64, every weight dequantised, all keys looked at anew. It is what a pack
// means.
type plainDecoder struct {
	pack   *Pack
	config Config
}

func (d *plainDecoder) linear(l Linear, x []float64) []float64 {
	l = l.inBytes()
	y := make([]float64, l.N)
	for n := range y {
		sum := 0.0
		for k, v := range x {
			sum += v * float64(l.Weights[k*l.N+n])
		}
		y[n] = sum*float64(l.Scale[n]) + float64(l.Bias[n])
	}
	return y
}

func (d *plainDecoder) norm(x []float64, gamma []float32) []float64 {
	square := 0.0
	for _, v := range x {
		square += v * v
	}
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = v / math.Sqrt(square/float64(len(x))+float64(d.config.Epsilon)) * float64(gamma[i])
	}
	return y
}

// frequency returns that of pair i of a head, scaled.
func (d *plainDecoder) frequency(i int) float64 {
	f := math.Pow(d.config.RotaryBase, -2*float64(i)/float64(d.config.HeadDim))
	s := d.config.RotaryScaling
	switch s.Kind {
	case LinearScaling:
		return f / s.Factor
	case Llama3Scaling:
		turns := float64(s.OriginalPositions) * f / (2 * math.Pi)
		kept := min(max((turns-s.LowFrequency)/(s.HighFrequency-s.LowFrequency), 0), 1)
		return kept*f + (1-kept)*f/s.Factor
	}
	return f
}

// rotate turns values i and i+half of a head together.
func (d *plainDecoder) rotate(head []float64, position int) {
	half := len(head) / 2
	for i := range half {
		sin, cos := math.Sincos(float64(position) * d.frequency(i))
		a, b := head[i], head[i+half]
		head[i], head[i+half] = a*cos-b*sin, b*cos+a*sin
	}
}

// split cuts a row of QKV into heads of queries, keys and values, normed and
// rotated.
func (d *plainDecoder) split(l DecoderLayer, row []float64, position int) (q, k, v [][]float64) {
	c := d.config
	for i := range c.Heads + 2*c.KVHeads {
		head := row[i*c.HeadDim : (i+1)*c.HeadDim]
		gamma := l.QueryNorm
		if i >= c.Heads {
			gamma = l.KeyNorm
		}
		if i >= c.Heads+c.KVHeads {
			v = append(v, head)
			continue
		}
		if c.QKNorm {
			head = d.norm(head, gamma)
		}
		d.rotate(head, position)
		if i < c.Heads {
			q = append(q, head)
		} else {
			k = append(k, head)
		}
	}
	return q, k, v
}

// attend returns the attention of a query head over keys and values of its group.
func attend(q []float64, keys, values [][][]float64, group int) []float64 {
	weights, sum := make([]float64, len(keys)), 0.0
	for t := range keys {
		dot := 0.0
		for i, v := range q {
			dot += v * keys[t][group][i]
		}
		weights[t] = math.Exp(dot / math.Sqrt(float64(len(q))))
		sum += weights[t]
	}
	out := make([]float64, len(q))
	for t := range values {
		for i, v := range values[t][group] {
			out[i] += weights[t] / sum * v
		}
	}
	return out
}

// layer advances the states of all tokens by one layer.
func (d *plainDecoder) layer(i int, states [][]float64) {
	c, l := d.config, d.pack.DecoderLayer(i)
	var keys, values [][][]float64
	for position, x := range states {
		q, k, v := d.split(l, d.linear(l.QKV, d.norm(x, l.AttentionNorm)), position)
		keys, values = append(keys, k), append(values, v)
		first := 0
		if w := c.Window(i); w > 0 {
			first = max(0, position+1-w)
		}
		var mixed []float64
		for h := range q {
			mixed = append(mixed, attend(q[h], keys[first:], values[first:], h*c.KVHeads/c.Heads)...)
		}
		for j, v := range d.linear(l.Output, mixed) {
			x[j] += v
		}
		gateUp := d.linear(l.GateUp, d.norm(x, l.MLPNorm))
		gated := make([]float64, c.Intermediate)
		for j := range gated {
			gated[j] = gateUp[j] / (1 + math.Exp(-gateUp[j])) * gateUp[c.Intermediate+j]
		}
		for j, v := range d.linear(l.Down, gated) {
			x[j] += v
		}
	}
}

// logits runs the whole model.
func (d *plainDecoder) logits(ids []int32) [][]float64 {
	c, e, o := d.config, d.pack.Embeddings(), d.pack.Output()
	states := make([][]float64, len(ids))
	for t, id := range ids {
		for _, w := range e.Words[int(id)*c.Hidden : (int(id)+1)*c.Hidden] {
			states[t] = append(states[t], float64(w)*float64(e.WordScale[id]))
		}
	}
	for i := range c.Layers {
		d.layer(i, states)
	}
	logits := make([][]float64, len(ids))
	for t, x := range states {
		x = d.norm(x, o.Norm)
		for word := range c.Vocabulary {
			sum := 0.0
			for i, v := range x {
				sum += v * float64(o.Words[word*c.Hidden+i])
			}
			logits[t] = append(logits[t], sum*float64(o.WordScale[word]))
		}
	}
	return logits
}

// What packs hold computes what the reference implementation computes, but for
// the rounding of the weights to int8.
func TestPlainDecoderAgainstReference(t *testing.T) {
	for name := range modeltest.Decoders() {
		want, err := modeltest.Logits(name)
		if err != nil {
			t.Fatal(err)
		}
		packs := map[string]*Pack{"folder": openPack(t, importFiles(t, decoderFiles(t, name)))}
		if name == "llama" || name == "qwen3" {
			packs["GGUF"] = ggufPack(t, name)
		}
		for source, p := range packs {
			d := plainDecoder{p, p.Config()}
			got := d.logits(modeltest.Prompt())
			var difference, size float64
			for i := range want {
				for j, v := range want[i] {
					difference += (got[i][j] - float64(v)) * (got[i][j] - float64(v))
					size += float64(v) * float64(v)
				}
			}
			if off := math.Sqrt(difference / size); !(off < 0.05) {
				t.Errorf("%s from %s: logits are off by %.4f of their size", name, source, off)
			} else {
				t.Logf("%s from %s: off by %.4f", name, source, off)
			}
		}
	}
}
