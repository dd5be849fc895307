// Package config reads config.toml, the few settings a person may want to
// change. Every setting has a default that suits most machines; a file that
// is absent means all defaults; an unknown key or a bad value is refused with
// its line, since a misspelt setting that does nothing is worse than an error.
//
//	model    = "all-MiniLM-L6-v2"  # which embedder builds and searches the index
//	threads  = 2                   # workers; default the number of cores
//	max_file = "16MB"              # larger files are skipped, and counted
//	hidden   = false               # index hidden files too
//	memory   = "512MB"             # for the reranker, which is streamed from the disk if it is larger, and for the answerer; default a quarter of the machine's
//
//	[index]
//	budget = "5%"                  # of the text's bytes, for the vector index; from the next codebook on
//
//	[rerank]
//	model     = "dowse-rerank-6"   # or "off"
//	depth     = 20                 # passages that are reranked
//	precision = 0.99               # agreement with the full pass that pruning has to hold
//
//	[answer]
//	model = "extract"              # the words of the passages; or an installed model that writes
package config
