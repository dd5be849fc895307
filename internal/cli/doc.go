// Package cli holds the command line: one file a command, flags and wording
// only. What the commands do is in internal/app and below.
//
// Answers go to stdout, everything else to stderr. Exit status: 0 found or
// done, 1 nothing found or nothing of it relevant, 2 wrong use or failure, with one sentence on stderr
// that says what, why and what to do. A question whose answer is not in the
// passages found has found them: 0. Ctrl-C ends every command with 130, at once
// and in any phase; what was committed stays.
//
// On a terminal an answer is written below its passages as it comes. Nothing that
// was written there is taken back, so that what only the whole answer tells (which
// pieces no passage supports, which lines it cites) follows at the end.
package cli
