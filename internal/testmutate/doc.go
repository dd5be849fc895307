// Package testmutate damages good files, for tests of what reads files that others
// wrote.
//
//	testmutate.Each(t, 1000, seeds, func(data []byte) {
//		_, _ = format.Read(ctx, document.NewInput("a.eml", data, limits)) // must return
//	})
//
// The same seeds and count give the same files. The environment variable DOWSE_TEST_MUTATIONS replaces
// the count, for the long runs that no change has to wait for.
package testmutate
