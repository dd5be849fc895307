// Package child starts the programs that dowse runs beside itself, so that a
// folder that a person has merely entered has no say in what is run.
//
// # Basics
//
// Find looks a program up. Output runs one for dowse's own ends, such as a package
// client, and returns what it prints. Filter runs one over a file, such as tesseract over
// a picture, and returns its text. Attended makes a program ready that a person works
// with, such as an editor.
//
//	text, err := child.Filter{Program: "tesseract", Args: []string{"stdin", "stdout"}, Input: picture}.Run(ctx)
//
// # Invariants
//
//   - A program is started by its absolute path. An entry of PATH that is relative,
//     or empty, is passed over: it would mean the working directory.
//   - Output and Filter run in an empty folder that only this user can read, and that is
//     gone afterwards. A program that looks into its working directory, or asks PWD for
//     it, finds nothing there, but the file that it is to read.
//   - No program that they run reads from the terminal.
//   - What they run ends with its context, and all that it started too, as far as the
//     system has process groups. A Filter prints a bounded number of bytes.
//   - Nothing else in dowse imports os/exec: the linter holds that.
package child
