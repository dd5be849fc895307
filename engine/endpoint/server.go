package endpoint

import (
	"fmt"
	"strings"
	"time"
)

// Server is a server that the settings name.
type Server struct {
	URL    string                 // see Options
	Model  string                 // as the server calls it
	Key    func() (string, error) // gives the key that the server wants; nil, or "", for none
	Remote bool                   // it is on another machine, and the person says so
}

// Client opens a client of the server, which waits as o says; of o only how long counts.
func (s *Server) Client(o Options) (*Client, error) {
	o.URL, o.Model, o.Key, o.Local = s.URL, s.Model, "", !s.Remote
	if s.Key != nil {
		var err error
		if o.Key, err = s.Key(); err != nil {
			return nil, err
		}
	}
	return New(o)
}

// Host is the host and port of the server.
func (s *Server) Host() string {
	base, err := ParseURL(s.URL)
	if err != nil {
		return "an address that is none"
	}
	return base.Host
}

// How names who answers.
func (s *Server) How() string { return s.Model + " at " + s.Host() }

// Address is the scheme, host and port of the server.
func (s *Server) Address() string {
	base, err := ParseURL(s.URL)
	if err != nil {
		return ""
	}
	return base.Scheme + "://" + base.Host
}

// Elsewhere reports whether the server is not on this machine.
func (s *Server) Elsewhere() bool {
	base, err := ParseURL(s.URL)
	return err != nil || !IsLocal(base.Hostname())
}

// Plain reports whether others on the way can read what is sent to the server.
func (s *Server) Plain() bool { return s.Elsewhere() && !strings.HasPrefix(s.Address(), "https:") }

// Where says on which machine the server is, and who can read what is sent there.
func (s *Server) Where() string {
	switch {
	case !s.Elsewhere():
		return "on this machine"
	case s.Plain():
		return "which is not this machine, unencrypted"
	}
	return "which is not this machine"
}

// Waits words that the server has been silent for a time.
func (s *Server) Waits(silent time.Duration) string {
	return waits(s.Host(), silent)
}

// Failed words why a server did not do what it was asked; nil for nil.
func (s *Server) Failed(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s was asked and failed: %w", s.How(), err)
}
