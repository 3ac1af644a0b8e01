import { StartError } from '@botstead/lib'
import type { ConnectionSettings } from '../database.ts'

/**
 * The database cannot be used, and retrying is useless. The message is for the operator: one
 * sentence with problem and remedy.
 */
export class DatabaseError extends StartError {}

/** Explains a failed connection in one sentence, without the password. */
export function explainConnectionError(
  thrown: unknown,
  settings: ConnectionSettings,
): DatabaseError {
  const error = thrown as Error & { code?: string }
  const { place, user, database } = target(settings)
  const sentence =
    {
      ECONNREFUSED: `No database answers at ${place}: is PostgreSQL running there?`,
      ENOENT: `No database answers at ${place}: is PostgreSQL running there?`,
      ENOTFOUND: `The host name of the database does not exist: ${place}`,
      EAI_AGAIN: `The host name of the database cannot be resolved at the moment: ${place}`,
      '28P01': `The database at ${place} rejects the password of "${user}"`,
      '28000': `The database at ${place} rejects the user "${user}"`,
      '3D000': `The database "${database}" does not exist at ${place}: create it first`,
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
  const hosts = settings.hosts ?? [{ host: url.hostname, port: url.port || 5432 }]
  return {
    place: hosts.map(({ host, port }) => `${host}:${port}`).join(', '),
    user: decodeURIComponent(url.username),
    database: decodeURIComponent(url.pathname.slice(1)),
  }
}
