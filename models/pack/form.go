package pack

import (
	"fmt"

	"dowse/models/gguf"
)

// Form says how weights that keep the blocks of their GGUF file lie in a pack.
type Form struct {
	Letter byte // in Config.Forms
	Type   gguf.Type
	Group  int  // inputs that share a half-precision scale: a block of the file
	Part   int  // inputs of a group that share a small scale
	High   int  // bits of a number above the four low ones
	Minima bool // each part has a minimum, and the group a half-precision scale of them
	Scaled bool // parts have scales of a byte; otherwise the group is one part of scale 1
	Offset int  // what stands for zero, where there are no minima
}

// plainForm is the letter of weights of a byte.
const plainForm = '-'

// forms are those that kernels multiply.
var forms = [...]Form{
	{Letter: '4', Type: gguf.Q4K, Group: 256, Part: 32, Minima: true, Scaled: true},
	{Letter: '5', Type: gguf.Q5K, Group: 256, Part: 32, High: 1, Minima: true, Scaled: true},
	{Letter: '6', Type: gguf.Q6K, Group: 256, Part: 16, High: 2, Scaled: true, Offset: 32},
	{Letter: 'd', Type: gguf.Q4_0, Group: 32, Part: 32, Offset: 8},
	{Letter: 'e', Type: gguf.Q5_0, Group: 32, Part: 32, High: 1, Offset: 16},
	{Letter: 'h', Type: gguf.Q8_0, Group: 32, Part: 32, High: 4, Offset: 128},
}

// FormOf returns the form of a letter, nil for none.
func FormOf(letter byte) *Form {
	for i := range forms {
		if forms[i].Letter == letter {
			return &forms[i]
		}
	}
	return nil
}

// formOfType returns the form of a type, nil for none.
func formOfType(t gguf.Type) *Form {
	for i := range forms {
		if forms[i].Type == t {
			return &forms[i]
		}
	}
	return nil
}

// Lanes is how many outputs lie side by side in blocks.
const Lanes = 16

// GroupBytes returns the bytes of a group of Lanes outputs: half-precision scales, those of
// the minima, the scales of each part, the minima of each two parts in turns, the low bits
// and the high bits of the numbers.
func (f *Form) GroupBytes() int {
	return f.numbersAt() + f.Group*Lanes*(4+f.High)/8
}

// numbersAt returns where the numbers of a group begin.
func (f *Form) numbersAt() int {
	size := 2 * Lanes
	if f.Minima {
		size += 2*Lanes + f.Group/f.Part*Lanes
	}
	if f.Scaled {
		size += f.Group / f.Part * Lanes
	}
	return size
}

// RowBytes returns the bytes of a row of k numbers in the file.
func (f *Form) RowBytes(k int) int {
	numbers, bytes := f.Type.Block()
	return k / numbers * bytes
}

// Forms are those of a layer's matrices, in the order of its projections.
const (
	formQuery = iota
	formKey
	formValue
	formOutput
	formGate
	formUp
	formDown
	layerForms
)

// layerForm returns the letters of layer i, or "".
func (c *Config) layerForm(i int) string {
	if c.Forms == "" {
		return ""
	}
	return c.Forms[i*layerForms:][:layerForms]
}

// wordsForm and rowsForm return the letters of the embeddings and of the output's rows.
func (c *Config) wordsForm() *Form { return c.lastForm(0) }
func (c *Config) rowsForm() *Form  { return c.lastForm(1) }

func (c *Config) lastForm(i int) *Form {
	if c.Forms == "" {
		return nil
	}
	return FormOf(c.Forms[c.Layers*layerForms+i])
}

// WordBytes returns the bytes of a row of Embeddings.Words.
func (c *Config) WordBytes() int {
	if f := c.wordsForm(); f != nil {
		return f.RowBytes(c.Hidden)
	}
	return c.Hidden
}

// ExpandWord writes a row of Embeddings.Words with its scale to dst [Hidden].
func (c *Config) ExpandWord(dst []float32, row []int8, scale float32) {
	if f := c.wordsForm(); f != nil {
		f.expandRow(dst, row)
		return
	}
	for i, v := range row {
		dst[i] = float32(v) * scale
	}
}

// checkForms says what is impossible about Forms.
func (c *Config) checkForms() error {
	if c.Forms == "" {
		return nil
	}
	if !c.Decoder || c.Pooling != "" || c.Mixture.Experts > 0 || len(c.Forms) != c.Layers*layerForms+2 {
		return fmt.Errorf("the forms %q of weights are not those of a decoder of %d layers", c.Forms, c.Layers)
	}
	bundles := [Bundles]struct{ from, to, k int }{
		{formQuery, formOutput, c.Hidden}, {formOutput, formGate, c.Heads * c.HeadDim},
		{formGate, formDown, c.Hidden}, {formDown, layerForms, c.Intermediate},
	}
	for i := range c.Layers {
		for _, b := range bundles {
			if err := checkForm(c.layerForm(i)[b.from:b.to], b.k); err != nil {
				return fmt.Errorf("layer %d: %w", i, err)
			}
		}
	}
	for _, letter := range c.Forms[c.Layers*layerForms:] {
		if err := checkForm(string(letter), c.Hidden); err != nil {
			return fmt.Errorf("words: %w", err)
		}
	}
	if c.TiedOutput && (c.wordsForm() != nil || c.rowsForm() != nil) {
		return fmt.Errorf("forms of words that are also the rows of the output")
	}
	return nil
}

// checkForm verifies the letters of matrices side by side, of k inputs.
func checkForm(letters string, k int) error {
	for i := range len(letters) {
		f := FormOf(letters[i])
		if letters[i] == plainForm && letters[0] == plainForm {
			continue
		}
		if f == nil || letters[0] == plainForm || k%f.Group != 0 {
			return fmt.Errorf("the forms %q of matrices of %d inputs", letters, k)
		}
	}
	return nil
}
