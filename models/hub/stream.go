package hub

import (
	"context"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
)

// droppedError is a connection that ended early.
type droppedError struct{ err error }

func (e *droppedError) Error() string {
	return "the connection dropped; run the command again to go on from there: " + e.err.Error()
}
func (e *droppedError) Unwrap() error { return e.err }

// stream fetches the bytes from done on and returns how many there are.
func (d *download) stream(parent context.Context, f *os.File, sum hash.Hash, done int64) (int64, error) {
	ctx, pace, end := watch(parent, d.client.Stall, done, d.size, d.progress)
	defer end()
	header := http.Header{}
	if done > 0 {
		header.Set("Range", fmt.Sprintf("bytes=%d-", done))
	}
	resp, err := d.client.do(ctx, request{http.MethodGet, d.address, header, nil, d.follow})
	if err != nil {
		return done, err
	}
	defer func() { _ = resp.Body.Close() }() // fully read
	if done > 0 && !continues(resp, done, d.size) {
		// The response does not continue the file: start over.
		if done, err = d.restart(f, sum); err != nil {
			return done, err
		}
		if resp.StatusCode != http.StatusOK && statusError(resp) == nil || resp.StatusCode == http.StatusRequestedRangeNotSatisfiable {
			return done, &droppedError{errors.New("the hub does not have such a part")}
		}
	}
	if err := d.checkResponse(resp, done); err != nil {
		return done, err
	}
	pace.expect(done, d.size)
	// One byte beyond the end is read, not written, to notice excess.
	body := &bounded{from: resp.Body, left: d.most() - done}
	n, err := io.Copy(io.MultiWriter(f, sum, pace), body)
	done += n
	switch {
	case ctx.Err() != nil:
		return done, context.Cause(ctx)
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

// continues reports whether a response carries on at byte done of size bytes.
// An error status is handled elsewhere.
func continues(resp *http.Response, done, size int64) bool {
	switch resp.StatusCode {
	case http.StatusPartialContent:
	case http.StatusOK, http.StatusRequestedRangeNotSatisfiable:
		return false
	default:
		return true
	}
	within, all, _ := strings.Cut(resp.Header.Get("Content-Range"), "/")
	n, err := strconv.ParseInt(all, 10, 64)
	return strings.HasPrefix(within, fmt.Sprintf("bytes %d-", done)) && (err != nil || size < 0 || n == size)
}

func isFileError(err error) bool {
	var path *os.PathError
	return errors.As(err, &path)
}

// most bounds the file's size.
func (d *download) most() int64 {
	if d.size >= 0 {
		return d.size
	}
	return maxUnannounced
}

// checkResponse refuses a response that cannot be the rest from done on. It
// adopts an unknown length.
func (d *download) checkResponse(resp *http.Response, done int64) error {
	if err := statusError(resp); err != nil {
		return err
	}
	if resp.StatusCode == http.StatusPartialContent && done == 0 {
		return fmt.Errorf("%w: a part came, and all of it was asked for", errWrong)
	}
	if encoding := resp.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		return fmt.Errorf("the hub sends the file in the encoding %q, which was not asked for: set HF_ENDPOINT to another hub", encoding)
	}
	if err := d.checkSource(resp); err != nil {
		return err
	}
	if etag := etagOf(resp.Header, "Etag"); d.sum == "" && d.etag != "" && etag != "" && etag != d.etag {
		return fmt.Errorf("%w: it was changed on the hub meanwhile", errWrong)
	}
	switch length := resp.ContentLength; {
	case length < 0: // chunked: counted instead
		return nil
	case done+length > d.most():
		return d.tooLong()
	case d.size < 0:
		d.size = done + length
	case resp.StatusCode == http.StatusOK && length < d.size:
		return fmt.Errorf("%w: it has %d bytes instead of %d", errWrong, length, d.size)
	}
	return nil
}

// tooLong is the error about excess bytes.
func (d *download) tooLong() error {
	if d.size < 0 {
		return fmt.Errorf("%w: the hub does not say how large it is, and sends more than %d bytes", errWrong, int64(maxUnannounced))
	}
	return fmt.Errorf("%w: the hub sends more than its %d bytes", errWrong, d.size)
}

var errTooLong = errors.New("too long")

// bounded reads up to left bytes, then fails with errTooLong.
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
