// Package testpostgres starts servers of PostgreSQL for tests: each in a folder of its own, on a
// unix socket there, as another user where the tests run as root. Nothing else can reach them, and
// tests reach no other server.
package testpostgres
