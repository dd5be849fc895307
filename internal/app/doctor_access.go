package app

import (
	"fmt"
	"path/filepath"
	"strings"

	"dowse/internal/home"
)

// checkAccess checks whether other users may read what dowse keeps, or change it.
func (a *App) checkAccess() Finding {
	const topic = "access"
	var open []string
	for _, folder := range []struct {
		dir     string
		private bool // others are not to read it, either
	}{
		{a.Home.Data, true},
		{a.Home.Answers(), true},
		{filepath.Dir(a.Home.Socket()), true},
		{a.Home.Cache, false},
		{a.Home.Config, false},
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
