package service

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
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

// The agent says, as a property list, what was asked for.
func TestLaunchdAgent(t *testing.T) {
	unit := hard("/a b/dowse")
	decoder := xml.NewDecoder(strings.NewReader(unit.Launchd("local.dowse")))
	got, err := property(decoder)
	if err != nil {
		t.Fatal(err)
	}
	env := map[string]any{}
	for name, value := range unit.Env {
		env[name] = value
	}
	want := map[string]any{
		"Label": "local.dowse", "ProgramArguments": []any{"/a b/dowse", "service", "run"}, "EnvironmentVariables": env,
		"RunAtLoad": true, "KeepAlive": map[string]any{"SuccessfulExit": false}, "ThrottleInterval": 10,
		"ProcessType": "Background", "LowPriorityIO": true, "Nice": niceness,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v\nwant %v", got, want)
	}
	if rest, err := property(decoder); !errors.Is(err, io.EOF) {
		t.Errorf("behind it: %v, %v", rest, err)
	}
}

// errEnd is the end of a list.
var errEnd = errors.New("end")

// property reads the next value of a property list.
func property(d *xml.Decoder) (any, error) {
	for {
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		switch token := token.(type) {
		case xml.EndElement:
			if token.Name.Local != "plist" {
				return nil, errEnd
			}
		case xml.StartElement:
			switch kind := token.Name.Local; kind {
			case "plist":
				return property(d)
			case "true", "false":
				return kind == "true", d.Skip()
			case "string", "key", "integer":
				var text string
				if err := d.DecodeElement(&text, &token); err != nil || kind != "integer" {
					return text, err
				}
				return strconv.Atoi(text)
			case "array", "dict":
				return list(d, kind)
			default:
				return nil, fmt.Errorf("a property list has no %s", kind)
			}
		}
	}
}

// list reads an array or a dictionary.
func list(d *xml.Decoder, kind string) (any, error) {
	values := []any{}
	for {
		value, err := property(d)
		if errors.Is(err, errEnd) {
			break
		}
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	if kind == "array" {
		return values, nil
	}
	named := map[string]any{}
	for pair := range slices.Chunk(values, 2) {
		name, is := pair[0].(string)
		if _, twice := named[name]; !is || twice || len(pair) < 2 {
			return nil, fmt.Errorf("%v is no pair", pair)
		}
		named[name] = pair[1]
	}
	return named, nil
}
