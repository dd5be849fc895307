package measure_test

import (
	"os"
	"testing"

	"dowse/internal/app"
	"dowse/internal/testcache"
	"dowse/internal/testenv"
	"dowse/lab/measure"
)

func TestMain(m *testing.M) { os.Exit(testenv.Of(m).Run()) }

// newApp measures with the models of dowse and a home of its own.
func newApp(t *testing.T) *measure.Runner {
	t.Helper()
	testcache.Home(t)
	a, err := app.New()
	if err != nil {
		t.Fatal(err)
	}
	return measure.With(a)
}

// ignore is told of progress.
func ignore(string, int, int) {}
