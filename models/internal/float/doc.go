// Package float converts the short floating-point numbers of model files to
// float32, exactly, and back to the nearest.
package float
