package indexes

import (
	"os"
	"testing"

	"dowse/internal/config"
	"dowse/internal/home"
	"dowse/internal/registry"
	"dowse/internal/testenv"
)

// newOpener opens the indexes of the home that the environment names, by the default settings.
func newOpener(t testing.TB) *Opener {
	t.Helper()
	h, err := home.Find()
	if err != nil {
		t.Fatal(err)
	}
	op := &Opener{Registry: registry.Registry{Home: h, Config: config.Default()}}
	op.ResolveNames()
	return op
}

func TestMain(m *testing.M) { os.Exit(testenv.Of(m).Run()) }
