// Several servers of one database, as libpq names them in a URL:
// postgres://user@one:5432,two:5432/name?target_session_attrs=read-write. Each new connection leads
// to the server that accepts writes. After a failover, connections to the former one are ended.
import pg from 'pg'

interface Host {
  host: string
  port: number
}

/** Which servers are accepted, as in libpq. */
type Target = 'read-write' | 'primary' | 'read-only' | 'standby' | 'any'

export interface SeveralHosts {
  hosts: Host[]
  target: Target
}

export const targets: Target[] = ['read-write', 'primary', 'read-only', 'standby', 'any']

/** A connection that leads to one of the hosts. */
interface HostedClient {
  host: string
  port: number
  /** Ends it as a broken connection, so that its statement fails and its pool replaces it. */
  cut(): void
}

const searchMs = 3_000
/** New connections within this time use the last result. */
const freshMs = 500

/** Finds the server of one set of hosts. Connections of all pools with these hosts share it. */
class Search {
  readonly #settings: pg.ClientConfig & SeveralHosts
  #current: Host | null = null
  #foundAt = Number.NEGATIVE_INFINITY
  #running: Promise<Host> | null = null
  readonly clients = new Set<HostedClient>()

  constructor(settings: pg.ClientConfig & SeveralHosts) {
    // The options of a session may make it read-only.
    this.#settings = { ...settings, options: undefined }
  }

  /** Rejects with the error of the last host if none is accepted. */
  find(): Promise<Host> {
    if (this.#current && performance.now() - this.#foundAt < freshMs)
      return Promise.resolve(this.#current)
    this.#running ??= this.#look().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  /** Looks again: a connection failed, or its server accepts no writes any more. */
  lookAgain(): void {
    this.#foundAt = Number.NEGATIVE_INFINITY
    this.find().catch(() => {})
  }

  async #look(): Promise<Host> {
    const { hosts } = this.#settings
    const known = this.#current
    const order = known ? [known, ...hosts.filter((one) => !isSame(one, known))] : hosts
    let failure: unknown
    for (const host of order) {
      try {
        if (!(await this.#accepts(host))) continue
        this.#foundAt = performance.now()
        this.#current = host
        for (const client of this.clients) if (!isSame(client, host)) client.cut()
        return host
      } catch (error) {
        failure = error
      }
    }
    const names = hosts.map(({ host, port }) => `${host}:${port}`).join(', ')
    throw Object.assign(new Error(`No server of the database accepts writes: ${names}`), {
      cause: failure,
      code: (failure as { code?: string } | undefined)?.code ?? '25006',
      syscall: 'connect',
    })
  }

  async #accepts({ host, port }: Host): Promise<boolean> {
    const { hosts: _, target, ...settings } = this.#settings
    const client = new pg.Client({ ...settings, connectionTimeoutMillis: searchMs })
    Object.assign(client, { host, port })
    client.on('error', () => {})
    try {
      await client.connect()
      if (target === 'any') return true
      const { rows } = await client.query(`select pg_is_in_recovery() as standby,
        current_setting('transaction_read_only') = 'on' as read_only`)
      const [{ standby, read_only }] = rows
      if (target === 'primary' || target === 'standby')
        return standby === (target === 'standby')
      return (standby || read_only) === (target === 'read-only')
    } finally {
      client.end().catch(() => {})
    }
  }
}

const isSame = (one: Host, other: Host) =>
  one.host === other.host && one.port === other.port

const searches = new WeakMap<Host[], Search>()

/** Returns the search of these hosts: settings keep the array when they are copied. */
export function getSearch(settings: pg.ClientConfig & SeveralHosts): Search {
  const known = searches.get(settings.hosts) ?? new Search(settings)
  searches.set(settings.hosts, known)
  return known
}

const shape = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#@]+)(.*)$/

/**
 * Splits a URL with several hosts. Returns the URL with the first host and without
 * `target_session_attrs`. Null for a URL with one host and no target.
 */
export function parseHosts(text: string): ({ url: string } & SeveralHosts) | null {
  const [, start, list, rest] = shape.exec(text) ?? []
  if (start === undefined || list === undefined || rest === undefined) return null
  const names = list.split(',')
  const urls = names.map((name) => start + name + rest)
  if (names.length === 1 && !rest.includes('target_session_attrs')) return null
  if (urls.some((one) => !URL.canParse(one))) return null
  const parsed = urls.map((one) => new URL(one))
  const target = parsed[0]!.searchParams.get('target_session_attrs') ?? 'read-write'
  if (!targets.includes(target as Target) || parsed.some(({ hostname }) => !hostname))
    return null
  parsed[0]!.searchParams.delete('target_session_attrs')
  return {
    url: parsed[0]!.href,
    hosts: parsed.map(({ hostname, port }) => ({
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(port || 5432),
    })),
    target: target as Target,
  }
}
