// `botstead move`: requests a move of a workspace, cancels it, or ends its forwarding. The settings
// name the installation; a running server does the work.

import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { startCommand } from '@botstead/lib'
import { pino } from 'pino'
import type { Config } from '../../../core/config/index.ts'
import {
  connections,
  type Database,
  openDatabase,
  statement,
} from '../../../core/db/index.ts'
import { version } from '../../../core/installation/index.ts'
import { newId } from '../../../core/lib/index.ts'
import { ArchiveError } from '../format/archive-error.ts'
import { requireInstallation } from '../required-installation.ts'
import type { Installation, WithInstallation } from '../with-installation.ts'
import { readRequirements } from './driver.ts'
import {
  announceMoves,
  findMove,
  type MoveState,
  requestCancel,
  requestEnd,
  requestMove,
} from './move-rows.ts'
import { listObstacles } from './obstacles.ts'
import { checkTarget } from './target.ts'

const isServedStatement = statement(
  'is-served',
  'select exists (select from worker where alive_until > now()) as served',
)

export interface MoveStatus {
  state: MoveState | 'ended'
  targetUrl: string
  note: string
  /** How long writes were stopped, in milliseconds. */
  stoppedMs: number | null
  /** Whether a server runs that continues the move. */
  isServed: boolean
}

/**
 * Requests a move. Returns what will not be as before, as sentences. Throws ArchiveError and what
 * `exportToFile` throws.
 */
export async function requestWorkspaceMove(
  withInstallation: WithInstallation,
  config: Config,
  workspaceId: string,
  { to, token }: { to: string; token: string },
): Promise<{ remarks: string[] }> {
  const targetUrl = checkedUrl(to)
  return withServed(
    withInstallation,
    config,
    async ({ database, secrets, tableRules }) => {
      const { obstacles, remarks } = await listObstacles(database, workspaceId)
      if (obstacles.length) throw new ArchiveError(obstacles.join(' '))
      const requirements = await readRequirements({ database, tableRules }, workspaceId)
      await checkTarget(targetUrl, token, { version, ...requirements })
      const id = newId('move')
      const passphrase = randomBytes(32).toString('base64url')
      const move = { workspaceId, id, targetUrl, token, passphrase }
      if (!(await requestMove(database, secrets, move)))
        throw new ArchiveError(
          'There is a move of this workspace already: cancel it, or end its forwarding',
        )
      await announceMoves(database)
      return { remarks }
    },
  )
}

function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (
    !url ||
    !['http:', 'https:'].includes(url.protocol) ||
    url.search ||
    url.hash ||
    url.username
  )
    throw new ArchiveError(
      `"${text}" is not the URL of a server: specify http(s)://host[:port]`,
    )
  return url.href.replace(/\/+$/, '')
}

/**
 * Follows a move until `onStatus` returns true. The status is null without a row, and 'away' while
 * the database does not respond. Holds no lock, so that a server can start meanwhile.
 */
export async function followMove(
  config: Config,
  workspaceId: string,
  onStatus: (status: MoveStatus | null | 'away') => boolean,
): Promise<void> {
  for (;;) {
    const settings = await connections.findServed(config)
    const database =
      settings && openDatabase(settings, { log: pino({ level: 'silent' }) })
    try {
      for (let isAway = false; !isAway; await pause(300)) {
        const status = database
          ? await findStatus(database, workspaceId).catch(away)
          : 'away'
        if (onStatus(status)) return
        isAway = status === 'away'
      }
    } finally {
      await database?.close()
    }
  }
}

const away = () => 'away' as const

async function findStatus(
  database: Database,
  workspaceId: string,
): Promise<MoveStatus | null> {
  const [move, isServed] = [
    await findMove(database, workspaceId),
    await hasServers(database),
  ]
  if (!move) return null
  const { state, targetUrl, note, stoppedMs } = move
  return { state, targetUrl, note, stoppedMs, isServed }
}

async function hasServers({ run }: Database): Promise<boolean> {
  const [row] = await run<{ served: boolean }>(...isServedStatement({}))
  return row!.served
}

/**
 * Runs work on an installation with a running server, which does the move. Throws ArchiveError
 * without one: the lock of the command would keep the server from starting.
 */
async function withServed<T>(
  withInstallation: WithInstallation,
  config: Config,
  work: (installation: Installation) => Promise<T>,
): Promise<T> {
  await requireInstallation(config)
  if (!(await connections.findServed(config))) throw notServed()
  return withInstallation(config, async (installation) => {
    if (!(await hasServers(installation.database))) throw notServed()
    return work(installation)
  })
}

const notServed = () =>
  new ArchiveError(
    `No server of this installation runs: start it ("${startCommand}"), then run this command again. ` +
      'Nothing was changed; a server continues a move that has begun',
  )

export const readMove = (
  withInstallation: WithInstallation,
  config: Config,
  workspaceId: string,
): Promise<MoveStatus | null> =>
  withServed(withInstallation, config, ({ database }) =>
    findStatus(database, workspaceId),
  )

/** Throws ArchiveError if there is nothing to cancel. */
export const cancelMove = (
  withInstallation: WithInstallation,
  config: Config,
  workspaceId: string,
): Promise<void> =>
  withServed(withInstallation, config, async ({ database }) => {
    if (!(await requestCancel(database, workspaceId)))
      throw new ArchiveError(
        'There is no move of this workspace that can be cancelled: it has moved, or the target decides',
      )
    await announceMoves(database)
  })

/** Throws ArchiveError if the workspace has not moved. */
export const endForwarding = (
  withInstallation: WithInstallation,
  config: Config,
  workspaceId: string,
): Promise<void> =>
  withServed(withInstallation, config, async ({ database }) => {
    if (!(await requestEnd(database, workspaceId)))
      throw new ArchiveError(
        'This workspace has not moved: there is no forwarding to end',
      )
    await announceMoves(database)
  })
