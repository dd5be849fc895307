package atomicfile_test

import (
	"fmt"
	"os"
	"testing"

	"dowse/internal/atomicfile"
	"dowse/internal/testenv"
)

// childVariable tells the test binary, run by a test as a child, to begin to write
// the file it names, and to die, instead of testing.
const childVariable = "DOWSE_TEST_WRITE"

// diedWriting is the status of such a child.
const diedWriting = 3

func TestMain(m *testing.M) {
	if path := os.Getenv(childVariable); path != "" {
		fmt.Println(atomicfile.Write(path, 0o600, func(file *os.File) error {
			if _, err := file.WriteString("half"); err != nil {
				return err
			}
			os.Exit(diedWriting)
			return nil
		}))
		os.Exit(1)
	}
	os.Exit(testenv.Of(m).Run())
}
