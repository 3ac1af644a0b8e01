// The draft of a bot in the browser: the text that the server has, and edits that it has not stored yet.
// Edits apply at once; a short pause later, the server stores them and merges them with those of others.
import {
  type DocumentTools,
  type Draft,
  DraftConflict,
  type DraftServer,
  isFinal,
  type Overwritten,
} from './draft-server.ts'
import {
  applyWithInverse,
  type Edit,
  MissingPart,
  rebaseEdit,
  shareParts,
  valueAt,
} from './edits.ts'
import type { KeptStore } from './kept-edits.ts'

const savePauseMs = 400
const firstRetryMs = 1_000
const maxRetryMs = 15_000
/** Edits of one field within this time are one step of undo. */
const typingMs = 1_000

export interface DraftSnapshot {
  value: Record<string, unknown>
  /** Of the stored draft. */
  draft: Draft
  state: 'saved' | 'saving' | 'offline'
  /** How many edits the server has not stored yet. */
  unsaved: number
  canUndo: boolean
  canRedo: boolean
}

export interface DraftEvents {
  /** The own change replaced one that another member made at the same time. */
  onOverwritten(parts: Overwritten[]): void
  /** The server rejected edits, or others removed the part that they change. */
  onLost(reason: 'rejected' | 'missing', edits: Edit[], error?: unknown): void
}

interface Step {
  edits: Edit[]
  inverse: Edit[]
}

interface DraftStoreOptions {
  server: DraftServer
  tools: DocumentTools
  kept: KeptStore
  events: DraftEvents
  now?: () => number
}

export class DraftStore {
  #options: DraftStoreOptions
  #draft: Draft
  #value: unknown
  /** Made since the stored draft: first those that are being saved. */
  #pending: Edit[] = []
  #sending = 0
  #undo: Step[] = []
  #redo: Step[] = []
  #editedAt = 0
  #state: DraftSnapshot['state'] = 'saved'
  #timer: ReturnType<typeof setTimeout> | undefined
  #retryMs = firstRetryMs
  #run: Promise<void> | undefined
  #isClosed = false
  #listeners = new Set<() => void>()
  #snapshot: DraftSnapshot

  private constructor(options: DraftStoreOptions, draft: Draft) {
    this.#options = options
    this.#draft = draft
    this.#value = options.tools.parse(draft)
    this.#snapshot = this.#toSnapshot()
  }

  /** Reads the draft, and first stores edits that this browser kept from a page that ended. */
  static async open(
    options: DraftStoreOptions,
    first: Promise<Draft> = options.server.read(),
  ): Promise<DraftStore> {
    let draft = await first
    for (const { revision, edits } of options.kept.takeOrphans())
      draft = await storeOrphan(options, draft, revision, edits)
    return new DraftStore(options, draft)
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  getSnapshot = (): DraftSnapshot => this.#snapshot

  /** Applies edits as one step of undo. Throws MissingPart. */
  edit(edits: Edit[]): void {
    if (edits.length === 0) return
    const { value, inverse } = applyWithInverse(
      this.#value,
      edits,
      this.#options.tools.apply,
    )
    this.#remember({ edits, inverse })
    this.#redo = []
    this.#change(value, edits)
  }

  undo(): void {
    this.#step(this.#undo, this.#redo)
  }

  redo(): void {
    this.#step(this.#redo, this.#undo)
  }

  /** Stores the edits now. Resolves when the server has them, or after the first failure. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#save()
  }

  /** Reads the draft after a change by another member, unless it has the saved `revision` already. */
  async refresh(revision?: number): Promise<void> {
    if (revision !== undefined && revision <= this.#draft.revision) return
    if (this.#run || this.#pending.length > 0) return this.flush()
    const draft = await this.#options.server.read()
    // Own edits have begun meanwhile: their answer has the change.
    if (this.#run || this.#pending.length > 0 || draft.revision <= this.#draft.revision) {
      if (draft.revision === this.#draft.revision) this.#setDraft(draft)
      return
    }
    this.#adopt(draft)
    this.#notify()
  }

  /** Replaces the draft by the answer of another operation, such as publishing. */
  replace(draft: Draft): void {
    if (draft.text === this.#draft.text) this.#setDraft(draft)
    else {
      this.#adopt(draft)
      this.#notify()
    }
  }

  /** Renews the lease of the kept edits. */
  keep(): void {
    const { kept } = this.#options
    if (this.#pending.length === 0) kept.clear()
    else kept.keep({ revision: this.#draft.revision, edits: this.#pending })
  }

  /** The browser closes or leaves the page: the next one may take the edits that are not stored. */
  leave(): void {
    void this.flush()
    this.#options.kept.release()
  }

  /** The application shows another page. Resolves when the edits are stored, or kept for the next page. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.flush()
    this.#options.kept.release()
  }

  #setDraft(draft: Draft) {
    this.#draft = draft
    this.#notify()
  }

  #remember(step: Step) {
    const at = (this.#options.now ?? Date.now)()
    const last = this.#undo.at(-1)
    const isTyping =
      at - this.#editedAt < typingMs && last && isSameField(last.edits, step.edits)
    this.#editedAt = at
    if (isTyping)
      this.#undo[this.#undo.length - 1] = { edits: step.edits, inverse: last.inverse }
    else this.#undo.push(step)
  }

  /** Takes the last step back, unless others have changed the part since. */
  #step(from: Step[], to: Step[]) {
    const step = from.pop()
    if (!step) return
    this.#editedAt = 0
    const { edits, inverse } = step
    try {
      if (isChangedSince(this.#value, edits)) throw new MissingPart()
      const applied = applyWithInverse(this.#value, inverse, this.#options.tools.apply)
      to.push({ edits: inverse, inverse: applied.inverse })
      this.#change(applied.value, inverse)
    } catch (error) {
      if (!(error instanceof MissingPart)) throw error
      this.#options.events.onLost('missing', inverse)
      this.#notify()
    }
  }

  #change(value: unknown, edits: Edit[]) {
    this.#value = value
    this.#pending = [...this.#pending, ...edits]
    this.keep()
    if (this.#state === 'saved') this.#state = 'saving'
    this.#notify()
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#save(), savePauseMs)
  }

  #save(): Promise<void> {
    this.#run ??= this.#saveAll().finally(() => {
      this.#run = undefined
    })
    return this.#run
  }

  async #saveAll() {
    const { server, tools, events } = this.#options
    while (this.#pending.length > 0) {
      const edits = this.#pending
      this.#sending = edits.length
      try {
        const sent = tools.edit(this.#draft, edits)
        const { draft, overwritten } = await server.save(this.#draft.revision, sent)
        this.#retryMs = firstRetryMs
        this.#adopt(draft, sent)
        if (overwritten.length > 0) events.onOverwritten(overwritten)
      } catch (error) {
        if (error instanceof DraftConflict) {
          this.#sending = 0
          this.#adopt(error.draft)
        } else if (isFinal(error)) await this.#drop(edits, error)
        else return this.#retryLater()
      }
    }
    this.#state = 'saved'
    this.keep()
    this.#notify()
  }

  #retryLater() {
    this.#sending = 0
    this.#state = 'offline'
    this.#notify()
    if (this.#isClosed) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#save(), this.#retryMs)
    this.#retryMs = Math.min(this.#retryMs * 2, maxRetryMs)
  }

  /** The server will never accept these edits, so the page shows the stored draft without them. */
  async #drop(edits: Edit[], error: unknown) {
    this.#options.events.onLost('rejected', edits, error)
    this.#undo = []
    this.#redo = []
    this.#adopt(await this.#options.server.read().catch(() => this.#draft))
  }

  /**
   * Continues with a stored draft, and with the edits that were made since. `sent` is the text that the
   * server got: it returns another one if others have changed the draft, too.
   */
  #adopt(draft: Draft, sent?: string) {
    const { tools } = this.#options
    const later = this.#pending.slice(this.#sending)
    const base = sent === undefined ? this.#draft : { ...draft, text: sent }
    this.#draft = draft
    this.#sending = 0
    this.#pending = later
    if (draft.text !== sent) {
      const former = this.#value
      this.#pending = later.length === 0 ? [] : tools.rebase(base, later, draft)
      this.#value = shareParts(former, tools.apply(tools.parse(draft), this.#pending))
      this.#moveSteps(former, this.#value)
    }
    this.keep()
  }

  #moveSteps(before: unknown, after: unknown) {
    const move = ({ edits, inverse }: Step): Step => ({
      edits: edits.map((edit) => rebaseEdit(edit, before, after)),
      inverse: inverse.map((edit) => rebaseEdit(edit, before, after)),
    })
    this.#undo = this.#undo.map(move)
    this.#redo = this.#redo.map(move)
  }

  #toSnapshot(): DraftSnapshot {
    return {
      value: this.#value as Record<string, unknown>,
      draft: this.#draft,
      state: this.#state,
      unsaved: this.#pending.length,
      canUndo: this.#undo.length > 0,
      canRedo: this.#redo.length > 0,
    }
  }

  #notify() {
    this.#snapshot = this.#toSnapshot()
    for (const listener of this.#listeners) listener()
  }
}

const isSameField = (one: Edit[], other: Edit[]) =>
  one.length === 1 &&
  other.length === 1 &&
  one[0]!.op === 'set' &&
  other[0]!.op === 'set' &&
  one[0]!.pointer === other[0]!.pointer

/** Whether a part that the edits have set has another value now. */
function isChangedSince(value: unknown, edits: Edit[]): boolean {
  const last = edits.at(-1)
  if (last?.op !== 'set') return false
  return JSON.stringify(valueAt(value, last.pointer)) !== JSON.stringify(last.value)
}

async function storeOrphan(
  { server, tools, events, kept }: DraftStoreOptions,
  current: Draft,
  revision: number,
  edits: Edit[],
): Promise<Draft> {
  try {
    const former =
      revision === current.revision ? null : await server.readRevision(revision)
    const base = former === null ? current : { ...current, text: former, revision }
    const edited = tools.edit(base, edits)
    // The page ended after its request, before the answer.
    if (edited === current.text) return current
    const { draft, overwritten } = await server.save(base.revision, edited)
    if (overwritten.length > 0) events.onOverwritten(overwritten)
    return draft
  } catch (error) {
    if (isFinal(error)) {
      events.onLost('rejected', edits, error)
      return current
    }
    // They stay for the next page.
    kept.keep({ revision, edits })
    kept.release()
    throw error
  }
}
