// Package registry is the models of one home: what the catalogue and the caches have of them,
// which of them the settings choose for each role, and how they are obtained, put to use and
// opened.
//
// A model is named in full, or by any ending of its name that no other one has; Registry
// resolves the names of the settings once. Weights are looked for in all caches of the home,
// and what the program carries is unpacked into one on first use. Downloads happen in Pull
// alone, which a person asks for. A role is served by a model of this machine or by a server
// of the settings; EmbedderPath and EmbedderPrint treat both alike.
//
// Opened models share one memory budget (memory.Arbiter) and count what they hold in one
// ledger, both of them given with a Machine.
package registry
