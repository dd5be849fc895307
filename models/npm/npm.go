package npm

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"dowse/internal/child"
	"dowse/models/internal/timed"
	"dowse/models/wheel"
)

// Package is a pinned package.
type Package struct {
	Name    string // "@scope/name"
	Version string
	SHA256  string // hex, of the archive
}

// ErrNoClient is wrapped without npm.
var ErrNoClient = errors.New("npm, the package client of Node, is not installed")

// Client runs npm.
type Client struct {
	Program string // "" means npm
	// Scratch is the parent of npm's empty working folder.
	Scratch string
	// Waiting receives the duration of a download, or is nil.
	Waiting func(took time.Duration)
}

// limit bounds the download of a few megabytes.
const limit = 10 * time.Minute

// maxWord bounds npm's error text that is passed on, in bytes.
const maxWord = 400

// Download brings the archive into folder and returns its path.
func (c *Client) Download(ctx context.Context, p Package, folder string) (string, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	program := c.Program
	if program == "" {
		program = "npm"
	}
	if _, err := child.Find(program); err != nil {
		return "", fmt.Errorf("%w: %w", ErrNoClient, err)
	}
	var output []byte
	err = timed.Do(ctx, limit, "check the network, or name another registry to npm", c.Waiting, func(ctx context.Context) (err error) {
		output, err = child.Output(ctx, c.Scratch, program, "pack", "--silent", "--ignore-scripts",
			"--fetch-retries=1", "--pack-destination", folder, p.Name+"@"+p.Version)
		return err
	})
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		said := strings.TrimSpace(string(output))
		return "", fmt.Errorf("npm pack %s@%s: %w: %s", p.Name, p.Version, err, said[:min(len(said), maxWord)])
	}
	found, err := filepath.Glob(filepath.Join(folder, "*.tgz"))
	if err == nil && len(found) == 0 {
		err = errors.New("npm left no archive")
	}
	for _, file := range found {
		if err = wheel.Check(file, p.SHA256); err == nil {
			return file, nil
		}
	}
	if errors.Is(err, wheel.ErrChecksum) {
		err = fmt.Errorf("%w; it is deleted. npm cache clean --force drops what npm may keep of it; the registry that npm asks may have another one", err)
	}
	return "", fmt.Errorf("npm pack %s@%s: %w", p.Name, p.Version, err)
}

// Extract writes named files of the archive into folder under their base names;
// limit bounds each in bytes.
func Extract(file, folder string, limit int64, names ...string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	wanted := map[string]bool{}
	for _, name := range names {
		wanted[name] = true
	}
	err = extract(f, folder, limit, wanted)
	if err == nil && len(wanted) > 0 {
		for name := range wanted {
			err = fmt.Errorf("the package %s holds no %s", filepath.Base(file), name)
		}
	}
	return errors.Join(err, f.Close())
}

// extract removes the files that it finds from wanted.
func extract(archive io.Reader, folder string, limit int64, wanted map[string]bool) error {
	z, err := gzip.NewReader(archive)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for t := tar.NewReader(z); len(wanted) > 0; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if !wanted[h.Name] || h.Typeflag != tar.TypeReg {
			continue
		}
		if h.Size > limit {
			return fmt.Errorf("%s has %d bytes, %d at most are expected", h.Name, h.Size, limit)
		}
		delete(wanted, h.Name)
		if err := write(filepath.Join(folder, path.Base(h.Name)), t); err != nil {
			return err
		}
	}
	return nil
}

func write(to string, from io.Reader) error {
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}
