package disk_test

import (
	"os"
	"testing"
)

// TestMain runs the tests, or is the process that a test kills.
func TestMain(m *testing.M) {
	if folder := os.Getenv(victimVariable); folder != "" {
		os.Exit(victim(folder))
	}
	os.Exit(m.Run())
}
