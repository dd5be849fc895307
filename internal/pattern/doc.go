// Package pattern has regular expressions that are compiled when they are first used: compiling the some 180 of the
// program takes 9 ms, and a start uses a few.
package pattern
