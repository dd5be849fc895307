// Package doctor looks whether this machine has what dowse needs, and says what a person can
// do about what is missing or damaged.
//
// Each check returns a Finding: a topic, a level and a sentence that ends in the command which
// mends it. Checks read whole files (every block of every model, every record of the index) and
// ask a server for the list of its models, but send nothing of a person's files. They leave
// everything as it is, except that models which the program carries are unpacked.
package doctor
