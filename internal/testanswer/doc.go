// Package testanswer has what tests of answers need: a reader that marks what a test
// says it likes, and small models that write, without sense.
package testanswer
