// Package tensor has what the formats of tensors in files share: shapes, outermost
// dimension first, and where the tensors lie.
package tensor
