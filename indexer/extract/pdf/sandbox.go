package pdf

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/emscripten"
)

// PDFium may hold for a file, in pages of 64 KiB, anyMemory and memoryPerByte for each byte of the file, which lies in it as a whole,
// and no more than maxPages. Of 320 files of test collections none needs more.
const (
	maxPages      = 512 << 20 >> 16
	anyMemory     = 160 << 20
	memoryPerByte = 6
)

// pagesFor returns how many pages of memory a file of some bytes may take.
func pagesFor(size int) int { return min(maxPages, (anyMemory+memoryPerByte*size)>>16) }

// maxCompilers is how many goroutines compile PDFium at most: each has buffers of its own.
const maxCompilers = 4

// sandbox is PDFium, compiled. It sees neither files nor the network, nor the time.
type sandbox struct {
	runtime wazero.Runtime
	cache   wazero.CompilationCache // nil where nothing is kept
	module  wazero.CompiledModule
}

// compile makes a sandbox of WebAssembly; cacheDir keeps the result for the next
// process, "" keeps nothing.
func compile(ctx context.Context, code []byte, cacheDir string) (*sandbox, error) {
	s := &sandbox{}
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(maxPages)
	if cacheDir != "" {
		// A cache that cannot be written costs time alone.
		if err := os.MkdirAll(cacheDir, 0o700); err == nil {
			if s.cache, err = wazero.NewCompilationCacheWithDir(cacheDir); err == nil {
				config = config.WithCompilationCache(s.cache)
			}
		}
	}
	s.runtime = wazero.NewRuntimeWithConfig(ctx, config)
	err := s.load(ctx, code)
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// load compiles the module and gives it what it imports.
func (s *sandbox) load(ctx context.Context, code []byte) (err error) {
	if code, err = interruptible(code); err != nil {
		return err
	}
	// The cores share the functions, since the first file waits for all of them.
	compiling := experimental.WithCompilationWorkers(ctx, min(runtime.GOMAXPROCS(0), maxCompilers))
	if s.module, err = s.runtime.CompileModule(compiling, code); err != nil {
		return err
	}
	exceptions, err := emscripten.NewFunctionExporterForModule(s.module)
	if err != nil {
		return err
	}
	env := s.runtime.NewHostModuleBuilder("env")
	exceptions.ExportFunctions(env)
	system := s.runtime.NewHostModuleBuilder(wasi)
	for _, f := range s.module.ImportedFunctions() {
		module, name, _ := f.Import()
		switch {
		case module == wasi:
			export(system, f, name)
		case module == "env" && !handled(name):
			export(env, f, name)
		}
	}
	if _, err := env.Instantiate(ctx); err != nil {
		return err
	}
	_, err = system.Instantiate(ctx)
	return err
}

func (s *sandbox) close() error {
	err := s.runtime.Close(context.Background())
	if s.cache != nil {
		err = errors.Join(err, s.cache.Close(context.Background()))
	}
	return err
}

// instance starts PDFium in memory of its own, which ends with ctx. Each file has a new
// one: what one file leaves behind, another never meets.
func (s *sandbox) instance(ctx context.Context, pages int) (*instance, error) {
	p, err := s.start(ctx, s.module, pages)
	if err != nil {
		return nil, err
	}
	p.call("_initialize")
	p.call("FPDF_InitLibrary")
	p.scratch = p.alloc(scratchBytes + lengthBytes)
	if p.err != nil {
		return nil, errors.Join(fmt.Errorf("start PDFium: %w", p.err), p.close())
	}
	return p, nil
}

// start gives a module memory of its own, and ends its loops with ctx. Nothing of it has run yet.
func (s *sandbox) start(ctx context.Context, module wazero.CompiledModule, most int) (*instance, error) {
	reserving, pages, err := reserve(ctx, most)
	if err != nil {
		return nil, err
	}
	// An empty name, so that there may be several.
	running, err := s.runtime.InstantiateModule(reserving, module, wazero.NewModuleConfig().WithName("").WithStartFunctions())
	if err != nil {
		return nil, errors.Join(err, pages.release())
	}
	p := &instance{module: running, pages: pages, memory: running.Memory(), functions: map[string]api.Function{}}
	p.unwatch = watch(ctx, pages)
	if p.memory == nil {
		return nil, errors.Join(errors.New("it has no memory"), p.close())
	}
	return p, nil
}

// watch ends the loops of the instance with that memory when ctx ends, until stop is called.
// What it has begun then is over.
func watch(ctx context.Context, pages reserved) (stop func()) {
	ended := make(chan struct{})
	forget := context.AfterFunc(ctx, func() {
		defer close(ended)
		pages[stopAt] = 1
	})
	return sync.OnceFunc(func() {
		if !forget() {
			<-ended
		}
	})
}
