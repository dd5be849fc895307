// Package testwait waits in tests for what other goroutines and processes do.
// Where all of that runs on channels and timers of this process, testing/synctest
// is better: there nothing is waited for in earnest.
package testwait
