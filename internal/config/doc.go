// Package config reads config.toml, the few settings a person may want to
// change. Every setting has a default that suits most machines; a file that
// is absent means all defaults; an unknown key or a bad value is refused with
// its line, since a misspelt setting that does nothing is worse than an error.
//
//	model    = "all-MiniLM-L6-v2"  # which embedder builds and searches the index; another one gets a second index, which takes the place of the first when it is complete
//	threads  = 2                   # workers; default the number of cores
//	max_file = "16MB"              # larger files are skipped, and counted
//	hidden   = false               # index hidden files too
//	memory   = "512MB"             # what dowse holds at most; models that do not fit are read from the disk as they work, and close for each other; default a quarter of the machine's
//
//	[index]
//	budget = "5%"                  # of the text's bytes, for the vector index; from the next codebook on
//	graph  = "auto"                # links of similar passages, kept from 1,024 passages on, 5 bytes each beside the budget: searches follow them where that was measured to save work; "on": always; "off": none are kept
//
//	[rerank]
//	model     = "dowse-rerank-6"   # or "off"
//	time      = "150ms"            # what the passages that are reranked may take together; 12, 20 or 40 of them are read
//	depth     = 20                 # so many, whatever they take
//	precision = 0.99               # agreement with the full pass that pruning has to hold
//
//	[answer]
//	model = "auto"                 # the words of the passages, read again by dowse-answer-30 where SmolLM2 is installed; "extract": not read again; or an installed model that writes below them; or "endpoint"
//	endpoint         = "http://localhost:11434/v1"  # a server with the OpenAI API, such as Ollama, llama.cpp or vLLM
//	endpoint_model   = "qwen2.5:1.5b"               # as the server calls it
//	endpoint_key_env = "OPENAI_API_KEY"             # the variable that holds the key, where the server wants one
//	endpoint_remote  = false                        # must be true for a server that is not on this machine
//
// No server is asked unless the file names one. It is asked if model is
// "endpoint" or not given; the question and the passages that answer it are sent
// to it, and nothing else is.
package config
