package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

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

// NewReader is New for who only reads. What is wrong about the settings is told, and has its
// default: whoever searches wants to find something.
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

// load reads the environment and what is right of the settings.
func load() (a *App, wrong *config.Wrong, err error) {
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

// Version is the version of this build.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

// ResolveFolder makes a folder that a person named absolute and checks it.
func ResolveFolder(name string) (string, error) {
	resolved, info, err := resolve(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("there is no folder %s; to search for those words, use dowse -q %q", name, name)
	case errors.Is(err, fs.ErrPermission):
		return "", fmt.Errorf("%s may not be read; give yourself access to it, or name another folder", name)
	case err != nil:
		return "", fmt.Errorf("%s cannot be read: %w", name, err)
	case !info.IsDir():
		return "", fmt.Errorf("%s is a file; name the folder that it lies in", name)
	}
	return resolved, nil
}

// ResolveFile makes a file that a person named absolute and checks it.
func ResolveFile(name string) (string, error) {
	resolved, info, err := resolve(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("there is no file %s; name one as FILE or FILE:LINE", name)
	case errors.Is(err, fs.ErrPermission):
		return "", fmt.Errorf("%s may not be read; give yourself access to it", name)
	case err != nil:
		return "", fmt.Errorf("%s cannot be read: %w", name, err)
	case info.IsDir():
		return "", fmt.Errorf("%s is a folder; name a file in it", name)
	}
	return resolved, nil
}

// resolve makes what a person named absolute, without links on the way to it.
func resolve(name string) (string, fs.FileInfo, error) {
	path := name
	if name == "~" || strings.HasPrefix(name, "~/") { // quoted, so that the shell left it alone
		if dir, err := os.UserHomeDir(); err == nil {
			path = filepath.Join(dir, name[1:])
		}
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", nil, err
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return "", nil, err
	}
	info, err := os.Stat(path)
	return path, info, err
}

// ResolveFolders resolves several folders.
func ResolveFolders(names []string) ([]string, error) {
	var out []string
	for _, name := range names {
		path, err := ResolveFolder(name)
		if err != nil {
			return nil, err
		}
		out = append(out, path)
	}
	return out, nil
}
