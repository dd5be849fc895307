// Package home says where dowse keeps its files.
//
// Without DOWSE_HOME these are the XDG directories: configuration under
// $XDG_CONFIG_HOME/dowse, the index under $XDG_DATA_HOME/dowse, models and the
// ONNX Runtime library under $XDG_CACHE_HOME/dowse, the socket under
// $XDG_RUNTIME_DIR/dowse. DOWSE_HOME=DIR puts all of them into that one
// folder, and models are still found in the user's cache, so that a trial
// home need not download them again.
//
// The index names a person's files and past answers hold their text: MakePrivate
// keeps others out of such folders, also of one that exists already. Nobody else
// may write where models are, of which one is a library that is run: MakeOwn.
package home
