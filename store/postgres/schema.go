package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// format is that of the tables.
const format = 1

// lockClass is the first half of the advisory locks, the number of an index the second. One number
// of 64 bits would be another lock.
const lockClass = 0x646f7773

// Values are stored as they are: compressing them again costs time, and they are read whole.
const schema = `
create schema if not exists dowse;
create table if not exists dowse.indexes (
	id      int generated always as identity primary key,
	name    text collate "C" not null unique,
	format  smallint not null,
	buckets text[] not null default '{}',
	commit  bigint not null default 0,
	epoch   bigint not null default 0,
	logged  bigint not null default 1
);
create table if not exists dowse.records (
	index  int not null references dowse.indexes on delete cascade,
	bucket smallint not null,
	key    bytea not null,
	value  bytea not null,
	primary key (index, bucket, key)
);
alter table dowse.records alter column value set storage external;
create table if not exists dowse.changes (
	index  int not null references dowse.indexes on delete cascade,
	commit bigint not null,
	bucket smallint not null,
	key    bytea not null,
	primary key (index, commit, bucket, key)
);`

// createTables makes the tables where there are none.
func createTables(ctx context.Context, conn *pgx.Conn) error {
	there, err := hasTables(ctx, conn)
	if err != nil || there {
		return err
	}
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `select pg_advisory_xact_lock($1, 0)`, lockClass); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, schema)
		return err
	})
}

func hasTables(ctx context.Context, conn *pgx.Conn) (there bool, err error) {
	err = conn.QueryRow(ctx, `select to_regclass('dowse.changes') is not null`).Scan(&there)
	return there, err
}

// Names lists the indexes of a database that this user may read.
func Names(ctx context.Context, a Address) (names []string, err error) {
	conn, err := connect(ctx, a)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	if there, err := hasTables(ctx, conn); err != nil || !there {
		return nil, explain(err)
	}
	rows, err := conn.Query(ctx, `select name from dowse.indexes where commit > 0 order by name`)
	if err != nil {
		return nil, explain(err)
	}
	names, err = pgx.CollectRows(rows, pgx.RowTo[string])
	return names, explain(err)
}

func connect(ctx context.Context, a Address) (*pgx.Conn, error) {
	c, err := a.config()
	if err != nil {
		return nil, err
	}
	conn, err := pgx.ConnectConfig(ctx, c)
	return conn, explain(err)
}

// Codes of errors, as PostgreSQL numbers them.
const (
	serializationFailure  = "40001"
	deadlockDetected      = "40P01"
	insufficientPrivilege = "42501"
)

// isRetried reports whether a transaction that failed so may be tried again.
func isRetried(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == serializationFailure || pg.Code == deadlockDetected)
}

// lost is what to say of an error after which a connection may be closed.
func lost(conn *pgx.Conn, err error) error {
	if conn.IsClosed() && !errors.Is(err, ErrAway) {
		return fmt.Errorf("%w: %w", ErrAway, err)
	}
	return explain(err)
}

// explain adds what a person can do. Errors of pgx have no password.
func explain(err error) error {
	var pg *pgconn.PgError
	var connecting *pgconn.ConnectError
	switch {
	case errors.As(err, &pg) && pg.Code == insufficientPrivilege:
		return fmt.Errorf("%w; who owns the tables can grant it: grant usage on schema dowse, grant select on all tables in schema dowse", err)
	case errors.As(err, &connecting):
		return fmt.Errorf("%w: %w", ErrAway, err)
	}
	return err
}
