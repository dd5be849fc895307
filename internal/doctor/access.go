package doctor

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"dowse/internal/home"
)

// checkAccess checks whether other users may read what dowse keeps, or change it.
func (e examination) checkAccess() Finding {
	const topic = "access"
	var open []string
	for _, folder := range []struct {
		dir     string
		private bool // others are not to read it, either
	}{
		{e.Home.Data, true},
		{e.Home.Answers(), true},
		{filepath.Dir(e.Home.Socket()), true},
		{e.Home.Cache, false},
		{e.Home.Config, false},
	} {
		access, err := home.AccessOf(folder.dir)
		if err != nil {
			open = append(open, fmt.Sprintf("%s cannot be looked at (%v)", folder.dir, err))
			continue
		}
		if said := openTo(access, folder.dir, folder.private); said != "" {
			open = append(open, said)
		}
	}
	if len(open) > 0 {
		return Finding{topic, Warning, strings.Join(open, "; ")}
	}
	return Finding{topic, Fine, "nobody else may read the index or past answers, or change what dowse keeps"}
}

// openTo says what others may do in a folder, and how to end that; "" where they
// may not do too much.
func openTo(access home.Access, dir string, private bool) string {
	switch {
	case access.Owner && (private || access.Write):
		return fmt.Sprintf("%s belongs to another user; set %s to a folder of your own", dir, home.Variable)
	case access.Write && private:
		return fmt.Sprintf("others may change what is in %s; chmod go-rwx ends that", dir)
	case access.Write:
		return fmt.Sprintf("others may change what is in %s; chmod go-w ends that", dir)
	case access.Read && private:
		return fmt.Sprintf("others may read what is in %s; chmod go-rwx ends that", dir)
	}
	return ""
}

// probeSize is the bytes that the doctor writes to see whether the disk is
// full: an empty file often still fits.
const probeSize = 256 << 10

// checkFolder checks whether dowse may write where it must.
func (e examination) checkFolder(topic, dir string) Finding {
	probe := dir
	for {
		if _, err := os.Stat(probe); err == nil || probe == filepath.Dir(probe) {
			break
		}
		probe = filepath.Dir(probe)
	}
	f, err := os.CreateTemp(probe, ".dowse-*")
	if err != nil {
		return Finding{topic, Broken, fmt.Sprintf("%s cannot be written (%v); set DOWSE_HOME to a folder that can", dir, err)}
	}
	_, err = f.Write(make([]byte, probeSize))
	err = errors.Join(err, f.Close(), os.Remove(f.Name()))
	if errors.Is(err, syscall.ENOSPC) {
		return Finding{topic, Broken, fmt.Sprintf("the disk of %s is full; free some space", dir)}
	}
	if err != nil {
		return Finding{topic, Warning, err.Error()}
	}
	return Finding{topic, Fine, dir}
}
