package config

import "fmt"

// Service says when a watcher that runs as a service waits with indexing.
type Service struct {
	Battery bool    // while the machine runs on its battery
	Load    float64 // while other programs keep this share of the processors busy; 0: never
}

// defaultLoad leaves alone a machine on which somebody works.
const defaultLoad = .6

// serviceFile mirrors the table service.
type serviceFile struct {
	Battery *string `toml:"battery"`
	Load    *string `toml:"load"`
}

// What service.battery and service.load may be.
const (
	pause = "pause"
	run   = "run"
	off   = "off"
)

// applyService puts the table service over what is in c.
func (c *Config) applyService(f file) error {
	s := f.Service
	if s == nil {
		return nil
	}
	if s.Battery != nil {
		if *s.Battery != pause && *s.Battery != run {
			return fmt.Errorf("service.battery = %q: want %q or %q%s", *s.Battery, pause, run, meant(*s.Battery, []string{pause, run}))
		}
		c.Service.Battery = *s.Battery == pause
	}
	if s.Load != nil && *s.Load == off {
		c.Service.Load = 0
		return nil
	}
	if err := setShare(&c.Service.Load, s.Load, "service.load"); err != nil {
		return fmt.Errorf("service.load = %q: want a share of the processors such as \"60%%\", or %q", *s.Load, off)
	}
	return nil
}
