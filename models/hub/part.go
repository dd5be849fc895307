package hub

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"net/http"
	"os"
	"strings"

	"dowse/internal/atomicfile"
)

// identity is of which file bytes are. It lies beside them while the other files of a
// repository are fetched, so that no download goes on from the bytes of another file.
type identity struct {
	Repository string `json:"repository"`
	Revision   string `json:"revision"`
	Name       string `json:"name"`
	SHA256     string `json:"sha256,omitempty"`
	ETag       string `json:"etag,omitempty"`
	Size       int64  `json:"size"` // -1 while unknown
}

// tells reports whether two downloads with this identity are of the same bytes.
func (i identity) tells() bool { return i.SHA256 != "" || i.ETag != "" && i.Size >= 0 }

const (
	// incompleteSuffix marks bytes that are not yet known to be right.
	incompleteSuffix = ".incomplete"
	// identitySuffix marks the identity of a file.
	identitySuffix = ".identity"
)

// readIdentity reads what lies beside a file; the zero value where nothing of use does.
func readIdentity(dst string) (i identity) {
	data, err := os.ReadFile(dst + identitySuffix)
	if err != nil || json.Unmarshal(data, &i) != nil {
		return identity{}
	}
	return i
}

// write puts the identity beside a file.
func (i identity) write(dst string) error {
	data, err := json.Marshal(i)
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(dst+identitySuffix, data, 0o644)
}

// etagOf returns the entity tag of a response, without what weakens it.
func etagOf(h http.Header, name string) string {
	return strings.Trim(strings.TrimPrefix(h.Get(name), "W/"), `"`)
}

// isSum reports whether text is a sum of so many bytes in hex.
func isSum(text string, size int) bool {
	raw, err := hex.DecodeString(text)
	return err == nil && len(raw) == size
}

// checkGitSum compares a file of n bytes with the entity tag that hubs give to what is not
// stored as a large file: the name of git's blob. Mirrors give the plain SHA-1 in its place.
func checkGitSum(f io.ReadSeeker, n int64, want string) error {
	blob, plain := sha1.New(), sha1.New()
	fmt.Fprintf(blob, "blob %d\x00", n)
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if _, err := io.Copy(io.MultiWriter(blob, plain), f); err != nil {
		return err
	}
	for _, sum := range []hash.Hash{blob, plain} {
		if hex.EncodeToString(sum.Sum(nil)) == want {
			return nil
		}
	}
	return fmt.Errorf("%w: it has another SHA-1 than %s", errWrong, want)
}

// sumOf returns the SHA-256 of a file in hex, and its bytes.
func sumOf(path string) (sum string, size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer func() { _ = f.Close() }() // only read
	h := sha256.New()
	size, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), size, err
}

// isPage reports whether a file begins as a web page does.
func isPage(f io.ReadSeeker) bool {
	head := make([]byte, 512)
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return false
	}
	n, _ := io.ReadFull(f, head) // as much as there is tells
	begin := strings.ToLower(strings.TrimLeft(strings.TrimPrefix(string(head[:n]), "\ufeff"), " \t\r\n"))
	return strings.HasPrefix(begin, "<!doctype html") || strings.HasPrefix(begin, "<html")
}
