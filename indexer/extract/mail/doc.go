// Package mail reads messages.
package mail
