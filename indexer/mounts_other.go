//go:build !linux

package indexer

// mountPoints returns nothing where the system does not list them in a file: a folder that is not mounted has to be
// missing there to be taken for one.
func mountPoints() []string { return nil }

// mountTable tells nothing there.
type mountTable struct{}

func (*mountTable) changed() bool { return false }

func (*mountTable) close() {}
