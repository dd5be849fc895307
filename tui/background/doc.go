// Package background knows whether the terminal's background is dark.
//
// Asking takes an escape sequence and its reply, for which terminals that know
// nothing of it are waited for seconds. The libraries below the screen ask when
// the program starts, whatever it was started for; this package keeps them from
// it, and asks when the screen wants to know. A package is initialised before
// others that are ready too if its path comes first (Go specification, "Package
// initialization"), and so this one is, as long as it needs lipgloss alone of
// them.
package background
