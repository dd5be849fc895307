package extract_test

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"go/build"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/indexer/extract"
	"dowse/indexer/skip"
)

// fill repeats what a function writes until there are enough bytes.
func fill(size int, next func(i int) string) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		b.WriteString(next(i))
	}
	return b.String()
}

func randomBytes(n int) []byte {
	rng := rand.New(rand.NewPCG(7, 0))
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(rng.Uint32())
	}
	return data
}

// wrapped breaks a text into lines of 76 bytes.
func wrapped(text string) string {
	return fill(len(text), func(i int) string { return text[min(76*i, len(text)):min(76*(i+1), len(text))] + "\n" })
}

// prose is English that does not repeat itself, made of words of this package's
// source.
func prose(t *testing.T, size int) string {
	t.Helper()
	source, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Fields(strings.ReplaceAll(string(source), "//", ""))
	rng := rand.New(rand.NewPCG(8, 0))
	return fill(size, func(i int) string {
		return words[rng.IntN(len(words))] + map[bool]string{true: ".\n", false: " "}[i%12 == 11]
	})
}

func TestDataIsLeftOut(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 0))
	const size = 200 << 10
	for name, text := range map[string]string{
		"dots.txt":  strings.Repeat(". ", size/2),
		"rows.txt":  strings.Repeat(strings.Repeat(".", 70)+"\n", size/71),
		"image.txt": wrapped(base64.StdEncoding.EncodeToString(randomBytes(size))),
		"dump.txt":  wrapped(hex.EncodeToString(randomBytes(size / 2))),
		"table.csv": fill(size, func(i int) string { return fmt.Sprintf("%d,%.4f,%.3e\n", i, rng.Float64(), rng.NormFloat64()) }),
		"vector.json": fill(size, func(int) string {
			return fmt.Sprintf("[%.6f, %.6f, %.6f],\n", rng.Float64(), rng.Float64(), rng.Float64())
		}),
		"again.txt": strings.Repeat("All work and no play makes Jack a dull boy.\n", size/44),
		"page.html": "<html><body><pre>" + strings.Repeat("0123456789 ", size/11) + "</pre></body></html>",
	} {
		doc, err := extract.Bytes(context.Background(), name, []byte(text), extract.Options{})
		if reason, _ := skip.ReasonOf(err); reason != skip.NotText {
			t.Errorf("%s: %v, %v", name, doc != nil, err)
		}
		if doc, err := extract.Bytes(context.Background(), name, []byte(text[:32<<10]), extract.Options{}); err != nil || doc == nil {
			t.Errorf("%s, cut to what is harmless: %v", name, err)
		}
	}
}

func TestTextWithDataStays(t *testing.T) {
	const size = 200 << 10
	words := prose(t, size)
	picture := wrapped(base64.StdEncoding.EncodeToString(randomBytes(size)))
	var escaped, chinese, log strings.Builder
	rng := rand.New(rand.NewPCG(10, 0))
	for i := 0; log.Len() < size; i++ {
		at := rng.IntN(len(words) - 40)
		fmt.Fprintf(&log, "2026-11-22T03:%02d:%02d.%06d 10.0.0.%d [%d] %q\n", i/60%60, i%60, rng.IntN(1e6), rng.IntN(256), rng.IntN(1e5), words[at:at+40])
	}
	for chinese.Len() < size {
		chinese.WriteRune(rune(0x4e00 + rng.IntN(3000)))
		fmt.Fprintf(&escaped, "\\u%04x", 0x430+rng.IntN(32))
		if rng.IntN(6) == 0 {
			escaped.WriteString(" ")
		}
		if rng.IntN(50) == 0 {
			chinese.WriteString("。\n")
			escaped.WriteString(".\",\n\"")
		}
	}
	for name, text := range map[string]string{
		"prose.txt":    words,
		"picture.md":   words[:size/4] + "\n![](data:image/png;base64,\n" + picture + ")\n",
		"server.log":   log.String(),
		"zh.txt":       chinese.String(),
		"ru.json":      escaped.String(),
		"some.csv":     fill(size, func(i int) string { return fmt.Sprintf("%d,%q,%d\n", i, words[i*7%100000:][:9], i) }),
		"headings.txt": fill(size, func(i int) string { return fmt.Sprintf("%d. %s ............ %d\n", i, words[i*11%100000:][:30], i*3) }),
	} {
		if _, err := extract.Bytes(context.Background(), name, []byte(text), extract.Options{}); err != nil {
			t.Error(err)
		}
	}
}

// TestWhatIsDataInGo looks at real files: Go's own source, of which what is left
// out are numbers and keys, and never a program.
func TestWhatIsDataInGo(t *testing.T) {
	if testing.Short() {
		t.Skip("reads the packages of Go")
	}
	for _, dir := range []string{"unicode", "compress/testdata", "encoding/json", "crypto/rsa/testdata", "math/big", "runtime"} {
		files, err := filepath.Glob(filepath.Join(build.Default.GOROOT, "src", filepath.FromSlash(dir), "*"))
		if err != nil || len(files) == 0 {
			t.Skipf("Go's source is not here: %v", err)
		}
		for _, file := range files {
			_, err := extract.File(file, extract.Options{})
			if reason, ok := skip.ReasonOf(err); ok && reason == skip.NotText && filepath.Base(filepath.Dir(file)) != "testdata" {
				t.Error(err)
			}
		}
	}
}
