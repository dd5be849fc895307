package wheel

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDownloadWithoutPip: the index that is named brings the pinned wheel, whichever form its page has, and no other one.
func TestDownloadWithoutPip(t *testing.T) {
	file, sum := makeWheel(t, map[string]string{"a": "b"})
	other := strings.Repeat("0", 64)
	pages := map[string]struct{ kind, page string }{
		"/simple/thing/": {"text/html; charset=utf-8", fmt.Sprintf(`<a href="/files/other.whl#sha256=%s">other</a> <a data-x href="../../files/%s#sha256=%s">it</a>`, other, filepath.Base(file), sum)},
		"/json/thing/":   {"application/vnd.pypi.simple.v1+json", fmt.Sprintf(`{"files": [{"url": "/x", "hashes": {}}, {"url": "../../files/%s", "hashes": {"sha256": %q}}]}`, filepath.Base(file), sum)},
		"/none/thing/":   {"text/html", "<a href=x>nothing</a>"},
		"/lies/thing/":   {"text/html", fmt.Sprintf(`<a href="/other/%s#sha256=%s">`, filepath.Base(file), sum)},
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch page, ok := pages[r.URL.Path]; {
		case ok:
			w.Header().Set("Content-Type", page.kind)
			_, _ = w.Write([]byte(page.page))
		case strings.HasPrefix(r.URL.Path, "/files/"):
			http.ServeFile(w, r, file)
		case strings.HasPrefix(r.URL.Path, "/other/"):
			_, _ = w.Write([]byte("something else"))
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	c := Client{Python: filepath.Join(t.TempDir(), "no-python"), Scratch: t.TempDir()}
	pinned := Wheel{Name: "thing", Version: "1.0", SHA256: sum}
	for index, want := range map[string]string{
		"/simple": "", "/simple/": "", "/json": "", "/none": "has no wheel", "/lies": "has sha256", "/gone": "404",
	} {
		t.Setenv(indexVariable, server.URL+index)
		folder := t.TempDir()
		got, err := c.Download(t.Context(), pinned, folder)
		if want == "" && (err != nil || Check(got, sum) != nil || filepath.Base(got) != filepath.Base(file)) {
			t.Errorf("%s: %q, %v", index, got, err)
		}
		if want != "" {
			if left, _ := os.ReadDir(folder); err == nil || !strings.Contains(err.Error(), want) || len(left) > 0 {
				t.Errorf("%s: %q, %v; %v is left", index, got, err, left)
			}
		}
	}
	t.Setenv(indexVariable, "")
	if _, err := c.Download(t.Context(), pinned, t.TempDir()); !errors.Is(err, ErrNoPip) {
		t.Errorf("without an index: %v", err)
	}
}
