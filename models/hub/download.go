package hub

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"dowse/internal/atomicfile"
)

// File names a file of a repository.
type File struct {
	Repository string // "owner/name"
	Revision   string // commit, branch or tag
	Name       string // slash-separated path within the repository
	SHA256     string // hex; "" means what the hub says, or unchecked
	Size       int64  // bytes; 0 means what the hub says
}

// incompleteSuffix marks bytes that are not yet known to be right.
const incompleteSuffix = ".incomplete"

// attempts is how often a connection that drops in the middle is taken up again.
const attempts = 4

// maxUnannounced bounds a file of which nobody says how large it is. Configuration
// and tokenizers are smaller, and a hub always says how large weights are.
const maxUnannounced = 64 << 20

// errChecksum is wrapped when a file is not the right one. Its bytes are gone; a
// new download starts over.
var errChecksum = errors.New("the downloaded file is not the one that was published")

// Download brings a file to dst. progress, when not nil, is told the bytes
// there and in all (0 while unknown). A dst that exists is left as it is. After
// an error other than errChecksum, the next call goes on where this one stopped.
func (c *Client) Download(ctx context.Context, file File, dst string, progress func(done, total int64)) error {
	if _, err := os.Stat(dst); err == nil {
		return nil
	}
	d := download{client: c, file: file, dst: dst, progress: progress}
	if err := d.run(ctx); err != nil {
		return fmt.Errorf("download %s of %s: %w", file.Name, file.Repository, err)
	}
	return nil
}

// download is one file on its way.
type download struct {
	client   *Client
	file     File
	dst      string
	progress func(done, total int64)

	address string
	size    int64  // in all; -1 while unknown
	sum     string // hex sha256; "" when nobody knows
}

func (d *download) run(ctx context.Context) error {
	if err := d.ask(ctx); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(d.dst), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(d.dst+incompleteSuffix, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	err = d.fetch(ctx, f)
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if errors.Is(err, errChecksum) {
		return errors.Join(err, os.Remove(f.Name()))
	}
	if err != nil {
		return err
	}
	return atomicfile.Rename(f.Name(), d.dst)
}

// ask finds out size and checksum without fetching the file.
func (d *download) ask(ctx context.Context) error {
	address, err := d.client.fileURL(d.file.Repository, d.file.Revision, d.file.Name)
	if err != nil {
		return err
	}
	d.address, d.size, d.sum = address, -1, strings.ToLower(d.file.SHA256)
	if d.file.Size > 0 {
		d.size = d.file.Size
	}
	resp, err := d.client.do(ctx, http.MethodHead, address, http.Header{}, d.note)
	if err != nil {
		return err
	}
	if err := errors.Join(statusError(resp), resp.Body.Close()); err != nil {
		return err
	}
	if d.size < 0 {
		d.size = resp.ContentLength
	}
	return nil
}

// note takes size and checksum from the headers of the hub. A redirect's
// X-Linked-* headers tell of the file; its other headers of itself.
func (d *download) note(h http.Header) {
	if n, err := strconv.ParseInt(h.Get("X-Linked-Size"), 10, 64); err == nil && n >= 0 && d.file.Size == 0 {
		d.size = n
	}
	// Files that are not stored as large ones have an etag that is no sha256.
	etag := strings.Trim(strings.TrimPrefix(h.Get("X-Linked-Etag"), "W/"), `"`)
	if raw, err := hex.DecodeString(etag); err == nil && len(raw) == sha256.Size && d.sum == "" {
		d.sum = strings.ToLower(etag)
	}
}

// fetch fills f, which may hold a beginning already, and checks it.
func (d *download) fetch(ctx context.Context, f *os.File) error {
	sum := sha256.New()
	done, err := io.Copy(sum, f)
	if err != nil {
		return err
	}
	if done > d.most() {
		if done, err = d.restart(f, sum); err != nil {
			return err
		}
	}
	for attempt := 1; d.size < 0 || done < d.size; attempt++ {
		done, err = d.stream(ctx, f, sum, done)
		if err == nil {
			break
		}
		var dropped *droppedError
		if attempt == attempts || ctx.Err() != nil || !errors.As(err, &dropped) {
			return err
		}
	}
	if d.size >= 0 && done != d.size {
		return fmt.Errorf("%w: %d bytes instead of %d", errChecksum, done, d.size)
	}
	if got := hex.EncodeToString(sum.Sum(nil)); d.sum != "" && got != d.sum {
		return fmt.Errorf("%w: sha256 %s instead of %s", errChecksum, got, d.sum)
	}
	return nil
}

// restart drops what f holds.
func (d *download) restart(f *os.File, sum hash.Hash) (int64, error) {
	sum.Reset()
	if err := f.Truncate(0); err != nil {
		return 0, err
	}
	_, err := f.Seek(0, io.SeekStart)
	return 0, err
}

// droppedError is a connection that ended before the file did.
type droppedError struct{ err error }

func (e *droppedError) Error() string {
	return "the connection dropped; run the command again to go on from there: " + e.err.Error()
}
func (e *droppedError) Unwrap() error { return e.err }

// stream fetches the bytes from done on, and returns how many are there then.
func (d *download) stream(ctx context.Context, f *os.File, sum hash.Hash, done int64) (int64, error) {
	header := http.Header{}
	if done > 0 {
		header.Set("Range", fmt.Sprintf("bytes=%d-", done))
	}
	resp, err := d.client.do(ctx, http.MethodGet, d.address, header, nil)
	if err != nil {
		return done, err
	}
	defer func() { _ = resp.Body.Close() }() // all that matters has been read
	if resp.StatusCode == http.StatusRequestedRangeNotSatisfiable && done > 0 {
		// What is there is not a beginning of the file: fetch all of it again.
		done, err = d.restart(f, sum)
		return done, errors.Join(&droppedError{errors.New("the hub has no such range")}, err)
	}
	if err := statusError(resp); err != nil {
		return done, err
	}
	if done > 0 && !resumes(resp, done) {
		// A server that knows no ranges sends everything again.
		if done, err = d.restart(f, sum); err != nil {
			return done, err
		}
	}
	if err := d.checkLength(resp, done); err != nil {
		return done, err
	}
	// One byte beyond the end shows that there is one; it is read and not written.
	body := &bounded{from: resp.Body, left: d.most() - done}
	n, err := io.Copy(io.MultiWriter(f, sum, &meter{d, done}), body)
	done += n
	switch {
	case ctx.Err() != nil:
		return done, ctx.Err()
	case errors.Is(err, errTooLong):
		return done, d.tooLong()
	case err != nil && !isFileError(err):
		return done, &droppedError{err}
	case err != nil:
		return done, err
	case d.size >= 0 && done < d.size:
		return done, &droppedError{io.ErrUnexpectedEOF}
	}
	return done, nil
}

// resumes reports whether the response carries on at byte done.
func resumes(resp *http.Response, done int64) bool {
	return resp.StatusCode == http.StatusPartialContent &&
		strings.HasPrefix(resp.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", done))
}

// isFileError tells an error of the disk from one of the connection.
func isFileError(err error) bool {
	var path *os.PathError
	return errors.As(err, &path)
}

// most returns how large the file may be.
func (d *download) most() int64 {
	if d.size >= 0 {
		return d.size
	}
	return maxUnannounced
}

// checkLength refuses a response that could not be the rest of the file from byte
// done on. A length that nobody had said before is from now on that of the file.
func (d *download) checkLength(resp *http.Response, done int64) error {
	if encoding := resp.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		return fmt.Errorf("the hub sends the file in the encoding %q, which was not asked for", encoding)
	}
	switch length := resp.ContentLength; {
	case length < 0: // chunked: it is counted
		return nil
	case done+length > d.most():
		return d.tooLong()
	case d.size < 0:
		d.size = done + length
	}
	return nil
}

// tooLong is the error about a server that sends more than the file has.
func (d *download) tooLong() error {
	if d.size < 0 {
		return fmt.Errorf("%w: the hub does not say how large it is, and sends more than %d bytes", errChecksum, int64(maxUnannounced))
	}
	return fmt.Errorf("%w: the hub sends more than its %d bytes", errChecksum, d.size)
}

// errTooLong says that more comes than there is room for.
var errTooLong = errors.New("too long")

// bounded reads as many bytes as there may be; what would follow is errTooLong.
type bounded struct {
	from io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if b.left == 0 {
		n, err := b.from.Read(p[:1])
		if n > 0 {
			return 0, errTooLong
		}
		return 0, err
	}
	n, err := b.from.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// meter reports progress.
type meter struct {
	d    *download
	done int64
}

func (m *meter) Write(p []byte) (int, error) {
	m.done += int64(len(p))
	if m.d.progress != nil {
		m.d.progress(m.done, max(0, m.d.size))
	}
	return len(p), nil
}
