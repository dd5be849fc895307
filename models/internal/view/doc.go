// Package view gives typed views of bytes that hold little-endian numbers, as
// a mapped file does.
//
// On a little-endian machine a view of aligned bytes costs nothing and shares
// their memory; otherwise the numbers are decoded into a new slice. A caller
// therefore never writes through a view, and keeps the bytes alive and
// unchanged for as long as it uses one.
package view
