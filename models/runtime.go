package models

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"

	"dowse/internal/atomicfile"
	"dowse/models/wheel"
)

// runtimeVersion is the tested ONNX Runtime.
const runtimeVersion = "1.31.1"

// RuntimeVariable names another library than the cache's.
const RuntimeVariable = "ONNXRUNTIME_SHARED_LIBRARY_PATH"

type runtimeLibrary struct {
	platform    string // pip's name
	wheelSHA256 string
	file        string // in the wheel
	sha256      string
	size        int64
}

var runtimes = map[string]runtimeLibrary{
	"linux/amd64": {
		"manylinux_2_28_x86_64", "5752bd508126ae7c49894d3b9d2e83f0c3d487319246d04c444b393308d7ad7f",
		"onnxruntime/capi/libonnxruntime.so.1.31.1", "fc44112fbe06d7d689c57e11d3862031f64711007e4ee020f8eed5185fd2c1d3", 29_352_200,
	},
	"linux/arm64": {
		"manylinux_2_28_aarch64", "da05378364c44d4407e463982d2bf8d5e4cfea873283757e48beeb41df97b7f3",
		"onnxruntime/capi/libonnxruntime.so.1.31.1", "8aa3b76b28c778a2b1dd660d34161adb1d508c9ccd04ff9dc80e26eca5df8467", 25_265_040,
	},
	"darwin/arm64": {
		"macosx_14_0_arm64", "60b6b69bfe580eab576cacc5d132a0e9cf2a37fcfd18d46dd191042b1d1ed0d7",
		"onnxruntime/capi/libonnxruntime.1.31.1.dylib", "f8b06155feece624e55e49124340eea279da812529ae6fbc46a9f2be9c9cad2e", 33_037_336,
	},
	"windows/amd64": {
		"win_amd64", "c3d91b5de31e2fc82d71bd65b2b22bddee8b49057a3a36338e9a868e0ea90c05",
		"onnxruntime/capi/onnxruntime.dll", "8482d2ee174e28504f99730fb01d6861575870283de4ed3a897ad39170d9a9b9", 19_288_888,
	},
}

var runtimeNotices = []string{"onnxruntime/LICENSE", "onnxruntime/ThirdPartyNotices.txt"}

// ErrNotInstalled is wrapped without ONNX Runtime; dowse then uses its own
// kernels.
var ErrNotInstalled = errors.New("the ONNX Runtime library is not installed")

// static is "true" in a program that is linked statically. The build of a release sets it.
var static string

// LoadsLibraries reports whether this program can load a library: one that is linked statically cannot.
func LoadsLibraries() bool { return static != "true" }

// knownRuntime is the library of this machine.
func knownRuntime() (runtimeLibrary, error) {
	if !LoadsLibraries() {
		return runtimeLibrary{}, fmt.Errorf("%w: this program is linked statically and loads none", ErrNotInstalled)
	}
	r, ok := runtimes[runtime.GOOS+"/"+runtime.GOARCH]
	if !ok {
		return r, fmt.Errorf("%w: none is known for %s/%s", ErrNotInstalled, runtime.GOOS, runtime.GOARCH)
	}
	return r, nil
}

func runtimeFolder(cacheDir string) string {
	return filepath.Join(cacheDir, "runtime", "onnxruntime-"+runtimeVersion)
}

func (r runtimeLibrary) name() string { return path.Base(r.file) }

// FindRuntime returns the path of the library, without loading it:
// ONNXRUNTIME_SHARED_LIBRARY_PATH's, the cache's, or the one beside the
// executable.
func FindRuntime(cacheDir string) (string, error) {
	if named := os.Getenv(RuntimeVariable); named != "" && LoadsLibraries() {
		if _, err := os.Stat(named); err != nil {
			return "", fmt.Errorf("%w where %s says: %w", ErrNotInstalled, RuntimeVariable, err)
		}
		return named, nil
	}
	r, err := knownRuntime()
	if err != nil {
		return "", err
	}
	cached := filepath.Join(runtimeFolder(cacheDir), r.name())
	if info, err := os.Stat(cached); err == nil && info.Size() == r.size {
		return cached, nil
	}
	if executable, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(executable), r.name())
		if _, err := os.Stat(beside); err == nil {
			return beside, nil
		}
	}
	return "", fmt.Errorf("%w: run dowse models pull onnxruntime, or set %s", ErrNotInstalled, RuntimeVariable)
}

// EnsureRuntime installs the library if necessary and returns its path. It
// comes from PullOptions.Folder with Folder, else from the pinned wheel, always
// with the pinned checksum.
func EnsureRuntime(ctx context.Context, cacheDir string, opts PullOptions, progress func(Progress)) (string, error) {
	if found, err := FindRuntime(cacheDir); err == nil {
		return found, nil
	}
	r, err := knownRuntime()
	if err != nil {
		return "", err
	}
	unlock, err := lock(ctx, cacheDir, "onnxruntime")
	if err != nil {
		return "", fmt.Errorf("install ONNX Runtime: %w", err)
	}
	found, err := FindRuntime(cacheDir)
	if err != nil {
		found = filepath.Join(runtimeFolder(cacheDir), r.name())
		err = r.install(ctx, cacheDir, opts, progress)
	}
	if err := errors.Join(err, unlock()); err != nil {
		return "", fmt.Errorf("install ONNX Runtime: %w", err)
	}
	return found, nil
}

// install replaces the library's folder in the cache.
func (r runtimeLibrary) install(ctx context.Context, cacheDir string, opts PullOptions, progress func(Progress)) error {
	staging, err := newStaging(cacheDir, "onnxruntime")
	if err != nil {
		return err
	}
	folder := filepath.Join(staging, "files")
	if opts.From == Folder {
		err = copyFile(filepath.Join(opts.Folder, r.name()), filepath.Join(folder, r.name()))
	} else {
		err = r.fromWheel(ctx, opts, staging, folder, progress)
	}
	if err == nil {
		err = wheel.Check(filepath.Join(folder, r.name()), r.sha256)
	}
	if err == nil {
		err = replaceFolder(folder, runtimeFolder(cacheDir))
	}
	return errors.Join(err, os.RemoveAll(staging))
}

func (r runtimeLibrary) fromWheel(ctx context.Context, opts PullOptions, staging, folder string, progress func(Progress)) error {
	client := wheel.Client{Python: opts.Python, Scratch: staging, Waiting: waitingFor("download onnxruntime", progress)}
	pinned := wheel.Wheel{Name: "onnxruntime", Version: runtimeVersion, SHA256: r.wheelSHA256, Platform: r.platform}
	file, err := client.Download(ctx, pinned, staging)
	if errors.Is(err, wheel.ErrNoPip) {
		return fmt.Errorf("%w: install pip, name an index, or name a library by %s", err, RuntimeVariable)
	}
	if err != nil {
		return err
	}
	for _, name := range append(runtimeNotices[:len(runtimeNotices):len(runtimeNotices)], r.file) {
		if _, err := wheel.Extract(ctx, file, name, folder); err != nil {
			return err
		}
	}
	return nil
}

// replaceFolder moves a folder to dst, replacing a damaged one.
func replaceFolder(src, dst string) error {
	if err := os.MkdirAll(filepath.Dir(dst), 0o755); err != nil {
		return err
	}
	if err := os.RemoveAll(dst); err != nil {
		return err
	}
	return atomicfile.Rename(src, dst)
}

// copyFile copies src to dst and makes its folder.
func copyFile(src, dst string) error {
	if err := os.MkdirAll(filepath.Dir(dst), 0o755); err != nil {
		return err
	}
	in, err := os.Open(src)
	if err != nil {
		return err
	}
	_, _, err = copySummed(in, dst)
	return errors.Join(err, in.Close())
}
