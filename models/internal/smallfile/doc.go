// Package smallfile reads files of a model that are meant to be small, and that a
// stranger may have made large, or no files at all.
package smallfile
