package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/internal/eval"
)

func TestWriteRunReplacesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hybrid.run")
	if err := os.WriteFile(path, []byte(strings.Repeat("an older ranking\n", 10)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := writeRun(path, []eval.Ranking{{Query: "q", Documents: []eval.Ranked{{ID: "d", Score: 0.5}}}}); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "q Q0 d 1 0.500000 dowse\n" {
		t.Errorf("the file holds %q, %v", got, err)
	}
	if err := writeRun(filepath.Join(path, "below"), nil); err == nil || !strings.Contains(err.Error(), "ranking") {
		t.Errorf("a path below a file: %v", err)
	}
}

func TestRunTakesOneCollection(t *testing.T) {
	cmd := newEval(&streams{out: &bytes.Buffer{}, err: &bytes.Buffer{}})
	cmd.SetArgs([]string{"one", "two", "--run", filepath.Join(t.TempDir(), "x.run")})
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	if err := cmd.Execute(); err == nil || !strings.Contains(err.Error(), "one by one") {
		t.Errorf("two collections into one file: %v", err)
	}
}
