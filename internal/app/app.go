package app

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"dowse/internal/config"
	"dowse/internal/home"
	"dowse/internal/indexes"
	"dowse/internal/reading"
	"dowse/internal/registry"
)

// App is one dowse: its folders, its settings and its models.
type App struct {
	indexes.Opener
}

// New reads the environment and the settings. Wrong ones are refused: an index would be built,
// and models fetched, by defaults that the person did not choose.
func New() (*App, error) {
	a, wrong, err := load()
	if err == nil && wrong != nil {
		err = wrong
	}
	if err != nil {
		return nil, err
	}
	return a, nil
}

// NewReader is New for searches, which work with wrong settings too: tell gets what is wrong, and
// its defaults hold.
func NewReader(tell func(string)) (*App, error) {
	a, wrong, err := load()
	if err != nil {
		return nil, err
	}
	if wrong != nil {
		tell(fmt.Sprintf("%v; the defaults take the place of what is wrong", wrong))
	}
	return a, nil
}

// silentRuntime is what ONNX Runtime looks for before it keeps a device id and events of its use for its maker.
const silentRuntime = "ORT_DISABLE_TELEMETRY"

// load reads the environment and what is right of the settings.
func load() (a *App, wrong *config.Wrong, err error) {
	if err := os.Setenv(silentRuntime, "1"); err != nil {
		return nil, nil, err
	}
	h, err := home.Find()
	if err != nil {
		return nil, nil, err
	}
	c, err := config.Load(h.ConfigFile())
	if err != nil && !errors.As(err, &wrong) {
		return nil, nil, err
	}
	a = &App{indexes.Opener{Registry: registry.Registry{Home: h, Config: c, Build: Version()}}}
	a.ResolveNames()
	if problems := a.Reading().DropEncodings(); len(problems) > 0 {
		if wrong == nil {
			wrong = &config.Wrong{Path: h.ConfigFile()}
		}
		wrong.Problems = append(wrong.Problems, problems...)
	}
	a.Reading().Use()
	return a, wrong, nil
}

// Reading is how the settings have files read.
func (a *App) Reading() reading.Settings { return reading.Of(a.Home, a.Config) }

// version is what git describe said when a release was built; .ci/release has the linker set it.
var version string

// Version is the version of this build.
func Version() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
