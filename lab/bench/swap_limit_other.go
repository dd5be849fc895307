//go:build !linux

package bench

import "errors"

// memoryGroup limits memory where there are control groups, as on Linux.
type memoryGroup struct{ path string }

var errNoGroups = errors.New("this system has no memory control groups, which limit what the page cache takes; run it on Linux")

func newMemoryGroup(int64) (*memoryGroup, error) { return nil, errNoGroups }

func joinMemoryGroup(string) error { return errNoGroups }

func (*memoryGroup) peak() int64 { return 0 }

func (*memoryGroup) remove() error { return nil }
