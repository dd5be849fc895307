package hub

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"net/url"
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
	SHA256     string // hex; "": the hub's, or unchecked
	Size       int64  // bytes; 0: the hub's
}

// Fetched is a downloaded file.
type Fetched struct {
	SHA256 string // hex
	Size   int64  // bytes
}

// attempts bounds the resumptions of a broken connection.
const attempts = 4

// maxUnannounced bounds a file of unknown size. Configuration and tokenizers
// are smaller, and hubs announce the size of weights.
const maxUnannounced = 64 << 20

// errWrong is wrapped when a file is not the right one; its bytes are deleted.
var errWrong = errors.New("what came is not the file that was published, and is not kept; run the command again, and if that does not help, from another network or with HF_ENDPOINT set to another hub")

// Download brings a file to dst. progress, unless nil, is called by one
// goroutine at a time. It keeps a dst that still equals the hub's file. After
// an error that leaves right bytes, the next call resumes.
func (c *Client) Download(ctx context.Context, file File, dst string, progress func(Progress)) (Fetched, error) {
	d := download{client: c, file: file, dst: dst, progress: progress}
	got, err := d.run(ctx)
	if err != nil {
		return got, fmt.Errorf("download %s of %s: %w", file.Name, file.Repository, err)
	}
	return got, nil
}

// Commit returns the commit of a revision, by one of its files; "" if the hub
// does not tell. A hub that tells must do so from now on.
func (c *Client) Commit(ctx context.Context, file File) (string, error) {
	d := download{client: c, file: file}
	if err := d.ask(ctx); err != nil {
		return "", fmt.Errorf("look for %s of %s: %w", file.Name, file.Repository, err)
	}
	c.commits = d.commit != ""
	return d.commit, nil
}

type download struct {
	client   *Client
	file     File
	dst      string
	progress func(Progress)

	address string
	size    int64  // -1: unknown
	sum     string // hex sha256; "": unknown
	gitSum  string // hex; "": unknown
	etag    string // of the bytes; "": unknown
	commit  string // of the responses; "": unknown
}

func (d *download) run(ctx context.Context) (got Fetched, err error) {
	if err := d.ask(ctx); err != nil {
		return got, err
	}
	if err := os.MkdirAll(filepath.Dir(d.dst), 0o755); err != nil {
		return got, err
	}
	here, err := d.takeUp()
	if err != nil {
		return got, err
	}
	if here {
		if got.SHA256, got.Size, err = sumOf(d.dst); err != nil || d.agrees(got) {
			return got, err
		}
		if err := os.Remove(d.dst); err != nil {
			return got, err
		}
	}
	f, err := os.OpenFile(d.dst+incompleteSuffix, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return got, err
	}
	got, err = d.fetch(ctx, f)
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if errors.Is(err, errWrong) {
		return got, errors.Join(err, os.Remove(f.Name()), os.Remove(d.dst+identitySuffix))
	}
	if err != nil {
		return got, err
	}
	return got, atomicfile.Rename(f.Name(), d.dst)
}

// takeUp inspects an earlier download, deletes another file's, and reports
// whether it is complete.
func (d *download) takeUp() (complete bool, err error) {
	want := identity{d.file.Repository, d.file.Revision, d.file.Name, d.sum, d.etag, d.size}
	if want.SHA256 != "" {
		want.ETag = "" // the sum suffices, whoever sends the bytes
	} else if d.gitSum != "" {
		want.ETag = d.gitSum
	}
	if !want.tells() || readIdentity(d.dst) != want {
		for _, path := range []string{d.dst, d.dst + incompleteSuffix} {
			if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
				return false, err
			}
		}
		return false, want.write(d.dst)
	}
	_, err = os.Stat(d.dst)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// agrees reports whether size and sum are right.
func (d *download) agrees(got Fetched) bool {
	return (d.size < 0 || got.Size == d.size) && (d.sum == "" || got.SHA256 == d.sum)
}

// ask finds out size and checksum by HEAD.
func (d *download) ask(ctx context.Context) error {
	address, err := d.client.fileURL(d.file.Repository, d.file.Revision, d.file.Name)
	if err != nil {
		return err
	}
	d.address, d.size, d.sum = address, -1, strings.ToLower(d.file.SHA256)
	if d.file.Size > 0 {
		d.size = d.file.Size
	}
	ctx, _, end := watch(ctx, d.client.Stall, 0, d.size, d.progress)
	defer end()
	resp, err := d.client.do(ctx, request{http.MethodHead, address, http.Header{}, d.note, d.follow})
	if err != nil {
		return err
	}
	if err := errors.Join(statusError(resp), resp.Body.Close()); err != nil {
		if errors.Is(err, ErrNotFound) && d.client.commits && !strings.HasSuffix(resp.Header.Get("X-Error-Code"), "NotFound") {
			return fmt.Errorf("the hub answers with status %d and does not say, as it does of others, that there is none: run the command again later", resp.StatusCode)
		}
		return err
	}
	if d.size < 0 {
		d.size = resp.ContentLength
	}
	d.etag = etagOf(resp.Header, "Etag")
	return d.checkSource(resp)
}

// note takes size, checksums and commit from the hub's headers. A redirect's
// X-Linked-* headers describe the file, its others itself.
func (d *download) note(h http.Header) {
	if n, err := strconv.ParseInt(h.Get("X-Linked-Size"), 10, 64); err == nil && n >= 0 && d.file.Size == 0 {
		d.size = n
	}
	if commit := h.Get("X-Repo-Commit"); isSum(commit, sha1.Size) {
		d.commit = commit
	}
	// Small files have an etag that is no sha256.
	etag := etagOf(h, "X-Linked-Etag")
	if isSum(etag, sha256.Size) && d.sum == "" {
		d.sum = strings.ToLower(etag)
	}
	if etag == "" && h.Get("Location") == "" {
		etag = etagOf(h, "Etag")
	}
	if isSum(etag, sha1.Size) && h.Get("X-Repo-Commit") != "" {
		d.gitSum = strings.ToLower(etag)
	}
}

// follow refuses redirects to other repositories unless the sum is pinned. Hubs
// redirect from a repository's former name.
func (d *download) follow(next *url.URL) error {
	asked, err := url.Parse(d.address)
	if err != nil || d.file.SHA256 != "" {
		return err
	}
	base := strings.TrimSuffix(asked.Path, strings.Join([]string{"/" + d.file.Repository, "resolve", d.file.Revision, d.file.Name}, "/"))
	path, cached := strings.CutPrefix(strings.TrimPrefix(next.Path, base), "/api/resolve-cache/models") // the hub's cache of small files
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	if len(parts) < 4 || !cached && parts[2] != "resolve" {
		return nil // not a repository's address
	}
	if other := parts[0] + "/" + parts[1]; other != d.file.Repository {
		return fmt.Errorf("the hub has %q in its place, which may be somebody else's; if that is what you want, pull that name", other)
	}
	return nil
}

// checkSource refuses responses that cannot be the file: another commit, a web
// page, or another host without a sum from the hub.
func (d *download) checkSource(resp *http.Response) error {
	asked := d.file.Revision
	if isSum(asked, sha1.Size) && d.commit != "" && d.commit != asked {
		return fmt.Errorf("the hub answers from the commit %s where %s was asked for; run the command again later, or set HF_ENDPOINT to another hub", d.commit, asked)
	}
	if kind := resp.Header.Get("Content-Type"); strings.HasPrefix(strings.ToLower(kind), "text/html") && d.sum == "" {
		return errPage
	}
	address, err := url.Parse(d.address)
	if err != nil {
		return err
	}
	if from := origin(resp.Request.URL); from != origin(address) && d.sum == "" && d.gitSum == "" {
		return fmt.Errorf("the hub has it fetched from %s and says no sum that it must have, so that nothing tells whether it is the file; if that is the hub that you mean, set HF_ENDPOINT to it", from)
	}
	return nil
}

// errPage is the error about a web page instead of the file.
var errPage = fmt.Errorf("%w (a web page came: does this network want a login, or is HF_ENDPOINT no hub?)", errWrong)

// fetch completes f and checks it.
func (d *download) fetch(ctx context.Context, f *os.File) (got Fetched, err error) {
	sum := sha256.New()
	done, err := io.Copy(sum, f)
	if err != nil {
		return got, err
	}
	if done > d.most() {
		if done, err = d.restart(f, sum); err != nil {
			return got, err
		}
	}
	for attempt := 1; d.size < 0 || done < d.size; attempt++ {
		done, err = d.stream(ctx, f, sum, done)
		if err == nil {
			break
		}
		var dropped *droppedError
		if attempt == attempts || ctx.Err() != nil || !errors.As(err, &dropped) {
			return got, err
		}
	}
	got = Fetched{hex.EncodeToString(sum.Sum(nil)), done}
	switch {
	case d.size >= 0 && done != d.size:
		return got, fmt.Errorf("%w: %d bytes instead of %d", errWrong, done, d.size)
	case d.sum != "" && got.SHA256 == d.sum:
		return got, nil
	case isPage(f):
		return got, errPage
	case d.sum != "":
		return got, fmt.Errorf("%w: sha256 %s instead of %s", errWrong, got.SHA256, d.sum)
	case d.gitSum != "":
		return got, checkGitSum(f, done, d.gitSum)
	}
	return got, nil
}

// restart empties f.
func (d *download) restart(f *os.File, sum hash.Hash) (int64, error) {
	sum.Reset()
	if err := f.Truncate(0); err != nil {
		return 0, err
	}
	_, err := f.Seek(0, io.SeekStart)
	return 0, err
}
