// The server's health: whether it is ready for work, and details for operators. Read on each
// request.
import type { Health } from '@botstead/contract'
import type { SandboxStats } from '@botstead/sandbox'
import { sql } from 'kysely'
import type { Services } from '../core/http/index.ts'
import { diskSpace } from '../core/installation/index.ts'

export interface HealthReader {
  /** Returns one sentence per problem; empty if the server is ready. */
  problems(): Promise<string[]>
  /** Returns facts of the installation, which are for the operator. */
  read(): Promise<Required<Health>>
}
type Parts = Pick<Services, 'db' | 'config'> & {
  version: string
  sandbox: () => SandboxStats
  isPrepared: () => boolean
  isStopping: () => boolean
}

export function openHealth(parts: Parts): HealthReader {
  const startedAt = new Date()
  const checkDatabase = shareWhileRunning(() => database(parts))
  const problems = async () => {
    const found = await Promise.all([
      parts.isStopping() ? 'The server is stopping' : null,
      parts.isPrepared() ? null : 'The server is starting',
      within(checkDatabase(), 'The database does not respond'),
      within(disk(parts), 'The disk of the data folder does not respond'),
      parts.sandbox().refusal,
    ])
    return found.filter((trouble) => trouble !== null)
  }
  return {
    problems,
    async read() {
      const [found, databaseVersion, space] = await Promise.all([
        problems(),
        readVersion(parts),
        diskSpace.read(parts.config.dataFolder),
      ])
      return {
        version: parts.version,
        ready: found.length === 0,
        troubles: found,
        startedAt: startedAt.toISOString(),
        uptimeSeconds: Math.floor((Date.now() - startedAt.getTime()) / 1000),
        database: {
          embedded: parts.config.databaseUrl === null,
          ...(databaseVersion && { version: databaseVersion }),
        },
        sandbox: toSandboxHealth(parts.sandbox()),
        disk: space,
      }
    },
  }
}

/** In milliseconds. Proxies wait about two seconds for `/readyz`. */
const checkLimitMs = 1_500

/** Resolves with `otherwise` if the check takes too long. */
function within<T, Otherwise>(
  check: Promise<T>,
  otherwise: Otherwise,
): Promise<T | Otherwise> {
  let timer: NodeJS.Timeout
  const tooLate = new Promise<Otherwise>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), checkLimitMs).unref()
  })
  return Promise.race([check, tooLate]).finally(() => clearTimeout(timer))
}

/** While a check hangs, later callers wait for it and do not begin another. */
function shareWhileRunning<T>(check: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null
  return () => {
    running ??= check().finally(() => {
      running = null
    })
    return running
  }
}

const database = ({ db }: Parts): Promise<string | null> =>
  sql`select 1`.execute(db).then(
    () => null,
    () => 'The database cannot be reached',
  )

const readVersion = ({ db }: Parts): Promise<string | null> =>
  within(
    sql<{ server_version: string }>`show server_version`.execute(db).then(
      ({ rows }) => rows[0]!.server_version,
      () => null,
    ),
    null,
  )

/**
 * A server with its own database stays ready: it is the only one, and continues to serve reads.
 * Another server on the same database may have more space.
 */
async function disk({ config }: Parts) {
  const space = await diskSpace.read(config.dataFolder)
  return config.databaseUrl !== null && diskSpace.isFull(space)
    ? 'The disk of the data folder is nearly full'
    : null
}

function toSandboxHealth({
  tier,
  refusal,
  protections,
  stopped,
  missed,
  processes,
  running,
}: SandboxStats): Required<Health>['sandbox'] {
  return {
    ...(tier && { tier }),
    ...(refusal && { refusal }),
    protections,
    stops: stopped,
    missing: missed,
    processes,
    running,
  }
}
