// Package code has the rules by which passages of source code rank beside what words and meaning say of them:
//
//	symbols := code.Symbols("where is http.Server closed")  // what a query names
//	code.Minor("/go/src/net/http/serve_test.go", nil)       // a test: others come first
//	code.Fitted.Defined                                     // what a definition of a symbol adds
//
// They apply to passages of code alone: a ranking without any is as it was, to the bit. docs/measurements.md says what
// each of them is worth.
package code
