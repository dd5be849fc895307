// Package config reads config.toml, the few settings a person may want to
// change. Every setting has a default that suits most machines; a file that
// is absent means all defaults; an unknown key or a bad value is refused with
// its line, since a misspelt setting that does nothing is worse than an error.
//
//	model    = "all-MiniLM-L6-v2"  # which embedder builds and searches the index
//	threads  = 2                   # workers; default the number of cores
//	max_file = "16MB"              # larger files are skipped, and counted
//	hidden   = false               # index hidden files too
//	memory   = "512MB"             # for the reranker; larger models are streamed from the disk; default a quarter of the machine's
//
//	[index]
//	budget = "5%"                  # of the text's bytes, for the vector index; from the next codebook on
package config
