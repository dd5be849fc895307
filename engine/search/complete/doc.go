// Package complete suggests values of filters while a person types them: tags, people, folders,
// formats, titles, dates that the files of the newest commit have.
//
// The list of a filter's values is made when its first value is typed, counted in the ledger
// (pool search.completion), and kept until the next commit (Values). Values of several indexes
// that are searched together are one list, and each counts the files that it leaves.
package complete
