// Package config reads config.toml. Every setting has a default that suits most machines. An unknown
// key or a bad value is named with its line and column, and the key that may be meant. A search is
// told and takes the default of that setting alone; indexing and the choice of a model are refused,
// since the default may be another model than the person meant.
//
// settings.toml has all settings with what they mean; dowse config prints it with what is in force.
// A change of the file (UseModel, Set, PutPlace) keeps its comments and all else as it was.
//
// Text that OCR or a command gave stays in the index until its file changes, also when the setting
// is taken away. Files in which nothing was found are read again when the table extract changes; a
// PDF file with text on some pages, indexed before ocr was set, is read again when it changes. When
// secrets is turned off, or a server embeds, the next comparison erases what such files left.
// No server is asked unless the file names one. One that answers gets the question and the passages
// that answer it, one that reranks the question and the candidates, one that embeds the text of all
// that is indexed and every question; nothing else is sent.
package config
