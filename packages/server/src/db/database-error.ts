import { StartError } from '../lib/start-error.ts'
import type { ConnectionSettings } from './open.ts'

/** The database cannot be used, and no retry will help. The message is one sentence for the operator: what is wrong, and what to do. */
export class DatabaseError extends StartError {}

/** What a failed connection means, in one sentence. A password is never part of it. */
export function explainConnectionError(thrown: unknown, settings: ConnectionSettings): DatabaseError {
  const error = thrown as Error & { code?: string }
  const { place, user, database } = target(settings)
  const sentence =
    {
      ECONNREFUSED: `No database answers at ${place}: is PostgreSQL running there?`,
      ENOENT: `No database answers at ${place}: is PostgreSQL running there?`,
      ENOTFOUND: `The database's host is not known: ${place}`,
      EAI_AGAIN: `The database's host cannot be looked up: ${place}`,
      '28P01': `The database at ${place} refuses the password of "${user}"`,
      '28000': `The database at ${place} does not let "${user}" in`,
      '3D000': `There is no database "${database}" at ${place}: create it first`,
    }[error.code ?? ''] ??
    `The database at ${place} cannot be used: ${error.message || error.code || 'unknown error'}`
  return new DatabaseError(sentence, { cause: thrown })
}

function target(settings: ConnectionSettings) {
  if (!settings.connectionString || !URL.canParse(settings.connectionString)) {
    const { host = 'localhost', port = 5432, user, database } = settings
    return { place: `${host}${host.startsWith('/') ? '' : `:${port}`}`, user, database }
  }
  const url = new URL(settings.connectionString)
  return {
    place: `${url.hostname}:${url.port || 5432}`,
    user: decodeURIComponent(url.username),
    database: decodeURIComponent(url.pathname.slice(1)),
  }
}
