// What this process knows of workspaces that leave, have left, or arrive: which ids are theirs, and
// what happens to requests for them. Every process reads it before its first request, after each
// note of another process, and periodically.

import { PeriodicTask } from '@botstead/lib'
import type { Logger } from 'pino'
import { type Database, statement } from '../../../core/db/index.ts'

/**
 * - `pausing`: requests wait; calls of bots and integrations go on.
 * - `held`: all requests wait.
 * - `moved`: the server forwards requests to `targetUrl`.
 * - `closed`: the server rejects requests: the workspace arrives, or its rows are being deleted.
 */
type RelocationState = 'pausing' | 'held' | 'moved' | 'closed'

export interface Relocation {
  workspaceId: string
  moveId: string
  state: RelocationState
  targetUrl: string | null
}

interface Listeners {
  /** The bots that rest here now, all of them. */
  onResting(botIds: ReadonlySet<string>): void
  /** Resolves when this process does nothing for the bots, or after the time for that. */
  whenQuiet(botIds: ReadonlySet<string>): Promise<void>
  /** Their workspace has left: ends what runs for them and listens to them. */
  onGone(botIds: ReadonlySet<string>): void
  /** Notes that this process does nothing for the workspace. */
  endPause(moveId: string): Promise<unknown>
}

type Row = Relocation & { version: string } & Record<string, unknown>

const rowsQuery = statement(
  'relocations',
  `
  select workspace_id as "workspaceId", id as "moveId", target_url as "targetUrl", state || pass as version,
    case when state in ('pausing', 'moved') then state when state = 'ending' then 'closed' else 'held' end
      as state
  from workspace_move where state in ('pausing', 'stopped', 'deciding', 'moved', 'ending')
  union all
  select workspace_id, move_id, null, pass::text, 'closed' from workspace_arrival where state = 'arriving'`,
)

/** Ids that occur in paths and headers of requests, and whether each is a bot. */
const idsQuery = statement<{ workspaceId: string }>(
  'relocated-ids',
  `
  select id, true as "isBot" from bot where workspace_id = :workspaceId
  union all
  select webhook_id, false from installation
    where bot_id in (select id from bot where workspace_id = :workspaceId)
  union all
  select 'handle ' || handle, false from workspace where id = :workspaceId and handle is not null`,
)

interface Known {
  relocation: Relocation
  version: string
  ids: Set<string>
  bots: ReadonlySet<string>
}

const paceMs = 1_000

export class Relocations {
  readonly #database: Database
  readonly #listeners: Listeners
  readonly #task: PeriodicTask
  #known = new Map<string, Known>()
  #byId = new Map<string, Relocation>()
  #waiting = new Set<() => void>()
  #reading: Promise<void> = Promise.resolve()

  constructor(database: Database, listeners: Listeners, log: Logger) {
    this.#database = database
    this.#listeners = listeners
    this.#task = new PeriodicTask({
      task: () => this.refresh(),
      paceMs,
      failed: (error) => log.warn({ err: error }, 'cannot read the moves of workspaces'),
    })
  }

  get isEmpty() {
    return this.#byId.size === 0
  }

  /** Returns the relocation to which an id belongs: of a workspace, bot or webhook. */
  of(id: string): Relocation | undefined {
    return this.#byId.get(id)
  }

  /** Returns the current relocation of a workspace. */
  now(workspaceId: string): Relocation | undefined {
    return this.#known.get(workspaceId)?.relocation
  }

  /** Resolves at the next change, or after `ms`. */
  changed(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        this.#waiting.delete(done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      this.#waiting.add(done)
    })
  }

  /** Reads the rows. Calls run one after the other, so that the last one reads the newest rows. */
  refresh(): Promise<void> {
    const reading = this.#reading.catch(() => {}).then(() => this.#read())
    this.#reading = reading
    return reading
  }

  async #read() {
    const rows = await this.#database.run<Row>(...rowsQuery({}))
    const before = this.#known
    if (rows.length === 0 && before.size === 0) return
    const now = new Map<string, Known>()
    for (const { version, ...relocation } of rows) {
      const known = before.get(relocation.workspaceId)
      const isSame =
        known?.version === version && known.relocation.moveId === relocation.moveId
      now.set(
        relocation.workspaceId,
        isSame ? known : await this.#load(relocation, version),
      )
    }
    this.#known = now
    this.#byId = new Map(
      [...now.values()].flatMap(({ ids, relocation }) =>
        [...ids].map((id) => [id, relocation]),
      ),
    )
    this.#notify(before)
    for (const done of [...this.#waiting]) done()
  }

  async #load(relocation: Relocation, version: string): Promise<Known> {
    const rows = await this.#database.run<{ id: string; isBot: boolean }>(
      ...idsQuery({ workspaceId: relocation.workspaceId }),
    )
    const bots = new Set(rows.filter(({ isBot }) => isBot).map(({ id }) => id))
    const ids = new Set([relocation.workspaceId, ...rows.map(({ id }) => id)])
    return { relocation, version, ids, bots }
  }

  #notify(before: ReadonlyMap<string, Known>) {
    const { onResting, onGone, whenQuiet, endPause } = this.#listeners
    onResting(new Set([...this.#known.values()].flatMap(({ bots }) => [...bots])))
    for (const [workspaceId, { relocation, bots }] of this.#known) {
      const { state, moveId } = relocation
      const former = before.get(workspaceId)?.relocation.state
      if (state === 'moved' && former !== 'moved') onGone(bots)
      if (state === 'pausing' && former !== 'pausing')
        void whenQuiet(bots)
          .then(() => endPause(moveId))
          .catch(() => {}) // the driver does not wait for ever
    }
  }

  stop = () => this.#task.stop()
}
