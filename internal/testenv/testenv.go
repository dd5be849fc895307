package testenv

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// CacheVariable names the cache of the person who runs the tests, for package
// testcache alone; unset, it is the one that the XDG directories say.
const CacheVariable = "DOWSE_TEST_CACHE"

// NoCache is what CacheVariable holds where tests are to use no real model, not even
// those that the program carries: make quick has no time for them.
const NoCache = "none"

// Runner runs tests, as testing.M does.
type Runner interface{ Run() int }

// Of returns a runner in an environment of its own.
func Of(tests Runner) Runner { return isolated{tests} }

type isolated struct{ Runner }

// Run implements Runner.
func (i isolated) Run() int {
	dir, err := os.MkdirTemp("", "dowse-test")
	if err != nil {
		fmt.Fprintln(os.Stderr, "testenv:", err)
		return 2
	}
	if err := enter(dir); err != nil {
		fmt.Fprintln(os.Stderr, "testenv:", err)
		return 2
	}
	status := i.Runner.Run()
	if err := os.RemoveAll(dir); err != nil && status == 0 {
		fmt.Fprintln(os.Stderr, "testenv: a test left something behind that cannot be removed:", err)
		return 2
	}
	return status
}

// enter makes this process's environment one that lies in dir.
func enter(dir string) error {
	variables := map[string]string{
		CacheVariable:     os.Getenv(CacheVariable),
		"HOME":            filepath.Join(dir, "home"),
		"USERPROFILE":     filepath.Join(dir, "home"),
		"LOCALAPPDATA":    filepath.Join(dir, "home", "local"),
		"XDG_CONFIG_HOME": filepath.Join(dir, "config"),
		"XDG_DATA_HOME":   filepath.Join(dir, "data"),
		"XDG_CACHE_HOME":  filepath.Join(dir, "cache"),
		"TZ":              "UTC",
	}
	if variables[CacheVariable] == "" {
		cache, err := os.UserCacheDir()
		if err == nil { // a user without a cache folder has no models installed
			variables[CacheVariable] = filepath.Join(cache, "dowse")
		}
	}
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if name == "" || kept(name) { // "" is the current folder of a drive, on Windows
			continue
		}
		if err := os.Unsetenv(name); err != nil {
			return err
		}
	}
	for name, value := range variables {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	for _, folder := range []string{"home", "config", "data", "cache"} {
		if err := os.Mkdir(filepath.Join(dir, folder), 0o700); err != nil {
			return err
		}
	}
	time.Local = time.UTC // it may have been read already
	inherited()
	return nil
}

// names and prefixes are what kept keeps.
var (
	names = []string{
		"PATH", "TMPDIR", "TMP", "TEMP", "PWD", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH",
		"SYSTEMROOT", "SYSTEMDRIVE", "COMSPEC", "PATHEXT", // without which Windows starts nothing
	}
	prefixes = []string{"GO", "DOWSE_TEST_"}
)

// kept reports whether a variable stays.
func kept(name string) bool {
	name = strings.ToUpper(name)
	return slices.Contains(names, name) || slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}
