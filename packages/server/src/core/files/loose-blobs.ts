// Blobs of an import, which a sweep removes if the import does not end: the importer's sessions write them.
import { randomUUID } from 'node:crypto'
import type pg from 'pg'

type Session = Pick<pg.Client, 'query'>

export class ArrivingBlobs {
  readonly #outside: Session
  readonly #names: string[] = []

  /** `outside` is a session outside of the import's transaction. */
  constructor(outside: Session) {
    this.#outside = outside
  }

  /** Notes a blob before its first byte arrives. Returns its name. */
  async add(): Promise<string> {
    const name = randomUUID()
    await this.#outside.query(
      "insert into loose_blob (name, remove_at) values ($1, now() + interval '1 day')",
      [name],
    )
    this.#names.push(name)
    return name
  }

  /** Lets the sweep remove the blobs after a failure; otherwise it does that after a day. */
  async release(): Promise<void> {
    await this.#outside.query(
      'update loose_blob set remove_at = now() where name = any($1)',
      [this.#names],
    )
  }

  /** In the transaction of `session`, keeps the blobs that rows use. `held` is a query for their names. */
  async keep(session: Session, held: string): Promise<void> {
    await session.query(`delete from loose_blob where name in (${held})`)
  }
}
