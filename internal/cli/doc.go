// Package cli holds the command line: one file a command, flags and wording
// only. What the commands do is in internal/app and below.
//
// Answers go to stdout, everything else to stderr. Exit status: 0 found or
// done, 1 nothing found, 2 wrong use or failure, with one sentence on stderr
// that says what, why and what to do. A question whose answer is not in the
// passages found has found them: 0. Ctrl-C ends every command; what was
// committed stays.
package cli
