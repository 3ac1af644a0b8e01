// The database, and how servers notify each other.
import { parseHosts, targets } from '../../db/index.ts'
import { ConfigError, parseList, parseUrl } from '../environment.ts'

export interface DatabaseSection {
  /**
   * DATABASE_URL [embedded database]: URL of a PostgreSQL server, version 15 or newer. Several Botstead
   * servers may share it. At its start, the server waits until the database is available. The URL may name
   * several PostgreSQL servers, as for `libpq`: `postgres://user@one:5432,two:5432/botstead`. Each connection
   * leads to the one that accepts writes; `target_session_attrs` may ask for another one.
   */
  databaseUrl: string | null
  /**
   * DATABASE_DIRECT_URL [none]: URL of the same database without a pooler. Set it if DATABASE_URL leads
   * through PgBouncer in transaction mode. Each server keeps two connections there.
   */
  databaseDirectUrl: string | null
  /**
   * DATABASE_READ_URL [none]: Experimental. URL of a streaming replica of the same database. Listings read
   * from it when it has every write before the request, otherwise from DATABASE_URL.
   */
  databaseReadUrl: string | null
  /**
   * NATS_URL [none]: Experimental. URL of a NATS server, which then notifies other Botstead servers in place
   * of the database: `nats://` or `tls://`, with user and password or a token. Several URLs of one cluster
   * are separated by commas. The credentials of the first apply to all.
   */
  natsUrls: string[]
  /**
   * BOTSTEAD_MESSAGE_SEARCH [1]: With 0, messages cannot be searched, and the server deletes their search
   * index: about 450 bytes for a message of twelve words. Use one value for all servers.
   */
  messageSearch: boolean
}

export const readDatabaseSection = (env: NodeJS.ProcessEnv): DatabaseSection => ({
  databaseUrl: readDatabaseUrl(env, 'DATABASE_URL'),
  databaseDirectUrl: readSecondUrl(env, 'DATABASE_DIRECT_URL'),
  databaseReadUrl: readSecondUrl(env, 'DATABASE_READ_URL'),
  natsUrls: parseList(env.NATS_URL).map(parseNatsUrl),
  messageSearch: env.BOTSTEAD_MESSAGE_SEARCH !== '0',
})

function readDatabaseUrl(env: NodeJS.ProcessEnv, name: string): string | null {
  const text = env[name]
  if (!text || parseHosts(text)) return text || null
  if (/target_session_attrs/.test(text))
    throw new ConfigError(
      `${name}: target_session_attrs must be one of ${targets.join(', ')}`,
    )
  return parseUrl(name, text, ['postgres:', 'postgresql:'])
}

/** Reads a second URL of the database. */
function readSecondUrl(env: NodeJS.ProcessEnv, name: string): string | null {
  const found = readDatabaseUrl(env, name)
  if (found && !env.DATABASE_URL)
    throw new ConfigError(`${name} requires DATABASE_URL: set both`)
  return found
}

function parseNatsUrl(text: string): string {
  const parsed = parseUrl('NATS_URL', text, ['nats:', 'tls:'])
  try {
    decodeURIComponent(parsed)
  } catch {
    throw new ConfigError(
      'NATS_URL must encode each % in user, password and token as %25',
    )
  }
  return parsed
}
