// Owns the table workspace_move: the state of each move from this installation. A server that is
// killed leaves a row from which any server continues (driver.ts).
import type { Selectable } from 'kysely'
import { type Database, type Schema, statement } from '../../../core/db/index.ts'
import type { Secrets } from '../../../core/sealing/index.ts'

/**
 * requested → copying → following → pausing → stopped → deciding → moved → ending. While it is
 * `deciding`, only the target knows whether the workspace lives there already. `cancelling` →
 * `cancelled` is possible until then.
 */
export type MoveState = Selectable<Schema['workspace_move']>['state']

export interface Move {
  workspaceId: string
  id: string
  targetUrl: string
  secret: Buffer
  state: MoveState
  cancel: boolean
  note: string
  stoppedMs: number | null
  /** The number of the transfer that the target must have before it decides. */
  finalPass: number | null
}

/** What the source needs at the target. */
interface MoveSecret {
  /** The operator's token at the target. */
  token: string
  /** Encrypts the secrets in the archives on their way. */
  passphrase: string
}

const columns = `workspace_id as "workspaceId", id, target_url as "targetUrl", secret, state, cancel, note,
  stopped_ms as "stoppedMs", final_pass as "finalPass"`

export const wakeBotsStatement = statement<{ workspaceId: string }>(
  'wake-bots',
  'delete from resting_bot where workspace_id = :workspaceId',
)

const listMovesStatement = statement(
  'list-moves',
  `select ${columns} from workspace_move order by created_at`,
)

export const listMoves = (
  database: Database,
): Promise<(Move & Record<string, unknown>)[]> => database.run(...listMovesStatement({}))

const findMoveStatement = statement<{ workspaceId: string }>(
  'find-move',
  `select ${columns} from workspace_move where workspace_id = :workspaceId`,
)

export async function findMove(
  database: Database,
  workspaceId: string,
): Promise<Move | null> {
  const [row] = await database.run<Move & Record<string, unknown>>(
    ...findMoveStatement({ workspaceId }),
  )
  return row ?? null
}

const insertStatement = statement<{
  workspaceId: string
  id: string
  targetUrl: string
  secret: Buffer
}>(
  'request-move',
  `insert into workspace_move (workspace_id, id, target_url, secret, state)
     values (:workspaceId, :id, :targetUrl, :secret, 'requested')
   on conflict (workspace_id) do update set id = excluded.id, target_url = excluded.target_url,
     secret = excluded.secret, state = 'requested', cancel = false, is_stopped = false, pass = 0, note = '',
     stopped_ms = null, created_at = now(), updated_at = now()
   where workspace_move.state = 'cancelled'
   returning id`,
)

/** Returns false if there is a move of the workspace already. */
export async function requestMove(
  database: Database,
  secrets: Secrets,
  move: { workspaceId: string; id: string; targetUrl: string } & MoveSecret,
): Promise<boolean> {
  const { workspaceId, id, targetUrl, token, passphrase } = move
  const secret = await secrets.seal(
    null,
    JSON.stringify({ token, passphrase }),
    toLocation(id),
  )
  return (
    (await database.run(...insertStatement({ workspaceId, id, targetUrl, secret })))
      .length > 0
  )
}

export const openMoveSecret = async (secrets: Secrets, move: Move): Promise<MoveSecret> =>
  JSON.parse(await secrets.open(move.secret, toLocation(move.id)))

const toLocation = (id: string) => `workspace_move.secret/${id}`

const stepStatement = statement<{ id: string; from: string; to: string }>(
  'step-move',
  `update workspace_move set state = :to, note = '', updated_at = now()
     where id = :id and state = :from returning id`,
)

/** Returns false if the move is in another state: another server has continued it. */
export const stepMove = async (
  database: Database,
  id: string,
  from: MoveState,
  to: MoveState,
): Promise<boolean> => (await database.run(...stepStatement({ id, from, to }))).length > 0

const noteMoveStatement = statement<{ id: string; note: string }>(
  'note-move',
  'update workspace_move set note = :note, updated_at = now() where id = :id',
)

export const noteMove = (database: Database, id: string, note: string) =>
  database.run(...noteMoveStatement({ id, note: note.slice(0, 1_000) }))

const nextPassStatement = statement<{ id: string }>(
  'next-pass',
  'update workspace_move set pass = pass + 1 where id = :id returning pass',
)

/** Returns the number of the next transfer. */
export async function nextPass(database: Database, id: string): Promise<number> {
  const [row] = await database.run<{ pass: number }>(...nextPassStatement({ id }))
  return row!.pass
}

const cancelMoveStatement = statement<{ workspaceId: string }>(
  'cancel-move',
  `update workspace_move set cancel = true, updated_at = now() where workspace_id = :workspaceId
         and state in ('requested', 'copying', 'following', 'pausing', 'stopped', 'cancelling') returning id`,
)

/** Returns false if the workspace has no move that can be cancelled. */
export const requestCancel = async (
  database: Database,
  workspaceId: string,
): Promise<boolean> =>
  (await database.run(...cancelMoveStatement({ workspaceId }))).length > 0

const endForwardingStatement = statement<{ workspaceId: string }>(
  'end-forwarding',
  `update workspace_move set state = 'ending', updated_at = now() where workspace_id = :workspaceId
         and state in ('moved', 'ending') returning id`,
)

/** Returns false if the workspace has not moved. */
export const requestEnd = async (
  database: Database,
  workspaceId: string,
): Promise<boolean> =>
  (await database.run(...endForwardingStatement({ workspaceId }))).length > 0

const announceMovesStatement = statement<{ note: string }>(
  'announce-moves',
  `select pg_notify('botstead', :note)`,
)

/** Notifies all servers. The message has the format of core/realtime/bus.ts. */
export const announceMoves = (database: Database) =>
  database.run(
    ...announceMovesStatement({ note: `moves\n${JSON.stringify({ kind: 'moves' })}` }),
  )
