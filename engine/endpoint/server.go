package endpoint

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"
)

// IsLocal reports whether a host without port names this machine.
func IsLocal(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") { // RFC 6761, section 6.3
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// newTransport connects, if local to this machine alone. Compression and kept
// connections would each need limits of their own.
func newTransport(connect time.Duration, local bool) *http.Transport {
	dialer := &net.Dialer{Timeout: connect}
	if local {
		dialer.Control = onlyLocal
	}
	return &http.Transport{
		DialContext:            dialer.DialContext,
		TLSHandshakeTimeout:    connect,
		MaxResponseHeaderBytes: 64 << 10,
		DisableCompression:     true,
		DisableKeepAlives:      true,
	}
}

// onlyLocal refuses a resolved address of another machine.
func onlyLocal(_, address string, _ syscall.RawConn) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("the address %s is not understood: %w", address, err)
	}
	host, _, _ = strings.Cut(host, "%") // an IPv6 zone
	if !IsLocal(host) {
		return fmt.Errorf("its name leads to %s, which is not this machine", host)
	}
	return nil
}

// Server is a server of the settings.
type Server struct {
	URL    string                 // see Options
	Model  string                 // its name at the server
	Key    func() (string, error) // returns the server's key; nil, or "": none
	Remote bool                   // on another machine, by the settings
}

// Client opens a client with the timeouts of o.
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

// Host is the server's host and port.
func (s *Server) Host() string {
	base, err := ParseURL(s.URL)
	if err != nil {
		return "an address that is none"
	}
	return base.Host
}

// How names the answerer.
func (s *Server) How() string { return s.Model + " at " + s.Host() }

// Address is the server's scheme, host and port.
func (s *Server) Address() string {
	base, err := ParseURL(s.URL)
	if err != nil {
		return ""
	}
	return base.Scheme + "://" + base.Host
}

// Elsewhere reports whether the server is on another machine.
func (s *Server) Elsewhere() bool {
	base, err := ParseURL(s.URL)
	return err != nil || !IsLocal(base.Hostname())
}

// Plain reports whether others on the way can read what is sent.
func (s *Server) Plain() bool { return s.Elsewhere() && !strings.HasPrefix(s.Address(), "https:") }

// Where says where the server is and who can read what is sent.
func (s *Server) Where() string {
	switch {
	case !s.Elsewhere():
		return "on this machine"
	case s.Plain():
		return "which is not this machine, unencrypted"
	}
	return "which is not this machine"
}

// Waits words the server's silence.
func (s *Server) Waits(silent time.Duration) string {
	return waits(s.Host(), silent)
}

// Failed words the server's failure; nil for nil.
func (s *Server) Failed(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s was asked and failed: %w", s.How(), err)
}
