//go:build unix

package testenv

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// startedWith tells the test binary that a test started it.
const startedWith = "DOWSE_TEST_ENVIRONMENT"

func TestMain(m *testing.M) {
	if os.Getenv(startedWith) != "" {
		os.Exit(Of(m).Run())
	}
	os.Exit(m.Run())
}

// TestNothingIsInherited starts the test again with everything that a person may
// have set.
func TestNothingIsInherited(t *testing.T) {
	if os.Getenv(startedWith) == "" {
		child := exec.Command("sh", "-c", `trap "" HUP INT TERM; umask 077; exec "$0" -test.run='^TestNothingIsInherited$' -test.v`, os.Args[0])
		child.Env = append(os.Environ(), startedWith+"=1", "DOWSE_HOME=/of/the/person", "HF_TOKEN=secret", "EDITOR=vi",
			"LANG=tr_TR.UTF-8", "TZ=Asia/Kathmandu", "TERM=dumb", "NO_COLOR=1", "XDG_CACHE_HOME=/caches")
		if out, err := child.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS") {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	for _, name := range []string{"DOWSE_HOME", "HF_TOKEN", "EDITOR", "LANG", "TERM", "NO_COLOR"} {
		if value, set := os.LookupEnv(name); set {
			t.Errorf("%s=%s", name, value)
		}
	}
	if got := os.Getenv(CacheVariable); got != "/caches/dowse" {
		t.Errorf("the person's cache is %q", got)
	}
	if zone, _ := time.Now().Zone(); zone != "UTC" {
		t.Errorf("the time zone is %s", zone)
	}
	if entries, err := os.ReadDir(os.Getenv("HOME")); err != nil || len(entries) > 0 {
		t.Errorf("the home folder holds %v: %v", entries, err)
	}
	out, err := exec.Command("sh", "-c", `umask; for s in HUP INT TERM; do (sh -c 'kill -'$s' $$; sleep 60'); echo $?; done`).Output()
	if got := strings.Fields(string(out)); err != nil || strings.Join(got, " ") != "0022 129 130 143" {
		t.Errorf("children have the umask and die with %v, %v", got, err)
	}
}
