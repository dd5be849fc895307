// Package endpointtest is a server of chat completions for tests: what it does
// is chosen by the model that it is asked for.
package endpointtest
