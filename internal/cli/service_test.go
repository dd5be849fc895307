package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dowse/internal/home"
	"dowse/internal/testwait"
)

// newHome is a home whose folder of logs is there.
func newHome(t *testing.T) home.Home {
	t.Helper()
	t.Setenv(home.Variable, t.TempDir())
	h, err := home.Find()
	if err != nil {
		t.Fatal(err)
	}
	if err := home.MakePrivate(h.State); err != nil {
		t.Fatal(err)
	}
	return h
}

// TestServiceLogRotates: it stays within its bounds, only its user may read it, and its end is printed in order, over
// the parts.
func TestServiceLogRotates(t *testing.T) {
	h := newHome(t)
	log := newServiceLog(h)
	const lines = 6000
	wide := strings.Repeat("heron ", 180)
	for i := range lines {
		if _, err := fmt.Fprintf(log, "%d %s\n", i, wide); err != nil {
			t.Fatal(err)
		}
	}
	testwait.Until(t, "older parts go", func() bool {
		parts, err := h.Logs()
		return err == nil && len(parts) == 1+logParts
	})
	parts, err := h.Logs()
	if err != nil {
		t.Fatal(err)
	}
	total := int64(0)
	for _, part := range parts {
		info, err := os.Stat(part)
		if err != nil || info.Size() > logMegabytes<<20 || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", part, info, err)
			continue
		}
		total += info.Size()
	}
	if total < logParts<<20*9/10 {
		t.Errorf("%d bytes are kept", total)
	}
	for _, n := range []int{0, 5, 2000} {
		var out bytes.Buffer
		if err := serviceLogs(&streams{out: &out, err: &out}, n); err != nil {
			t.Fatal(err)
		}
		got := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		if n > 0 && len(got) != n || n == 0 && len(got) < 2000 {
			t.Errorf("%d lines for -n %d", len(got), n)
		}
		for i, line := range got {
			if fields := strings.Fields(line); len(fields) < 3 || fields[2] != fmt.Sprint(lines-len(got)+i) {
				t.Fatalf("-n %d: line %d is %.60q", n, i, line)
			}
		}
	}
}

// TestScrubbedLogGoesOn: what is erased of a log while the service writes to it leaves nothing in its place.
func TestScrubbedLogGoesOn(t *testing.T) {
	h := newHome(t)
	log := newServiceLog(h)
	for _, line := range []string{"a heron\n", "a secret\n"} {
		if _, err := log.Write([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.ScrubLogs("secret"); err != nil {
		t.Fatal(err)
	}
	if _, err := log.Write([]byte("an osprey\n")); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(h.State, "service.log"))
	if err != nil || !strings.HasSuffix(string(data), " an osprey\n") || len(data) != len("2006-01-02 15:04:05 an osprey\n") {
		t.Errorf("%q, %v", data, err)
	}
}
