package pdf

import (
	"context"
	"errors"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// wasi is the module whose functions work on open files.
const wasi = "wasi_snapshot_preview1"

// badFile is WASI's number of the error that a file is not open.
const badFile = 8

// errExit ends an instance that ends itself.
var errExit = errors.New("PDFium ended itself")

// handled reports whether an import is one of those that wazero knows of Emscripten.
func handled(name string) bool {
	return strings.HasPrefix(name, "invoke_") || name == "_emscripten_throw_longjmp"
}

// export gives the module a function that it imports.
func export(to wazero.HostModuleBuilder, f api.FunctionDefinition, name string) {
	do, known := host[name]
	if !known {
		do = func(api.Memory, []uint64) uint64 { return badFile } // no file is there, so none is open; of env, nothing is called
	}
	hasResult := len(f.ResultTypes()) > 0
	to.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(func(_ context.Context, m api.Module, stack []uint64) {
		result := do(m.Memory(), stack)
		if hasResult {
			stack[0] = result
		}
	}), f.ParamTypes(), f.ResultTypes()).Export(name)
}

// hostFunc is a function of the machine: what it does to memory by its parameters, and
// its result, which is not looked at where it has none.
type hostFunc func(memory api.Memory, p []uint64) uint64

// host are the functions that do something. The time is always the same, so that the
// same file gives the same text.
var host = map[string]hostFunc{
	"proc_exit": func(api.Memory, []uint64) uint64 { panic(errExit) },
	"clock_time_get": func(m api.Memory, p []uint64) uint64 {
		zero(m, uint32(p[2]), 8)
		return 0
	},
	"environ_sizes_get": func(m api.Memory, p []uint64) uint64 {
		zero(m, uint32(p[0]), 4)
		zero(m, uint32(p[1]), 4)
		return 0
	},
	"environ_get": func(api.Memory, []uint64) uint64 { return 0 },
	"fd_write":    discard,
	"fd_close":    func(api.Memory, []uint64) uint64 { return 0 },
}

// discard drops printed output, such as complaints about a file.
func discard(m api.Memory, p []uint64) uint64 {
	const pair = 8 // address and length
	total := uint32(0)
	for i := range uint32(p[2]) {
		n, ok := m.ReadUint32Le(uint32(p[1]) + i*pair + pair/2)
		if !ok {
			return badFile
		}
		total += n
	}
	m.WriteUint32Le(uint32(p[3]), total)
	return 0
}

func zero(m api.Memory, at uint32, n int) { m.Write(at, make([]byte, n)) }
