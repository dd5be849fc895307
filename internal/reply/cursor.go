package reply

import (
	"encoding/base64"
	"errors"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
)

// ErrCursor says that a cursor does not belong to what was asked.
var ErrCursor = errors.New("the cursor is not one of this request; ask without one, and repeat everything else as it was")

// Cursor writes places of a reply to a request, which is named by all that decides on it.
func Cursor(request []string, at ...int) string {
	var b strings.Builder
	for _, n := range at {
		b.WriteString(strconv.Itoa(n))
		b.WriteByte('-')
	}
	return b.String() + nameOf(request)
}

// Follow is the inverse of Cursor. The places are n numbers from 0.
func Follow(cursor string, request []string, n int) ([]int, error) {
	parts := strings.Split(cursor, "-")
	if len(parts) != n+1 || parts[n] != nameOf(request) {
		return nil, fmt.Errorf("cursor %q: %w", cursor, ErrCursor)
	}
	at := make([]int, n)
	for i := range at {
		var err error
		if at[i], err = strconv.Atoi(parts[i]); err != nil || at[i] < 0 {
			return nil, fmt.Errorf("cursor %q: %w", cursor, ErrCursor)
		}
	}
	return at, nil
}

// nameOf tells requests apart, but for one in four thousand million.
func nameOf(request []string) string {
	h := fnv.New32a()
	for _, part := range request {
		_, _ = fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return fmt.Sprintf("%08x", h.Sum32())
}

// PathCursor is a cursor behind a file of a list.
func PathCursor(path string) string { return base64.RawURLEncoding.EncodeToString([]byte(path)) }

// FollowPath is the inverse of PathCursor; "" leads to the beginning.
func FollowPath(cursor string) (path string, err error) {
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return "", fmt.Errorf("cursor %q: %w", cursor, ErrCursor)
	}
	return string(b), nil
}
