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

// identity says which file bytes belong to. It is stored beside an unfinished
// download, so that none resumes from another file's bytes.
type identity struct {
	Repository string `json:"repository"`
	Revision   string `json:"revision"`
	Name       string `json:"name"`
	SHA256     string `json:"sha256,omitempty"`
	ETag       string `json:"etag,omitempty"`
	Size       int64  `json:"size"` // -1: unknown
}

// tells reports whether equal identities mean equal bytes.
func (i identity) tells() bool { return i.SHA256 != "" || i.ETag != "" && i.Size >= 0 }

const (
	// incompleteSuffix marks unverified bytes.
	incompleteSuffix = ".incomplete"
	identitySuffix   = ".identity"
)

// readIdentity reads a file's identity; zero if there is none.
func readIdentity(dst string) (i identity) {
	data, err := os.ReadFile(dst + identitySuffix)
	if err != nil || json.Unmarshal(data, &i) != nil {
		return identity{}
	}
	return i
}

func (i identity) write(dst string) error {
	data, err := json.Marshal(i)
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(dst+identitySuffix, data, 0o644)
}

// etagOf returns a response's entity tag without its weakness mark.
func etagOf(h http.Header, name string) string {
	return strings.Trim(strings.TrimPrefix(h.Get(name), "W/"), `"`)
}

// isSum reports whether text is a hex sum of size bytes.
func isSum(text string, size int) bool {
	raw, err := hex.DecodeString(text)
	return err == nil && len(raw) == size
}

// checkGitSum compares a file with the entity tag of small files on hubs: git's
// blob name, or on mirrors the plain SHA-1.
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

func sumOf(path string) (sum string, size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer func() { _ = f.Close() }() // read only
	h := sha256.New()
	size, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), size, err
}

// isPage reports whether a file begins like a web page.
func isPage(f io.ReadSeeker) bool {
	head := make([]byte, 512)
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return false
	}
	n, _ := io.ReadFull(f, head) // a part suffices
	begin := strings.ToLower(strings.TrimLeft(strings.TrimPrefix(string(head[:n]), "\ufeff"), " \t\r\n"))
	return strings.HasPrefix(begin, "<!doctype html") || strings.HasPrefix(begin, "<html")
}
