// Package pressure fits the memory of models to what other programs of the machine need.
//
// The system says for which share of the time programs waited for memory (Linux's PSI, File).
// A gauge turns readings into steps: two high ones in a row halve the budget, a minute of low
// ones gives a step back. Signals of a person change it too. Follow applies both to a
// memory.Limiter, which counts the halvings of each cause apart.
package pressure
