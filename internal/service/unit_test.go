package service

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// hard is a unit with all that files of units have a meaning for.
func hard(program string) *Unit {
	return &Unit{Program: program, Arguments: []string{"service", "run"}, Env: map[string]string{"DOWSE_HOME": `/a b/50%/$x"y\z<&>`, "XDG_DATA_HOME": "/d"}}
}

// The unit file means what was asked for, as systemd itself reads it.
func TestSystemdUnit(t *testing.T) {
	program := filepath.Join(t.TempDir(), "dow se")
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	text := hard(program).Systemd()
	for _, part := range []string{`Environment="DOWSE_HOME=/a b/50%%/$$x\"y\\z<&>"`, "Nice=10", "IOSchedulingClass=idle", "Restart=on-failure", `" "service" "run"`, "WantedBy=default.target"} {
		if !strings.Contains(text, part) {
			t.Errorf("%s\ndoes not hold %s", text, part)
		}
	}
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("no systemd-analyze here")
	}
	unit := filepath.Join(t.TempDir(), "dowse.service")
	if err := os.WriteFile(unit, []byte(strings.Replace(text, "Documentation=man:dowse-service(1)\n", "", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(analyze, "verify", "--user", "--man=no", unit)
	cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil || strings.Contains(string(out), unit) {
		t.Errorf("%v\n%s", err, out)
	}
}

// The agent is XML with the values as they were.
func TestLaunchdAgent(t *testing.T) {
	text := hard("/a b/dowse").Launchd("local.dowse")
	decoder, said := xml.NewDecoder(strings.NewReader(text)), map[string]bool{}
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if data, is := token.(xml.CharData); is {
			said[string(data)] = true
		}
	}
	for _, value := range []string{"local.dowse", "/a b/dowse", "service", "run", `/a b/50%/$x"y\z<&>`, "LowPriorityIO"} {
		if !said[value] {
			t.Errorf("%s\ndoes not say %s", text, value)
		}
	}
}
