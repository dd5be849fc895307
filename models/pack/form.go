package pack

import (
	"fmt"
	"unsafe"

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
	Levels bool // numbers are places in gguf.Levels
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
	{Letter: 'n', Type: gguf.IQ4NL, Group: 32, Part: 32, Offset: 128, Levels: true},
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

// WordsForm returns the form of Embeddings.Words, nil for bytes.
func (c *Config) WordsForm() *Form { return c.lastForm(0) }

// rowsForm returns the form of the output's rows, nil for bytes.
func (c *Config) rowsForm() *Form { return c.lastForm(1) }

func (c *Config) lastForm(i int) *Form {
	if c.Forms == "" {
		return nil
	}
	return FormOf(c.Forms[c.Layers*layerForms+i])
}

// WordBytes returns the bytes of a row of Embeddings.Words.
func (c *Config) WordBytes() int {
	if f := c.WordsForm(); f != nil {
		return f.RowBytes(c.Hidden)
	}
	return c.Hidden
}

// ExpandRow turns a row of Embeddings.Words into numbers.
func (f *Form) ExpandRow(dst []float32, row []int8) {
	f.Type.Dequantize(dst, unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(row))), len(row)))
}

// checkForms says what is impossible about Forms.
func (c *Config) checkForms() error {
	if c.Forms == "" {
		return nil
	}
	if !c.Decoder || c.Pooling != "" || c.Mixture.Experts > 0 || len(c.Forms) != c.Layers*layerForms+2 {
		return fmt.Errorf("the forms %q of weights are not those of a decoder of %d layers", c.Forms, c.Layers)
	}
	for i := range c.Layers {
		for b := range Bundles {
			from, outputs := c.matrices(b)
			if letters := c.layerForm(i)[from:][:len(outputs)]; !fitForms(letters, c.inputs(b), outputs) {
				return fmt.Errorf("layer %d: the forms %q of matrices of %d inputs and %d outputs", i, letters, c.inputs(b), outputs)
			}
		}
	}
	for _, letter := range c.Forms[c.Layers*layerForms:] {
		if !fitForms(string(letter), c.Hidden, []int{c.Vocabulary}) {
			return fmt.Errorf("the form %q of words of %d numbers", letter, c.Hidden)
		}
	}
	if c.TiedOutput && (c.WordsForm() != nil || c.rowsForm() != nil) {
		return fmt.Errorf("forms of words that are also the rows of the output")
	}
	return nil
}

// inputs returns those of a bundle.
func (c *Config) inputs(b Bundle) int {
	switch b {
	case OutputBundle:
		return c.Heads * c.HeadDim
	case DownBundle:
		return c.Intermediate
	}
	return c.Hidden
}

// fitForms reports whether matrices side by side may have the forms of letters: all or none,
// of whole groups of inputs, each but the last of whole strips of outputs.
func fitForms(letters string, k int, outputs []int) bool {
	for i := range outputs {
		if letters[0] == plainForm && letters[i] == plainForm {
			continue
		}
		f := FormOf(letters[i])
		if f == nil || letters[0] == plainForm || k%f.Group != 0 || i+1 < len(outputs) && outputs[i]%Lanes != 0 {
			return false
		}
	}
	return true
}
