package service

import (
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/kardianos/service"

	"dowse/internal/home"
)

// Service is the watcher of a home as its user's service manager runs it.
type Service struct {
	Name string
	unit Unit
	of   service.Service
}

// State is how it stands.
type State string

// The states.
const (
	None    State = "not installed"
	Stopped State = "stopped"
	Running State = "running"
	Failed  State = "failed"
)

// program is what kardianos/service would run in this process, which it never does.
type program struct{}

func (program) Start(service.Service) error { return nil }
func (program) Stop(service.Service) error  { return nil }

// systemd is what kardianos/service calls it.
const systemd = "linux-systemd"

// For returns the service of a home. A home of its own, by DOWSE_HOME, has a service of its own.
func For(h home.Home) (*Service, error) {
	exe, err := os.Executable()
	if err == nil {
		exe, err = filepath.EvalSymlinks(exe)
	}
	if err != nil {
		return nil, fmt.Errorf("where dowse lies is not known: %w", err)
	}
	s := &Service{Name: "dowse", unit: Unit{Program: exe, Arguments: []string{"service", "run"}, Env: map[string]string{}}}
	for _, name := range []string{home.Variable, "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"} {
		if value := os.Getenv(name); value != "" {
			if abs, err := filepath.Abs(value); err == nil {
				value = abs
			}
			s.unit.Env[name] = value
		}
	}
	if os.Getenv(home.Variable) != "" {
		sum := fnv.New32a()
		sum.Write([]byte(h.Data)) // never fails
		s.Name = fmt.Sprintf("dowse-%08x", sum.Sum32())
	}
	label := s.Name
	if runtime.GOOS == "darwin" {
		label = "local." + s.Name
	}
	s.of, err = service.New(program{}, &service.Config{
		Name: label, DisplayName: "dowse", Description: "dowse keeps the index of your files fresh", Executable: exe,
		Option: service.KeyValue{"UserService": true, "SystemdScript": s.unit.Systemd(), "LaunchdConfig": s.unit.Launchd(label)},
	})
	if err != nil {
		return nil, err
	}
	switch platform := s.of.Platform(); {
	case platform == systemd, runtime.GOOS == "darwin":
		return s, nil
	default:
		return nil, fmt.Errorf("no service manager for users is here (systemd on Linux, launchd on macOS; this is %s); have your session start dowse watch instead", platform)
	}
}

// File is where the unit lies.
func (s *Service) File() string {
	dir, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	if runtime.GOOS == "darwin" {
		return filepath.Join(dir, "Library", "LaunchAgents", "local."+s.Name+".plist")
	}
	return filepath.Join(dir, ".config", "systemd", "user", s.Name+".service")
}

// Install writes the unit and starts it. One that is there is replaced, as after an update of dowse.
func (s *Service) Install() error {
	if _, err := os.Stat(s.File()); err == nil {
		if err := s.Uninstall(); err != nil {
			return err
		}
	}
	err := s.of.Install()
	if err == nil {
		err = s.of.Start()
	}
	if err != nil {
		_ = os.Remove(s.File()) // nothing is left of what does not run
		return fmt.Errorf("the service cannot be installed: %w; dowse watch works without one", err)
	}
	return nil
}

// Uninstall stops the service and removes its unit. One that is not there is no error.
func (s *Service) Uninstall() error {
	if _, err := os.Stat(s.File()); err != nil {
		return nil
	}
	_ = s.of.Stop() // it may not run
	err := s.of.Uninstall()
	if _, left := os.Stat(s.File()); left == nil { // the manager is not there, and its file goes all the same
		err = os.Remove(s.File())
	}
	if err != nil {
		return fmt.Errorf("the service cannot be removed: %w", err)
	}
	return nil
}

// State asks the service manager.
func (s *Service) State() State {
	if _, err := os.Stat(s.File()); err != nil {
		return None
	}
	status, err := s.of.Status()
	switch {
	case errors.Is(err, service.ErrNotInstalled):
		return Stopped
	case err != nil && strings.Contains(err.Error(), "failed state"):
		return Failed
	case status == service.StatusRunning:
		return Running
	}
	return Stopped
}
