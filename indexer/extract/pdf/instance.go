package pdf

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"dowse/indexer/document"

	"github.com/dustin/go-humanize"
	"github.com/tetratelabs/wazero/api"
)

// instance is a running PDFium. Its first error stays, and every later call returns 0.
type instance struct {
	unwatch   func() // ends waiting for the end of the file's time
	module    api.Module
	memory    api.Memory
	pages     reserved // what memory is of
	functions map[string]api.Function
	stack     [16]uint64
	scratch   uint32 // address of scratchBytes that a call may write to
	err       error
}

const (
	scratchBytes = 1 << 10
	lengthBytes  = 8 // behind them, where a call writes how much it wrote
)

// aborted is what the runtime says of an instance that gave itself up; the error has no exported value.
const aborted = "wasm error: unreachable"

// errMemory is the error of an instance that wants more than pagesFor the file.
var errMemory = errors.New("it takes more memory than one file may")

// tooMuch is the errMemory of an instance, which names its limit.
func (p *instance) tooMuch() error {
	return fmt.Errorf("%w: %w", errMemory, document.Bounds(humanize.IBytes(uint64(len(p.pages)))+" of memory"))
}

// using ends the instance when do is done, or has panicked.
func (p *instance) using(do func() error) (err error) {
	defer func() { err = errors.Join(err, p.close()) }()
	return do()
}

func (p *instance) close() error {
	p.unwatch()
	err := p.module.Close(context.Background())
	return errors.Join(err, p.pages.release())
}

// function returns a function of PDFium by its name.
func (p *instance) function(name string) api.Function {
	f := p.functions[name]
	if f == nil {
		if f = p.module.ExportedFunction(name); f == nil {
			p.fail(fmt.Errorf("it has no function %s", name))
		}
		p.functions[name] = f
	}
	return f
}

func (p *instance) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

// call calls a function by its name.
func (p *instance) call(name string, args ...uint64) uint64 { return p.do(p.function(name), args...) }

// do calls a function.
func (p *instance) do(f api.Function, args ...uint64) uint64 {
	if p.err != nil || f == nil {
		return 0
	}
	copy(p.stack[:], args)
	if err := f.CallWithStack(context.Background(), p.stack[:]); err != nil {
		if strings.Contains(err.Error(), aborted) && int(p.memory.Size()) > len(p.pages)/2 { // it does so where it gets no more
			err = p.tooMuch()
		}
		p.fail(fmt.Errorf("PDFium failed: %w", err))
		return 0
	}
	return p.stack[0]
}

// count calls a function that returns a number of things, -1 where it failed.
func (p *instance) count(name string, args ...uint64) int {
	return max(int(api.DecodeI32(p.call(name, args...))), 0)
}

// alloc returns the address of n bytes, 0 and an error where there is no more memory.
func (p *instance) alloc(n int) uint32 {
	at := uint32(p.call("malloc", uint64(n)))
	if at == 0 {
		p.fail(p.tooMuch())
	}
	return at
}

func (p *instance) free(at uint32) { p.call("free", uint64(at)) }

// put copies bytes into the sandbox.
func (p *instance) put(data []byte) uint32 {
	at := p.alloc(max(len(data), 1))
	if p.err == nil && !p.memory.Write(at, data) {
		p.fail(p.tooMuch())
	}
	return at
}

// named calls with the address of a name that ends in a zero byte.
func (p *instance) named(name string, do func(at uint64)) {
	at := p.put(append([]byte(name), 0))
	do(uint64(at))
	p.free(at)
}

// maxString is how many bytes of a title, a note or a field are read.
const maxString = 64 << 10

// text calls a function that writes UTF-16 to an address, its last two parameters, and
// returns how many bytes that takes with a zero at the end.
func (p *instance) text(name string, args ...uint64) string {
	data := p.bytes(func(at, n uint64) int { return int(uint32(p.call(name, append(args, at, n)...))) })
	return utf16Text(data[:max(len(data)-2, 0)], binary.LittleEndian)
}

// bytes returns what read writes to an address that has so many bytes; read returns how many
// that takes.
func (p *instance) bytes(read func(at, n uint64) int) []byte {
	n := read(0, 0)
	if p.err != nil || n <= 0 || n > maxString {
		return nil
	}
	at := p.scratch
	if n > scratchBytes {
		if at = p.alloc(n); p.err != nil {
			return nil
		}
		defer p.free(at)
	}
	read(uint64(at), uint64(n))
	data, ok := p.memory.Read(at, uint32(n))
	if p.err != nil || !ok {
		return nil
	}
	return slices.Clone(data)
}

// string calls a function that writes bytes to an address, its last two parameters, and
// returns how many that takes with a zero at the end.
func (p *instance) string(name string, args ...uint64) string {
	n := uint32(p.call(name, append(args, uint64(p.scratch), scratchBytes)...))
	if p.err != nil || n < 2 || n > scratchBytes {
		return ""
	}
	data, _ := p.memory.Read(p.scratch, n-1)
	return string(data)
}

// float reads a coordinate of 32 bits of the scratch memory.
func (p *instance) float(at uint32) float64 {
	f, _ := p.memory.ReadFloat32Le(p.scratch + at)
	return finite(float64(f))
}

// double reads one of 64 bits.
func (p *instance) double(at uint32) float64 {
	f, _ := p.memory.ReadFloat64Le(p.scratch + at)
	return finite(f)
}

// finite makes a coordinate one that can be computed with.
func finite(f float64) float64 {
	if math.IsNaN(f) {
		return 0
	}
	return min(max(f, -1e7), 1e7)
}
