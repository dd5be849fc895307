// Package walk finds the files of some folders that are worth reading.
//
// # Basics
//
// Walk goes through folders with several goroutines and hands every regular
// file to one callback and everything it leaves out, with the reason, to
// another. A Filter decides about a single path in the same way, for a watcher.
//
//	err := walk.Walk(ctx, []string{"/home/ann/notes"}, walk.Options{}, func(e walk.Entry) error {
//		fmt.Println(e.Path, e.Size)
//		return nil
//	}, nil)
//
// # What is left out
//
// What package ignore ignores; hidden entries, that is names with a leading dot,
// unless Options.Hidden asks for them or a "!" rule of .ignore or .dowseignore
// names them; symbolic links, but those of git-annex whose contents are here; pipes, sockets and devices, which are never
// opened; empty files; files above Options.MaxBytes. A directory that is left
// out is reported once, and its contents are not looked at. A directory of whose
// rule files one cannot be read is left out as unreadable: what the person does
// not want indexed is not known.
//
// # Invariants
//
//   - No path is reported twice, however the folders overlap, and a file belongs
//     to the innermost of the given folders that holds it.
//   - A directory is entered once, even where mounts lead back to it.
//   - No link is followed to a directory, not even one that takes its place
//     while the walk goes on.
//   - What cannot be read or has just vanished is reported and never ends a walk.
//   - Names are bytes: control characters and invalid UTF-8 pass through.
//
// # Caveats
//
// A folder that was asked for is entered even when it is hidden, ignored or
// named by a symbolic link; the link is resolved, and paths are below the
// resolved folder. Two hard links to one file are two files.
package walk
