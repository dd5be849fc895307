// Package testcache gives tests a cache of models that holds what they name and
// nothing else, whatever else a person has pulled, added or chosen.
//
// The models that the program carries are unpacked from it. The ONNX Runtime library
// and the published embedder come out of the person's cache, where make models
// and make test put them, and are checked against the pinned sums. A test that
// wants another model asks for it with Full, and runs in make test-full alone.
//
// Its user has a TestMain of package testenv, which knows the person's cache.
package testcache
