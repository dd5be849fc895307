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
