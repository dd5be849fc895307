package pressure

import (
	"os"
	"path/filepath"
	"testing"
)

func TestReadFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "memory.pressure")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("some avg10=12.50 avg60=3.00 avg300=0.10 total=123\nfull avg10=1.00 avg60=0.00 avg300=0.00 total=9\n")
	if got, err := readFile(file); err != nil || got != 12.5 {
		t.Errorf("%g, %v: 12.5 is wanted", got, err)
	}
	for _, bad := range []string{"", "some total=1", "some avg10=much"} {
		write(bad)
		if got, err := readFile(file); err == nil {
			t.Errorf("%q is read as %g", bad, got)
		}
	}
	if _, err := readFile(file + ".none"); err == nil {
		t.Error("a file that is not there is read")
	}
}
