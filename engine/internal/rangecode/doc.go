// Package rangecode is a binary range coder: an Encoder writes decisions whose
// probabilities its caller knows, a Decoder reads them again. An expected decision
// costs a small part of a bit. (G. N. N. Martin, Range encoding, 1979; carries are
// held back as in LZMA.)
//
// The caller keeps a Chance for each kind of decision, fixed or learned from the
// decisions made so far. Both ends have to keep the same.
//
// # Invariants
//
//   - A Decoder returns the decisions that the Encoder was given, in their order.
//   - A code has the fewest bytes that tell it apart; zeroes at its end are left out.
//   - A Decoder reads zeroes behind the end of its bytes and never fails on the way:
//     Short reports that more was read than any Encoder wrote.
package rangecode
