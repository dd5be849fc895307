package secret_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"strings"
	"time"

	"dowse/indexer/encoded"
	"dowse/indexer/secret"
)

func TestScan(t *testing.T) {
	roots := os.Getenv("SCAN")
	if roots == "" {
		t.Skip()
	}
	n, hits, cuts := 0, 0, 0
	var took time.Duration
	var bytes int
	for _, root := range strings.Split(roots, ":") {
		_ = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !d.Type().IsRegular() {
				return nil
			}
			info, _ := d.Info()
			if info.Size() > 64<<20 {
				return nil
			}
			data, err := os.ReadFile(p)
			if err != nil {
				return nil
			}
			n++
			start := time.Now()
			f := secret.Of(p, data)
			took += time.Since(start)
			bytes += min(len(data), 64<<10)
			if f.Reason != "" {
				hits++
				fmt.Printf("HIT %s (%s) %s\n", f.Reason, f.Detail, p)
			}
			text := string(data)
			for _, r := range encoded.Secrets(text) {
				cuts++
				fmt.Printf("CUT %v %.40q %d %s\n", r.What, text[r.Start:r.End], r.End-r.Start, p)
			}
			return nil
		})
	}
	fmt.Println("files", n, "hits", hits, "cuts", cuts, "took", took, "bytes", bytes)
}
