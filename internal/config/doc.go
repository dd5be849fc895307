// Package config reads config.toml. Every setting has a default that suits most machines. An unknown
// key or a bad value is named with its line and column, and the key that may be meant. A search is
// told and takes the default of that setting alone; indexing and the choice of a model are refused,
// since the default may be another model than the person meant.
//
//	model    = "dowse-embed-6"  # which embedder builds and searches the index; another one gets a second index, which takes the place of the first when it is complete
//	threads  = 2                   # workers; default the number of cores
//	max_file = "16MB"              # larger files are skipped, and counted
//	hidden   = false               # index hidden files too
//	memory   = "512MB"             # what dowse holds at most; models that do not fit are read from the disk as they work, and close for each other; default a quarter of the machine's
//
//	[folders."~/letters"]          # a folder with an embedder of its own; all that have one have the same
//	model = "multilingual-e5-small"
//
//	[index]
//	budget = "5%"                  # of the text's bytes, for the vector index; from the next codebook on
//	graph  = "auto"                # links of similar passages, kept from 1,024 passages on, 5 bytes each beside the budget: searches follow them where that was measured to save work; "on": always; "off": none are kept
//
//	[extract]                      # programs of yours that read what has no text; each runs in an empty folder of its own
//	ocr     = "eng+deu"            # languages in which tesseract reads pages of PDF files that are pictures, and picture files; default "": none are read
//	picture = ["describe", "{}"]   # a command that prints what a picture shows; "{}" is the path of the file
//	sound   = ["transcribe", "{}"] # a command that prints what is said in a recording
//	time    = "2m"                 # what such a program may take for a file, or tesseract for a page
//	secrets = false                # index files that hold private keys, passwords or access tokens too; no server gets their text, and no answer is made of it
//
//	[extract.encoding]             # of old text files below a folder; default what their letters tell. The innermost folder counts
//	"~/letters" = "windows-1250"   # for files that are no UTF-8, have no mark and, as mail and pages do, say no other; a change of it has them read again
//
//	[embed]                        # a server that embeds; asked if model above is "endpoint" or not given
//	endpoint         = "http://localhost:11434/v1"  # with the OpenAI API, such as Ollama, llama.cpp, vLLM or text-embeddings-inference
//	endpoint_model   = "bge-m3"                     # as the server calls it
//	endpoint_key_env = "OPENAI_API_KEY"             # the variable that holds the key, where the server wants one
//	endpoint_remote  = false                        # must be true for a server that is not on this machine
//	query_prompt     = "query: "                    # stands before a query; default what the model was published with, as far as that is known
//	passage_prompt   = "passage: "                  # stands before a passage
//	dimensions       = 512                          # fewer than the model has, for models that can be asked for it
//	local            = "bge-small-en-v1.5"          # the installed model that is the same; default the one of that name
//
//	[rerank]
//	model     = "dowse-rerank-6"   # or "off"
//	time      = "150ms"            # what the passages that are reranked may take together; 12, 20 or 40 of them are read
//	depth     = 20                 # so many, whatever they take
//	precision = 0.99               # agreement with the full pass that pruning has to hold
//	endpoint       = "http://localhost:8080/v1"     # a server that reranks, such as llama.cpp or vLLM, or text-embeddings-inference without the /v1; asked if model is "endpoint" or not given
//	endpoint_model = "bge-reranker-v2-m3"           # endpoint_key_env and endpoint_remote as above
//	endpoint_time  = "3s"                           # that it is waited for
//
//	[answer]
//	model = "auto"                 # the words of the passages, read again by dowse-answer-30 where SmolLM2 is installed; "extract": not read again; or an installed model that writes below them; or "endpoint"
//	endpoint       = "http://localhost:11434/v1"    # a server with the OpenAI API that writes, such as Ollama, llama.cpp or vLLM
//	endpoint_model = "qwen2.5:1.5b"                 # endpoint_key_env and endpoint_remote as above
//
// Text that OCR or a command gave stays in the index until its file changes, also when the setting
// is taken away. Files in which nothing was found are read again when the table extract changes; a
// PDF file with text on some pages, indexed before ocr was set, is read again when it changes. When
// secrets is turned off, or a server embeds, the next comparison erases what such files left.
// No server is asked unless the file names one. One that answers gets the question and the passages
// that answer it, one that reranks the question and the candidates, one that embeds the text of all
// that is indexed and every question; nothing else is sent.
package config
