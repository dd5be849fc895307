package pack

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"slices"

	"dowse/models/tokenizer"
)

// rotaryFactors is the tensor of a GGUF file with the divisors of the rotary frequencies.
const rotaryFactors = "rope_freqs.weight"

// openGGUF opens a GGUF file.
func openGGUF(path string) (*source, error) {
	weights, err := openCheckpoint(path)
	if err != nil {
		return nil, err
	}
	s := &source{weights: weights, names: ggufNames()}
	if err := s.readGGUF(weights); err != nil {
		return nil, errors.Join(err, weights.Close())
	}
	return s, nil
}

// readGGUF reads the metadata.
func (s *source) readGGUF(file *ggufCheckpoint) error {
	m := metadata{file: file}
	if n := m.int("split.count", 1); n > 1 {
		return fmt.Errorf("a model split over %d GGUF files is not supported; merge them first", n)
	}
	architecture := m.text("general.architecture", "(none named)")
	m.prefix = architecture + "."
	mixture := m.int(m.prefix+"expert_count", 0) > 0
	if m.err != nil {
		return m.err
	}
	var err error
	if s.family, err = familyOfGGUF(architecture, mixture); err != nil {
		return err
	}
	s.config = m.config(s.family)
	if mixture {
		m.mixture(&s.config)
		file.stack(s.names, &s.config)
	}
	if s.tokenizer, err = tokenizer.FromParts(m.tokenizer()); err != nil {
		return errors.Join(m.err, err)
	}
	s.tokens = sha256.Sum256(s.tokenizer.AppendCompact(nil))
	s.stop, s.chatTemplate = m.stop(), m.text("tokenizer.chat_template", "")
	if turn, ok := s.tokenizer.ID(gemmaEndOfTurn); ok && s.family.gemma && !slices.Contains(s.stop, turn) {
		s.stop = append(s.stop, turn)
	}
	if m.err != nil {
		return m.err
	}
	if s.family.permuted {
		s.splitHalves(file)
	}
	if err := m.rotaryFactors(&s.config); err != nil {
		return err
	}
	if n := s.tokenizer.Size(); n > s.config.Vocabulary {
		return fmt.Errorf("the tokenizer has %d tokens, the model embeds %d", n, s.config.Vocabulary)
	}
	if err := s.inspectDecoder(); err != nil {
		return err
	}
	return s.chooseForms(file)
}

// splitHalves makes the checkpoint restore the order of query and key rows.
func (s *source) splitHalves(file *ggufCheckpoint) {
	file.halfSplit = map[string]int{}
	for i := range s.config.Layers {
		layer := fmt.Sprintf(s.names.layer, i)
		for _, name := range []string{s.names.query, s.names.key} {
			file.halfSplit[layer+name+".weight"] = s.config.HeadDim
			file.halfSplit[layer+name+".bias"] = s.config.HeadDim
		}
	}
}

// llama3Scalings are the scalings of the Llama 3 family, whose GGUF files hold the resulting
// factors.
var llama3Scalings = []RotaryScaling{
	{Llama3Scaling, 8, 1, 4, 8192},
	{Llama3Scaling, 32, 1, 4, 8192},
}

// rotaryFactors finds the scaling that gives the file's factors, and refuses others: a pack
// names a scaling and holds no factors.
func (m *metadata) rotaryFactors(c *Config) error {
	if err := c.check(); err != nil {
		return err
	}
	t, ok := m.file.lookup(rotaryFactors)
	if !ok {
		return nil
	}
	half := c.HeadDim / 2
	if err := t.fits(1, half); err != nil {
		return err
	}
	factors := make([]float32, half)
	if err := t.read(factors, 0, half); err != nil {
		return err
	}
	for _, scaling := range llama3Scalings {
		if c.RotaryScaling.Kind == "" && scaling.gives(factors, c.RotaryBase) {
			c.RotaryScaling = scaling
			return nil
		}
	}
	return fmt.Errorf("tensor %q holds the factors of a rotary scaling that is not supported; supported: that of Llama 3.1 and 3.2", rotaryFactors)
}

// gives reports whether a llama3 scaling divides the frequencies by factors. The
// formula is that of Llama 3.1.
func (s *RotaryScaling) gives(factors []float32, base float64) bool {
	for i, factor := range factors {
		frequency := math.Pow(base, -float64(i)/float64(len(factors)))
		turns := float64(s.OriginalPositions) * frequency / (2 * math.Pi)
		kept := (turns - s.LowFrequency) / (s.HighFrequency - s.LowFrequency)
		kept = min(max(kept, 0), 1)
		want := 1 / (kept + (1-kept)/s.Factor)
		if math.Abs(float64(factor)-want) > 1e-4*want {
			return false
		}
	}
	return true
}
