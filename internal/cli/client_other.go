//go:build !unix

package cli

import "context"

// ignoreBrokenPipes does nothing: writes fail anyway.
func ignoreBrokenPipes() {}

// endWithClient does nothing: the input closes with the client.
func endWithClient(context.Context, func()) {}
