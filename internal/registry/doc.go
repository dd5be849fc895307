// Package registry is the models of one home: what the catalogue and the caches have of them,
// which of them the settings choose for each role, and how they are obtained, put to use and
// opened.
//
// Names of the settings may leave out the owner or the revision where one model alone is meant;
// ResolveNames writes them out. Weights are looked for in all caches of the home, and what the
// program carries is unpacked into one on first use. Only Pull and AddModel, which a person asks
// for, bring models in. A role is served by a model of this machine or by a server of the settings;
// EmbedderPath and EmbedderPrint treat both alike.
//
// Opened models share one memory budget (memory.Arbiter) and count what they hold in one
// ledger, both of them given with a Machine.
package registry
