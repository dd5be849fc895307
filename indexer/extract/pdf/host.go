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

// Numbers of errors, as WASI and Emscripten have them.
const (
	badFile    = 8
	noSuchFile = 44
	noSystem   = 52
)

// errAbort ends an instance that gave itself up.
var errAbort = errors.New("PDFium gave up")

// handled reports whether an import is one of those that wazero knows of Emscripten.
func handled(name string) bool {
	return strings.HasPrefix(name, "invoke_") || name == "_emscripten_throw_longjmp"
}

// export gives the module a function that it imports.
func export(to wazero.HostModuleBuilder, f api.FunctionDefinition, name string) {
	do, known := host[name]
	if !known {
		do = unknown(name)
	}
	hasResult := len(f.ResultTypes()) > 0
	to.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(func(_ context.Context, m api.Module, stack []uint64) {
		result := do(m.Memory(), stack)
		if hasResult {
			stack[0] = result
		}
	}), f.ParamTypes(), f.ResultTypes()).Export(name)
}

// unknown is a function that does nothing: files are not there, and what works on open
// ones is given none.
func unknown(name string) hostFunc {
	result := uint64(badFile)
	if strings.HasPrefix(name, "__syscall_") {
		result = negative(noSystem)
		if strings.Contains(name, "open") || strings.Contains(name, "stat") {
			result = negative(noSuchFile)
		}
	}
	return func(api.Memory, []uint64) uint64 { return result }
}

// hostFunc is a function of the machine: what it does to memory by its parameters, and
// its result, which is not looked at where it has none.
type hostFunc func(memory api.Memory, p []uint64) uint64

// host are the functions that do something. The time is always the same, so that the
// same file gives the same text.
var host = map[string]hostFunc{
	"_abort_js":           func(api.Memory, []uint64) uint64 { panic(errAbort) },
	"emscripten_date_now": func(api.Memory, []uint64) uint64 { return api.EncodeF64(0) },
	"_localtime_js":       noTime,
	"_gmtime_js":          noTime,
	"_tzset_js": func(m api.Memory, p []uint64) uint64 {
		for i, n := range []int{4, 4, 1, 1} { // seconds west, summer time, two names
			zero(m, uint32(p[i]), n)
		}
		return 0
	},
	"emscripten_resize_heap": resize,
	"environ_sizes_get": func(m api.Memory, p []uint64) uint64 {
		zero(m, uint32(p[0]), 4)
		zero(m, uint32(p[1]), 4)
		return 0
	},
	"environ_get": func(api.Memory, []uint64) uint64 { return 0 },
	"fd_write":    discard,
	"fd_close":    func(api.Memory, []uint64) uint64 { return 0 },
}

// noTime says that it is the first second of 1900.
func noTime(m api.Memory, p []uint64) uint64 {
	zero(m, uint32(p[1]), 11*4)
	return 0
}

// resize grows the memory to some bytes.
func resize(m api.Memory, p []uint64) uint64 {
	const page = 64 << 10
	wanted, has := uint64(uint32(p[0])), uint64(m.Size())
	if wanted <= has {
		return 1
	}
	if _, ok := m.Grow(uint32((wanted - has + page - 1) / page)); !ok {
		return 0
	}
	return 1
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

// negative is -n as 32 bits.
func negative(n int32) uint64 { return api.EncodeI32(-n) }
