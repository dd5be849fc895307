package pack

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"dowse/models/modeltest"
	"dowse/models/pack/directio"
)

// onHeap is memory for Load.
func onHeap(size int) ([]byte, error) { return directio.AlignedBytes(size), nil }

// A loaded pack has the blocks of a mapped one, and keeps them whatever becomes
// of the file.
func TestLoadedPackIsTheMappedOne(t *testing.T) {
	for name, path := range map[string]string{
		"embedder": importFiles(t, tinyFiles(t)), "reranker": rerankerPath(t, modeltest.Reranker{}),
	} {
		mapped := openPack(t, path)
		loaded, err := Load(t.Context(), path, onHeap)
		if err != nil {
			t.Fatal(err)
		}
		if loaded.Size() != mapped.Size() || loaded.Fingerprint() != mapped.Fingerprint() || loaded.Config() != mapped.Config() {
			t.Errorf("%s: another pack", name)
		}
		s := openStream(t, path)
		if s.Size() != mapped.Size() {
			t.Errorf("%s: a stream of %d bytes, the file has %d", name, s.Size(), mapped.Size())
		}
		want := make([][]byte, len(mapped.header.Blocks))
		for i := range want {
			want[i] = bytes.Clone(mapped.block(i))
		}
		if err := os.Truncate(path, 100); err != nil && runtime.GOOS != "windows" {
			t.Fatal(err)
		}
		for i := range want {
			if !bytes.Equal(loaded.block(i), want[i]) {
				t.Errorf("%s: block %d has other bytes", name, i)
			}
		}
		if err := errors.Join(loaded.Verify(t.Context()), loaded.Close()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLoadNoticesDamage(t *testing.T) {
	path := importFiles(t, tinyFiles(t))
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	broken := filepath.Join(t.TempDir(), "broken.pack")
	for name, c := range map[string]struct {
		data []byte
		want error
	}{
		"empty": {nil, errForeign}, "another file": {bytes.Repeat([]byte("text "), 1000), errForeign},
		"a magic alone": {whole[:8], ErrTruncated}, "half": {whole[:len(whole)/2], ErrTruncated},
		"longer": {append(bytes.Clone(whole), 0), ErrCorrupt}, "flipped": {flipped(whole, len(whole)-2000), ErrCorrupt},
		"flipped tokenizer": {flipped(whole, 4096+5), ErrCorrupt}, "flipped header": {flipped(whole, 100), ErrCorrupt},
	} {
		if err := os.WriteFile(broken, c.data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(t.Context(), broken, onHeap); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	if _, err := Load(t.Context(), filepath.Join(t.TempDir(), "absent"), onHeap); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("absent: %v", err)
	}
	full := errors.New("no memory")
	if _, err := Load(t.Context(), path, func(int) ([]byte, error) { return nil, full }); !errors.Is(err, full) {
		t.Errorf("without memory: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Load(ctx, path, onHeap); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
}

// flipped is data with one bit changed.
func flipped(data []byte, at int) []byte {
	data = bytes.Clone(data)
	data[at] ^= 8
	return data
}

// A file that is cut while it is verified is an error too, not a crash.
func TestVerifyNoticesACutFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("nothing is mapped here")
	}
	path := importFiles(t, tinyFiles(t))
	p := openPack(t, path)
	if err := os.Truncate(path, 4096); err != nil {
		t.Fatal(err)
	}
	if err := p.Verify(t.Context()); !errors.Is(err, ErrTruncated) {
		t.Errorf("verified: %v, want %v", err, ErrTruncated)
	}
}
