// Notes that something of a workspace has changed, for open pages of the dashboard. They contain no
// data: a page reads that with its own permissions. Changes of a moment are gathered, so frequent
// ones share notes. Without a follower on any server, a change costs a comparison.
//
// A server with followers of a workspace announces that to the other servers, which then send it
// their changes. A server that learns of such a workspace answers with `reset`, because it has sent
// nothing until then.
import { randomBytes } from 'node:crypto'
import type { ChangeNote } from '@botstead/contract'
import type { Logger } from 'pino'
import type { Publish } from './bus.ts'
import type { Change } from './change.ts'
import { GatheredChanges } from './gathered-changes.ts'

/** A note with its position in the feed of a workspace. */
export interface FeedEntry {
  /** Position, as `Last-Event-ID` names it. */
  id: string
  note: ChangeNote
}

export interface Follower {
  readonly accountId: string
  receive(entries: FeedEntry[]): void
  /** Called when tokens, members or roles may have changed: checks whether it may still follow. */
  recheck(): void
  end(): void
}

/** A note of another server. */
type FeedNote =
  | { kind: 'changes'; changes: Change[] }
  /** The sender has followers of these workspaces. */
  | { kind: 'changes-wanted'; workspaceIds: string[] }
  /** The sender does not know which workspaces the others follow. */
  | { kind: 'changes-requested' }

interface FeedOptions {
  /** Returns null for an unknown bot. */
  workspaceOf: (botId: string) => Promise<string | null>
  notify: Publish
  log: Logger
}

/** Changes of this time share notes. */
const gatherMs = 300
/** Notes that a feed keeps, for followers that resume. */
const maxKept = 500
/** A feed without followers is kept for this time, for followers that resume. */
const lingerMs = 60_000
/** Pace at which wanted workspaces are announced. */
const renewMs = 20_000
/** Followers are checked at every third announcement: tokens and sessions expire by time, too. */
const recheckEvery = 3
/** Without a renewal, a workspace is no longer wanted by the other servers. */
const wantedMs = 3 * renewMs
/** A note between servers has at most 7,000 bytes. */
const maxTogether = 40

/** The recent notes of one workspace, and its followers on this server. */
class WorkspaceFeed {
  readonly #name = randomBytes(6).toString('hex')
  readonly followers = new Set<Follower>()
  readonly #kept: FeedEntry[] = []
  #count = 0
  emptySince = 0

  get position() {
    return `${this.#name}-${this.#count}`
  }

  append(notes: ChangeNote[]) {
    const entries = notes.map((note) => ({ id: `${this.#name}-${++this.#count}`, note }))
    this.#kept.push(...entries)
    this.#kept.splice(0, this.#kept.length - maxKept)
    for (const follower of this.followers) follower.receive(entries)
  }

  /** Returns the notes after the position; null if it is unknown or too old. */
  after(position: string): FeedEntry[] | null {
    if (position === this.position) return []
    const index = this.#kept.findIndex(({ id }) => id === position)
    return index < 0 ? null : this.#kept.slice(index + 1)
  }
}

export class ChangeFeed {
  readonly #options: FeedOptions
  readonly #feeds = new Map<string, WorkspaceFeed>()
  /** Workspaces that other servers follow, with the time at which that ends. */
  readonly #wantedElsewhere = new Map<string, number>()
  readonly #here = new GatheredChanges()
  readonly #elsewhere = new GatheredChanges()
  #gathering: NodeJS.Timeout | null = null
  readonly #renewal: NodeJS.Timeout
  #renewals = 0

  constructor(options: FeedOptions) {
    this.#options = options
    this.#renewal = setInterval(() => this.#renew(), renewMs).unref()
  }

  /** Tells the notes of feeds from other notes between servers. */
  static isNote(note: { kind: string }): note is FeedNote {
    return note.kind.startsWith('changes')
  }

  /** Call it after the commit. Followers receive the note within a third of a second. */
  publish(change: Change): void {
    if (this.#feeds.size > 0) this.#gatherHere(change)
    if (this.#wantedElsewhere.size === 0) return
    this.#elsewhere.add(change)
    this.#flushSoon()
  }

  /** Counts the followers of an account on this server. */
  countOf(workspaceId: string, accountId: string): number {
    const followers = [...(this.#feeds.get(workspaceId)?.followers ?? [])]
    return followers.filter((follower) => follower.accountId === accountId).length
  }

  /**
   * Starts a follower. `missed` are the notes after `position`; null if that is unknown or too old.
   */
  follow(workspaceId: string, position: string | undefined, follower: Follower) {
    const feed = this.#feeds.get(workspaceId) ?? this.#openFeed(workspaceId)
    feed.followers.add(follower)
    const stop = () => {
      if (feed.followers.delete(follower)) feed.emptySince = performance.now()
    }
    const missed = position === undefined ? [] : feed.after(position)
    return { position: feed.position, missed, stop }
  }

  #openFeed(workspaceId: string): WorkspaceFeed {
    const feed = new WorkspaceFeed()
    this.#feeds.set(workspaceId, feed)
    this.#announce([workspaceId])
    return feed
  }

  /** Handles a note of another server. */
  receive(note: FeedNote): void {
    if (note.kind === 'changes-requested') this.#announce([...this.#feeds.keys()])
    else if (note.kind === 'changes-wanted') this.#want(note.workspaceIds)
    else
      for (const change of note.changes)
        if (this.#feeds.has(change.workspaceId!)) this.#gatherHere(change)
  }

  #gatherHere(change: Change) {
    this.#here.add(change)
    this.#flushSoon()
  }

  #flushSoon() {
    this.#gathering ??= setTimeout(() => this.#flush(), gatherMs)
  }

  #want(workspaceIds: string[]) {
    const isNew = workspaceIds.filter((id) => !this.#wantedElsewhere.has(id))
    for (const id of workspaceIds)
      this.#wantedElsewhere.set(id, performance.now() + wantedMs)
    this.#send(isNew.map((workspaceId) => ({ topic: 'reset', workspaceId })))
  }

  /** Changes may have been missed: notifies all followers, and synchronizes with the other servers. */
  reset(): void {
    for (const workspaceId of this.#feeds.keys())
      this.#gatherHere({ topic: 'reset', workspaceId })
    this.join()
  }

  /** Learns which workspaces the other servers follow. */
  join(): void {
    this.#announce([...this.#feeds.keys()])
    this.#notify({ kind: 'changes-requested' })
  }

  /** Makes the followers check whether they may still follow. */
  recheck(): void {
    for (const { followers } of this.#feeds.values())
      for (const follower of followers) follower.recheck()
  }

  #renew() {
    const now = performance.now()
    for (const [id, { followers, emptySince }] of this.#feeds)
      if (followers.size === 0 && emptySince + lingerMs < now) this.#feeds.delete(id)
    for (const [id, until] of this.#wantedElsewhere)
      if (until < now) this.#wantedElsewhere.delete(id)
    this.#announce([...this.#feeds.keys()])
    if (++this.#renewals % recheckEvery === 0) this.recheck()
  }

  #announce(workspaceIds: string[]) {
    for (let i = 0; i < workspaceIds.length; i += maxTogether)
      this.#notify({
        kind: 'changes-wanted',
        workspaceIds: workspaceIds.slice(i, i + maxTogether),
      })
  }

  #flush() {
    this.#gathering = null
    void this.#placed(this.#here.take()).then((changes) => this.#append(changes))
    void this.#placed(this.#elsewhere.take()).then((changes) =>
      this.#send(
        changes.filter(({ workspaceId }) => this.#wantedElsewhere.has(workspaceId!)),
      ),
    )
  }

  /** Adds the workspaces of the bots. Drops changes of bots that no longer exist. */
  async #placed(changes: Change[]): Promise<Change[]> {
    const placed: Change[] = []
    for (const change of changes) {
      const workspaceId = change.workspaceId ?? (await this.#workspaceOf(change.botId!))
      if (workspaceId) placed.push({ ...change, workspaceId })
    }
    return placed
  }

  #workspaceOf(botId: string) {
    return this.#options.workspaceOf(botId).catch((error) => {
      this.#options.log.warn({ err: error, botId }, 'a change was not noted')
      return null
    })
  }

  #append(changes: Change[]) {
    const byWorkspace = new Map<string, ChangeNote[]>()
    for (const { workspaceId, ...note } of changes) {
      const notes = byWorkspace.get(workspaceId!)
      if (notes) notes.push(note)
      else byWorkspace.set(workspaceId!, [note])
    }
    for (const [workspaceId, notes] of byWorkspace)
      this.#feeds.get(workspaceId)?.append(notes)
  }

  #send(changes: Change[]) {
    for (let i = 0; i < changes.length; i += maxTogether)
      this.#notify({ kind: 'changes', changes: changes.slice(i, i + maxTogether) }, false)
  }

  #notify(note: FeedNote, isVital = true) {
    this.#options.notify(() => JSON.stringify(note), { isVital })
  }

  close(): void {
    clearInterval(this.#renewal)
    if (this.#gathering) clearTimeout(this.#gathering)
    for (const { followers } of this.#feeds.values())
      for (const follower of [...followers]) follower.end()
    this.#feeds.clear()
    this.#wantedElsewhere.clear()
  }
}
