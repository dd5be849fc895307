// Package testcache gives tests a cache of models that holds what they name and
// nothing else, whatever else a person has pulled, added or chosen.
//
// The ONNX Runtime library, PDFium and the default embedder come out of the person's
// cache, where make models puts them, as copies whose checksums are the pinned
// ones. The models that the program carries are unpacked from it. A test that
// wants another model asks for it with Full, and runs in make test-full alone.
//
// Its user has a TestMain of package testenv, which knows the person's cache.
package testcache
