package home

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/adrg/xdg"
)

// Variable is the environment variable that moves everything into one folder.
const Variable = "DOWSE_HOME"

// Home names the folders of one dowse. Nothing is created before it is needed.
type Home struct {
	Config  string // configuration file's folder
	Data    string // the index
	Cache   string // where downloads go
	State   string // what a service that runs has to say
	Runtime string // the socket

	others []string // caches in which the models of a DOWSE_HOME are looked for too
}

// Find resolves the folders from the environment.
func Find() (Home, error) {
	xdg.Reload()
	if dir := os.Getenv(Variable); dir != "" {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return Home{}, fmt.Errorf("%s=%s cannot be resolved: %w", Variable, dir, err)
		}
		if info, err := os.Stat(abs); err == nil && !info.IsDir() {
			return Home{}, fmt.Errorf("%s=%s is a file; set it to a folder that dowse may fill", Variable, dir)
		}
		return within(abs, []string{filepath.Join(xdg.CacheHome, "dowse")}), nil
	}
	if !homeKnown() {
		return Home{}, errors.New("no home folder is known; set HOME, or set " + Variable + " to a folder that dowse may fill")
	}
	runtime := filepath.Join(os.TempDir(), "dowse-"+strconv.Itoa(os.Getuid()))
	if os.Getenv("XDG_RUNTIME_DIR") != "" {
		runtime = filepath.Join(xdg.RuntimeDir, "dowse")
	}
	return Home{
		Config:  filepath.Join(xdg.ConfigHome, "dowse"),
		Data:    filepath.Join(xdg.DataHome, "dowse"),
		Cache:   filepath.Join(xdg.CacheHome, "dowse"),
		State:   filepath.Join(xdg.StateHome, "dowse"),
		Runtime: runtime,
	}, nil
}

// within returns a home whose folders all lie in dir, an absolute path.
func within(dir string, caches []string) Home {
	return Home{
		Config:  dir,
		Data:    filepath.Join(dir, "index"),
		Cache:   filepath.Join(dir, "cache"),
		State:   filepath.Join(dir, "state"),
		Runtime: filepath.Join(dir, "run"),
		others:  caches,
	}
}

// Trial returns a home in dir, an absolute path, that finds the models of this one: what
// is indexed, kept and downloaded there leaves this one as it is.
func (h Home) Trial(dir string) Home { return within(dir, h.Caches()) }

// homeKnown reports whether all folders can be told without guessing: the home
// folder is set, or every one of them by itself.
func homeKnown() bool {
	if _, err := os.UserHomeDir(); err == nil {
		return true
	}
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"} {
		if os.Getenv(name) == "" {
			return false
		}
	}
	return true
}

// ConfigFile returns the path of the configuration.
func (h Home) ConfigFile() string { return filepath.Join(h.Config, "config.toml") }

// Index returns the path of the database.
func (h Home) Index() string { return filepath.Join(h.Data, "index.db") }

// Log returns the path of the log of the service; older parts of it lie beside it.
func (h Home) Log() string { return filepath.Join(h.State, "service.log") }

// Logs returns the parts of the log that there are, the oldest first.
func (h Home) Logs() ([]string, error) {
	older, err := filepath.Glob(filepath.Join(h.State, "service-*.log")) // with the time in their names
	slices.Sort(older)
	return append(older, h.Log()), err
}

// ScrubLogs erases the parts of the log that hold a text. A process that writes to the newest one goes on with it.
func (h Home) ScrubLogs(text string) error {
	parts, err := h.Logs()
	if err != nil {
		return err
	}
	for _, part := range parts {
		data, err := os.ReadFile(part)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return err
		case !bytes.Contains(data, []byte(text)):
			continue
		}
		if err := os.Truncate(part, 0); err != nil {
			return err
		}
	}
	return nil
}

// Answers returns the folder of past answers, a log for each model.
func (h Home) Answers() string { return filepath.Join(h.Data, "answers") }

// Conversations returns the folder of conversations.
func (h Home) Conversations() string { return filepath.Join(h.Data, "conversations") }

// Caches returns the folders in which models are looked for, in order.
func (h Home) Caches() []string {
	caches := []string{h.Cache}
	for _, c := range h.others {
		if !slices.Contains(caches, c) {
			caches = append(caches, c)
		}
	}
	return caches
}

// maxSocketPath is the room for a unix socket's path in sockaddr_un: 108 bytes
// on Linux, 104 on the BSDs, less the final NUL.
const maxSocketPath = 103

// Socket returns the path of the socket on which the owner of this index listens.
// Two indexes never share one: where the path depends on the index only
// through its folder, a hash of that folder is part of the name.
func (h Home) Socket() string {
	hash := fnv.New64a()
	hash.Write([]byte(h.Data)) // never fails
	name := hex.EncodeToString(hash.Sum(nil)) + ".sock"
	user := "dowse-" + strconv.Itoa(os.Getuid())
	for _, folder := range []string{h.Runtime, filepath.Join(os.TempDir(), user)} {
		if path := filepath.Join(folder, name); len(path) <= maxSocketPath {
			return path
		}
	}
	return filepath.Join("/tmp", user, name)
}
