// Package spelt finds the name that a person meant who misspelt one: of a setting, a flag, a
// command or a value.
package spelt
