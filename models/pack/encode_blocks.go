package pack

import (
	"context"
	"fmt"
	"strings"
)

// chooseForms fills in Config.Forms: matrices keep the blocks of their file where kernels
// multiply those, all of a projection or none. Experts, vectors and rows that are also
// embeddings have bytes.
func (s *source) chooseForms(file *ggufCheckpoint) error {
	c := &s.config
	if c.Pooling != "" || c.Mixture.Experts > 0 {
		return nil
	}
	var forms strings.Builder
	add := func(k int, parts []part) {
		letters, outputs := "", []int(nil)
		for _, p := range parts {
			letters += string(file.formLetter(p.name + ".weight"))
			outputs = append(outputs, p.outputs)
		}
		if !fitForms(letters, k, outputs) {
			letters = strings.Repeat(string(plainForm), len(parts))
		}
		forms.WriteString(letters)
	}
	for i := range c.Layers {
		qkv, attention, gateUp, down := s.matrices(i)
		for b, parts := range [Bundles][]part{QKVBundle: qkv, OutputBundle: attention, GateUpBundle: gateUp, DownBundle: down} {
			add(c.inputs(Bundle(b)), parts)
		}
	}
	for _, name := range []string{s.names.words, s.names.output} {
		if c.TiedOutput {
			forms.WriteByte(plainForm)
		} else {
			add(c.Hidden, []part{{name: name, outputs: c.Vocabulary}})
		}
	}
	if c.Forms = forms.String(); strings.Trim(c.Forms, string(plainForm)) == "" {
		c.Forms = ""
	}
	return c.check()
}

// formLetter returns the letter of a tensor's type.
func (c *ggufCheckpoint) formLetter(name string) byte {
	if t, ok := c.Tensor(name); ok {
		if f := formOfType(t.Type); f != nil {
			return f.Letter
		}
	}
	return plainForm
}

// readBlocks reads row i of a pack as the blocks of the file.
func (c *ggufCheckpoint) readBlocks(name string, i int, dst []byte) error {
	t, ok := c.Tensor(name)
	if !ok {
		return fmt.Errorf("there is no tensor %q", name)
	}
	if headDim, split := c.halfSplit[name]; split {
		i = halfSplitRows{headDim: headDim}.place(i)
	}
	return t.ReadBlocks(dst, i)
}

// blocks reads matrices of k inputs with the forms of letters and puts them side by side.
func (r *tensorReader) blocks(ctx context.Context, k int, letters string, parts ...part) Linear {
	l := Linear{K: k}
	for i, p := range parts {
		if _, ok := r.lookup(p.name+".weight", p.outputs, k); !ok {
			return l
		}
		file := r.source.weights.(*ggufCheckpoint)
		b, err := BlocksOf(FormOf(letters[i]), k, p.outputs, func(output int, row []byte) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return file.readBlocks(p.name+".weight", output, row)
		})
		if err != nil {
			r.err = fmt.Errorf("tensor %q: %w", p.name+".weight", err)
			return l
		}
		l.Blocks, l.N = append(l.Blocks, b), l.N+p.outputs
		bias := make([]float32, p.outputs)
		if p.bias {
			copy(bias, r.tensor(p.name+".bias", 1, p.outputs))
		}
		l.Bias = append(l.Bias, bias...)
	}
	return l
}

// wordBlocks copies the rows of the embeddings as they lie in the file.
func (r *tensorReader) wordBlocks(ctx context.Context, to *blockWriter, name string, f *Form, rows, columns int) {
	t, ok := r.lookup(name, rows, columns)
	if !ok {
		return
	}
	to.align()
	row, values := make([]byte, f.RowBytes(columns)), make([]float32, columns)
	for i := 0; i < rows && r.err == nil; i++ {
		if r.err = ctx.Err(); r.err != nil {
			return
		}
		if r.err = t.read(values, i, columns); r.err != nil { // which refuses what is not finite
			return
		}
		if r.err = r.source.weights.(*ggufCheckpoint).readBlocks(name, i, row); r.err == nil {
			to.write(row)
		}
	}
}
