// Blobs of an import, which a sweep removes if the import does not end: the importer's sessions write them.
import type pg from 'pg'

type Session = Pick<pg.Client, 'query'>

/** Notes a blob before its first byte arrives. */
export const noteArrivingBlob = (session: Session, name: string) =>
  session.query("insert into loose_blob (name, remove_at) values ($1, now() + interval '1 day')", [
    name,
  ])

/** Lets the sweep remove the blobs of an import that failed; otherwise it does that after a day. */
export const releaseArrivedBlobs = (session: Session, names: string[]) =>
  session.query('update loose_blob set remove_at = now() where name = any($1)', [names])

/** `held` is a query for the names of blobs that rows use now. */
export const holdArrivedBlobs = (session: Session, held: string) =>
  session.query(`delete from loose_blob where name in (${held})`)
