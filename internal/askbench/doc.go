// Package askbench measures what a person waits for who asks one question from a
// shell: a whole process, from its start to its end.
//
// # Basics
//
// Run indexes a folder into a home of its own, asks each question in every way
// cold, that is by a process that opens everything itself, then starts the
// watcher, waits until it has computed ahead what it will, and asks again:
//
//	report, err := askbench.Run(ctx, askbench.Options{Program: exe, Folder: dir, Questions: titles}, progress)
//
// Titles takes the questions from the folder itself: the headings of its
// Markdown files. A person who looks for a note types about that.
//
// # Caveats
//
// The person's own index, settings, past answers and traces are not read: the
// home is new, so that models are those of the defaults and nothing was
// calibrated. The page cache is warm in both cases: cold means a new process,
// not a machine that was just started.
package askbench
