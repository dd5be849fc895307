// Package service has the system run the watcher for its user: as a systemd user unit on Linux, as a launchd agent on
// macOS. It writes the unit itself, since it is to run with low priority and by paths that may have blanks;
// kardianos/service puts it where it belongs and asks the service manager.
package service
