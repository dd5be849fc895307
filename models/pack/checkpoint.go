package pack

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"dowse/models/gguf"
	"dowse/models/safetensors"
)

// checkpoint is the weights of a model, whatever the format of their files.
type checkpoint interface {
	lookup(name string) (tensor, bool)
	names() []string
	bytes() io.Reader // of all files
	Close() error
}

// rows are the numbers of a tensor, row by row.
type rows interface {
	CheckType() error
	ReadRows(dst []float32, first int) error
}

// tensor is a tensor of a checkpoint.
type tensor struct {
	rows
	name  string // in the file
	shape []int  // outermost dimension first
}

// fits verifies that a tensor is [rows,columns] or, with one row, [columns].
func (t *tensor) fits(rows, columns int) error {
	want := []int{rows, columns}
	if !slices.Equal(t.shape, want) && !(rows == 1 && slices.Equal(t.shape, want[1:])) {
		return fmt.Errorf("tensor %q has shape %v, the configuration asks for %v", t.name, t.shape, want)
	}
	return nil
}

// read reads rows of the given width from the first on into dst, and refuses
// numbers that are not finite.
func (t *tensor) read(dst []float32, first, width int) error {
	if err := t.ReadRows(dst, first); err != nil {
		return err
	}
	const exponent = 0xff << 23 // all ones in infinities and in what is not a number
	for i, v := range dst {
		if math.Float32bits(v)&exponent == exponent {
			return fmt.Errorf("tensor %q holds %v at %d", t.name, v, first*width+i)
		}
	}
	return nil
}

// folderCheckpoint is the safetensors files of a folder.
type folderCheckpoint struct{ *safetensors.Folder }

func (c folderCheckpoint) bytes() io.Reader { return c.Bytes() }

func (c folderCheckpoint) lookup(name string) (tensor, bool) {
	t, ok := c.Tensor(name)
	if !ok {
		return tensor{}, false
	}
	return tensor{t, t.Name, t.Shape}, true
}

func (c folderCheckpoint) names() []string {
	var list []string
	for _, t := range c.Tensors() {
		list = append(list, t.Name)
	}
	return list
}

// ggufCheckpoint is one GGUF file.
type ggufCheckpoint struct {
	*gguf.Reader
	file *os.File
	// halfSplit gives, for the names of some tensors, the width of the heads
	// whose rows are to be put in the order of packs.
	halfSplit map[string]int
	// stacked says which matrix of a tensor of three dimensions some names mean.
	stacked map[string]stackedMatrix
}

// openCheckpoint opens a GGUF file.
func openCheckpoint(path string) (*ggufCheckpoint, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	reader, err := gguf.NewReader(file, info.Size())
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &ggufCheckpoint{Reader: reader, file: file}, nil
}

func (c *ggufCheckpoint) Close() error     { return c.file.Close() }
func (c *ggufCheckpoint) bytes() io.Reader { return io.NewSectionReader(c.file, 0, math.MaxInt64) }

func (c *ggufCheckpoint) lookup(name string) (tensor, bool) {
	if m, ok := c.stacked[name]; ok {
		return m.lookup(c)
	}
	found, ok := c.Tensor(name)
	if !ok {
		return tensor{}, false
	}
	t := tensor{found, found.Name, found.Shape}
	if headDim, ok := c.halfSplit[name]; ok {
		t.rows = halfSplitRows{t, headDim}
	}
	return t, true
}

func (c *ggufCheckpoint) names() []string {
	var list []string
	for _, t := range c.Tensors() {
		list = append(list, t.Name)
	}
	return list
}

// halfSplitRows restores the order of query and key rows of a Llama in GGUF, where the
// two rows of a rotated pair are neighbours. In checkpoints of Hugging Face and in packs
// they are half a head apart.
type halfSplitRows struct {
	tensor
	headDim int
}

// place returns where row i of a pack stands in the file.
func (r halfSplitRows) place(i int) int {
	head, within, half := i/r.headDim, i%r.headDim, r.headDim/2
	return head*r.headDim + within%half*2 + within/half
}

// ReadRows reads rows in the order of packs. A vector is one row, whose
// elements are what is put in order.
func (r halfSplitRows) ReadRows(dst []float32, first int) error {
	if len(r.shape) == 1 {
		permuted := make([]float32, len(dst))
		if err := r.tensor.ReadRows(permuted, first); err != nil {
			return err
		}
		for i := range dst {
			dst[i] = permuted[r.place(i)]
		}
		return nil
	}
	width := r.shape[1]
	for i := range len(dst) / width {
		if err := r.tensor.ReadRows(dst[i*width:(i+1)*width], r.place(first+i)); err != nil {
			return err
		}
	}
	return nil
}
