// Package endpointtest has servers for tests: one of chat completions, which does what the
// model says that it is asked for, and one of vectors and scores, which answers like one of
// four programs and can be given faults.
package endpointtest
