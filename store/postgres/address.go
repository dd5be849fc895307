package postgres

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"dowse/internal/pattern"
)

// Address is where an index lies: postgres://host/database#name, or postgres:service=team#name with
// the words of libpq. What is missing comes from the environment, as with psql.
type Address struct {
	Server string // without the name
	Name   string // of the index; "" where the address has none
}

// IsAddress reports whether a text is meant as an address and not as the path of a file.
func IsAddress(text string) bool {
	return strings.HasPrefix(text, "postgres:") || strings.HasPrefix(text, "postgresql://")
}

// String is the address as it is written.
func (a Address) String() string {
	if a.Name == "" {
		return a.Server
	}
	return a.Server + "#" + a.Name
}

var hasPassword = pattern.New(`(?i)\b(ssl)?password\s*=`)

// errPassword refuses a password where others may read it.
var errPassword = errors.New("the address has a password, which would be kept in the settings; give it by PGPASSWORD, ~/.pgpass or a service file")

// ParseAddress splits an address. It repeats nothing of one with a password.
func ParseAddress(text string) (a Address, err error) {
	if !IsAddress(text) {
		return a, fmt.Errorf("%q is no address of PostgreSQL, such as postgres://host/database or postgres:service=team", text)
	}
	a.Server, a.Name, _ = strings.Cut(text, "#")
	if strings.ContainsAny(a.Name, "#/\\\x00") {
		return Address{}, fmt.Errorf("an index cannot be called %q", a.Name)
	}
	if rest := a.Server[strings.Index(a.Server, ":")+1:]; strings.HasPrefix(rest, "//") {
		u, err := url.Parse(a.Server)
		if err != nil {
			return Address{}, errors.New("the address of PostgreSQL cannot be read") // its error repeats it
		}
		if _, has := u.User.Password(); has {
			return Address{}, errPassword
		}
	}
	if hasPassword.MatchString(a.Server) {
		return Address{}, errPassword
	}
	if _, err := a.config(); err != nil {
		return Address{}, err
	}
	return a, nil
}

// config is what pgx makes of an address and the environment.
func (a Address) config() (*pgx.ConnConfig, error) {
	words := a.Server
	if rest := strings.TrimPrefix(words, "postgres:"); !strings.HasPrefix(rest, "//") && rest != words {
		words = rest
	}
	c, err := pgx.ParseConfig(words)
	if err != nil {
		return nil, fmt.Errorf("the address %s cannot be read: %w", a.Server, err)
	}
	if c.ConnectTimeout == 0 {
		c.ConnectTimeout = connectPatience
	}
	if c.RuntimeParams["application_name"] == "" {
		c.RuntimeParams["application_name"] = "dowse"
	}
	return c, nil
}

// connectPatience is how long a server may take to answer, unless the address says another time.
const connectPatience = 10 * time.Second
