// Package child starts the programs that dowse runs beside itself, so that a
// folder that a person has merely entered has no say in what is run.
//
// # Basics
//
// Find looks a program up. Output runs one for dowse's own ends, such as a package
// client, and returns what it prints. Attended makes a program ready that a person
// works with, such as an editor.
//
// # Invariants
//
//   - A program is started by its absolute path. An entry of PATH that is relative,
//     or empty, is passed over: it would mean the working directory.
//   - Output runs in an empty folder that only this user can read, and that is gone
//     afterwards. A program that looks into its working directory, or asks PWD for
//     it, finds nothing there.
//   - No program that Output runs reads from the terminal.
//   - Nothing else in dowse imports os/exec: the linter holds that.
package child
