// Moves a workspace to another installation while it is used: copy, changes since, a short stop of
// writes, and the decision. The state is a row (move-rows.ts), so that any server continues after a
// kill; an advisory lock makes one server at a time do it. Every step may be repeated.
//
// The decision is the target's: once the source has requested it to activate the workspace, writes
// stay stopped until the target says whether it did.
import { setTimeout as pause } from 'node:timers/promises'
import { PeriodicTask, toFingerprint } from '@botstead/lib'
import type { Logger } from 'pino'
import { type Database, schemaMigrations, statement } from '../../../core/db/index.ts'
import type { Blobs } from '../../../core/files/index.ts'
import type { Secrets } from '../../../core/sealing/index.ts'
import { carriedKeys } from '../../../core/sealing/index.ts'
import type { Tables } from '../../../core/table-rules/index.ts'
import { deleteWorkspaceRows, openChanges } from '../changes.ts'
import { exportWorkspace, knownHoldings } from '../export.ts'
import { readTables } from '../format/catalog.ts'
import type { Need } from '../format/headings.ts'
import { lockWith } from '../format/passphrase.ts'
import { openSession } from '../format/rows.ts'
import { createSigner } from '../format/signing.ts'
import { needsQuery } from '../format/tenancy.ts'
import { installLog, uninstallLog } from './change-log.ts'
import {
  announceMoves,
  findMove,
  listMoves,
  type Move,
  nextPass,
  noteMove,
  openMoveSecret,
  stepMove,
} from './move-rows.ts'
import { beginPause, closeStop, endStop, stopWrites, waitForServers } from './stop.ts'
import { idleMs, MoveRejected, openTarget, type Target } from './target.ts'

interface MoveDeps {
  database: Database
  blobs: Pick<Blobs, 'read'>
  secrets: Secrets
  tableRules: Tables
  chatKey: string
  version: string
  log: Logger
}

const active = [
  'requested',
  'copying',
  'following',
  'pausing',
  'stopped',
  'deciding',
  'ending',
  'cancelling',
]
const paceMs = 1_000
/** Writes stop for about as long as a transfer takes. After some transfers, a slower one will do. */
const fastMs = 500
const patience = { transfers: 10, ms: 2_000 }
const stopTimeoutMs = 8_000
/** After a stop that took too long, writes go on for this time. */
const afterStopMs = 15_000
const retryMs = 500

/** Continues the moves of this installation, as one of its servers. */
export function startMoves(deps: MoveDeps): { soon(): void; stop(): Promise<void> } {
  const abort = new AbortController()
  const task = new PeriodicTask({
    task: async () => {
      for (const move of await listMoves(deps.database))
        if (active.includes(move.state)) await driveAlone(deps, move, abort.signal)
    },
    paceMs,
    failed: (error) =>
      abort.signal.aborted || deps.log.warn({ err: error }, 'a move failed; retrying'),
  })
  return {
    soon: () => task.within(0),
    stop() {
      abort.abort()
      return task.stop()
    },
  }
}

/** Does nothing if another server continues the move. */
async function driveAlone(
  deps: MoveDeps,
  { id, workspaceId }: Move,
  signal: AbortSignal,
) {
  const session = await deps.database.connect()
  try {
    const { rows } = await session.query<{ ours: boolean }>(
      'select pg_try_advisory_lock(7236112, hashtext($1)) as ours',
      [id],
    )
    if (!rows[0]!.ours) return
    let isOurs = true
    session.once('end', () => {
      isOurs = false
    })
    await new Drive(deps, workspaceId, () => isOurs && !signal.aborted).run()
  } finally {
    await session.end().catch(() => {})
  }
}

const forgetChangesStatement = statement<{ moveId: string; snapshot: string }>(
  'forget-changes',
  `delete from move_change where move_id = :moveId and pg_visible_in_snapshot(xid, :snapshot::pg_snapshot)`,
)

const finishMoveStatement = statement<{ id: string }>(
  'finish-move',
  `update workspace_move set state = 'moved', note = '', secret = '', updated_at = now(),
         stopped_ms = extract(epoch from clock_timestamp() - stopped_at) * 1000
       where id = :id and state = 'deciding' returning id`,
)

const forgetAllChangesStatement = statement<{ moveId: string }>(
  'forget-all-changes',
  'delete from move_change where move_id = :moveId',
)

const forgetSecretStatement = statement<{ id: string }>(
  'forget-secret',
  `update workspace_move set secret = '' where id = :id`,
)

/** One server's work for a move, until it has ended or another server may continue. */
class Drive {
  readonly #deps: MoveDeps
  readonly #workspaceId: string
  readonly #goesOn: () => boolean
  #target!: Target
  #lock: Awaited<ReturnType<typeof lockWith>> | null = null
  /** The stop that this server has begun. */
  #stop: string | null = null
  #stoppedSince = 0
  #transfers = 0

  constructor(deps: MoveDeps, workspaceId: string, goesOn: () => boolean) {
    this.#deps = deps
    this.#workspaceId = workspaceId
    this.#goesOn = goesOn
  }

  async run() {
    const { database, secrets, log } = this.#deps
    for (let isFirst = true; this.#goesOn(); isFirst = false) {
      const move = await findMove(database, this.#workspaceId)
      if (!move || !active.includes(move.state)) return
      if (move.state !== 'ending')
        this.#target = openTarget(move, await openMoveSecret(secrets, move))
      try {
        if (isFirst && (move.state === 'pausing' || move.state === 'stopped'))
          await endStop(database, move)
        else await this.#logged(move)
      } catch (error) {
        await this.#recover(move, error as Error)
        log.warn(
          { err: error, workspaceId: move.workspaceId, state: move.state },
          'a step of a move failed',
        )
      }
    }
  }

  async #logged(move: Move) {
    const { log } = this.#deps
    const { id, workspaceId, state } = move
    const begun = performance.now()
    await this.#step(move)
    const ms = Math.round(performance.now() - begun)
    log.info({ moveId: id, workspaceId, state, ms }, 'a step of a move')
  }

  /** Returns after one step, or after a part of it that may be repeated. */
  async #step(move: Move): Promise<void> {
    const { database } = this.#deps
    if (move.cancel && !['deciding', 'cancelling'].includes(move.state)) {
      await endStop(database, move, 'cancelling')
      return
    }
    await this.#steps[move.state]?.(move)
  }

  readonly #steps: Partial<Record<Move['state'], (move: Move) => Promise<void>>> = {
    requested: (move) => this.#begin(move),
    copying: (move) => this.#copy(move),
    following: (move) => this.#follow(move),
    pausing: (move) => this.#pause(move),
    stopped: (move) => this.#finish(move),
    deciding: (move) => this.#decide(move),
    cancelling: (move) => this.#cancel(move),
    ending: (move) => this.#end(move),
  }

  /** A rejection of the target cancels the move; everything else is retried. */
  async #recover(move: Move, error: Error) {
    const { database } = this.#deps
    await noteMove(database, move.id, error.message)
    if (move.state === 'pausing' || move.state === 'stopped') {
      await endStop(database, move)
      await pause(afterStopMs)
    } else if (
      error instanceof MoveRejected &&
      ['requested', 'copying', 'following'].includes(move.state)
    ) {
      await endStop(database, move, 'cancelling')
      await noteMove(database, move.id, error.message)
    } else await pause(retryMs)
  }

  async #begin(move: Move) {
    const { database, version } = this.#deps
    await this.#target.begin({
      version,
      ...(await readRequirements(this.#deps, move.workspaceId)),
    })
    await installLog(this.#deps, move)
    await stepMove(database, move.id, 'requested', 'copying')
  }

  async #copy(move: Move) {
    const { database, secrets } = this.#deps
    const status = await this.#target.status()
    if (!status) throw new MoveRejected('The target has cancelled the move')
    if (status.pass < 0) {
      const { passphrase } = await openMoveSecret(secrets, move)
      const options = { passphrase, purpose: 'move' as const }
      await this.#target.copy(
        async (out) =>
          void (await exportWorkspace(this.#deps, move.workspaceId, out, options)),
      )
    }
    await this.#carryKeys(move)
    await stepMove(database, move.id, 'copying', 'following')
  }

  #carryKeys({ workspaceId }: Move) {
    const { database, secrets, chatKey } = this.#deps
    const installation = toFingerprint(createSigner(secrets).publicKey)
    return carriedKeys.store(database, secrets, chatKey, { workspaceId, installation })
  }

  async #follow(move: Move) {
    const begun = performance.now()
    await this.#transfer(move, idleMs)
    const ms = performance.now() - begun
    await this.#carryKeys(move)
    const isFast =
      ms < fastMs || (++this.#transfers > patience.transfers && ms < patience.ms)
    if (isFast) await beginPause(this.#deps.database, move)
  }

  /** Sends the changes until now. Returns the number of the transfer. */
  async #transfer(move: Move, timeoutMs: number): Promise<number> {
    const { database, secrets } = this.#deps
    const { workspaceId } = move
    this.#lock ??= await lockWith(
      workspaceId,
      (await openMoveSecret(secrets, move)).passphrase,
    )
    const pass = await nextPass(database, move.id)
    const changes = await openChanges(this.#deps, {
      workspace: { id: workspaceId, name: workspaceId },
      moveId: move.id,
      lock: this.#lock,
      missing: (blobs) => this.#target.missing(blobs),
    })
    try {
      await this.#target.change(pass, changes.write, timeoutMs)
    } finally {
      await changes.close()
    }
    await database.run(
      ...forgetChangesStatement({ moveId: move.id, snapshot: changes.snapshot }),
    )
    return pass
  }

  async #pause(move: Move) {
    const { database } = this.#deps
    await waitForServers(database, move)
    this.#stoppedSince = performance.now()
    this.#stop = await stopWrites(database, move)
  }

  /** The last transfer. */
  async #finish(move: Move) {
    const { database } = this.#deps
    const pass = await this.#transfer(move, stopTimeoutMs)
    if (performance.now() - this.#stoppedSince > stopTimeoutMs)
      throw new Error('The stop of writes took too long')
    if (this.#stop && (await closeStop(database, move, { stop: this.#stop, pass })))
      await this.#activate(move, pass)
  }

  async #decide(move: Move) {
    await this.#activate(move, move.finalPass!)
  }

  async #activate(move: Move, pass: number) {
    const { database } = this.#deps
    await this.#target.activate(pass)
    await database.run(...finishMoveStatement({ id: move.id }))
    await announceMoves(database)
    await database.run(...forgetAllChangesStatement({ moveId: move.id }))
  }

  async #cancel(move: Move) {
    const { database } = this.#deps
    await this.#target.cancel()
    await uninstallLog(database, move)
    await database.run(...forgetAllChangesStatement({ moveId: move.id }))
    const { note } = (await findMove(database, move.workspaceId))!
    await stepMove(database, move.id, 'cancelling', 'cancelled')
    await noteMove(database, move.id, note)
    await database.run(...forgetSecretStatement({ id: move.id }))
  }

  /** Deletes the rows here. The row of the move is deleted with its workspace. */
  async #end(move: Move) {
    const { database, tableRules } = this.#deps
    await uninstallLog(database, move)
    const session = await openSession(database)
    try {
      await session.query('begin')
      await deleteWorkspaceRows(session, tableRules, move.workspaceId)
      await session.query('delete from resting_bot where workspace_id = $1', [
        move.workspaceId,
      ])
      await session.query('commit')
    } finally {
      await session.end()
    }
    await announceMoves(database)
  }
}

/** Returns what the target must have. */
export async function readRequirements(
  { database, tableRules }: Pick<MoveDeps, 'database' | 'tableRules'>,
  workspaceId: string,
): Promise<{ schema: number; needs: Need[] }> {
  const session = await database.connect()
  try {
    const literal = session.escapeLiteral(workspaceId)
    const holdings = knownHoldings(await readTables(session), tableRules, 'move')
    const { rows: needs } = await session.query<Need>(needsQuery(holdings, literal))
    return { schema: (await schemaMigrations.read()).at(-1)!.number, needs }
  } finally {
    await session.end()
  }
}
