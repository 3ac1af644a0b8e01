// The draft of a bot on the server, as the store uses it.
import { type Client, RequestError, Unreachable } from '@botstead/client'
import type { BotDraft } from '@botstead/contract'
import type { Edit } from './edits.ts'

export type Draft = Pick<BotDraft, 'text' | 'format' | 'revision' | 'hasChanges'>

/** Thrown if the server no longer has the base of a change. */
export class DraftConflict extends Error {
  override name = 'DraftConflict'
  readonly draft: Draft
  constructor(draft: Draft) {
    super('The base of the change is too old')
    this.draft = draft
  }
}

/** Thrown for a bot made of code. */
export class NoFlows extends Error {
  override name = 'NoFlows'
}

/** A part that another member changed at the same time. The own change replaced it. */
export interface Overwritten {
  pointer: string
  theirs?: unknown
}

export interface DraftServer {
  /** Throws NoFlows. */
  read(): Promise<Draft>
  /** Returns the text of a revision; null if the server no longer has it. */
  readRevision(revision: number): Promise<string | null>
  /** Stores the text that was made of a revision. Returns the draft, merged with the changes of others. */
  save(
    baseRevision: number,
    text: string,
  ): Promise<{ draft: Draft; overwritten: Overwritten[] }>
}

type Text = Pick<Draft, 'text' | 'format'>

/** Functions for documents, loaded with the page. */
export interface DocumentTools {
  parse(draft: Text): unknown
  /** Returns the changed value. Throws MissingPart. */
  apply(value: unknown, edits: Edit[]): unknown
  /** Returns the changed text, in which only the lines of the change differ. */
  edit(draft: Text, edits: Edit[]): string
  /** Returns edits of `theirs` with the effect that these have on `base`, from which both come. */
  rebase(base: Text, edits: Edit[], theirs: Text): Edit[]
}

export function draftServer(client: Client, botId: string): DraftServer {
  const params = { botId }
  return {
    async read() {
      const { draft } = await client.platform.getBotDraft({ params })
      if (!draft) throw new NoFlows()
      return draft
    },
    readRevision: (revision) =>
      client.platform
        .getDraftRevision({ params: { botId, revision: String(revision) } })
        .then(({ text }) => text, toNull),
    save: (baseRevision, text) =>
      client.platform
        .saveBotDraft({ params, body: { baseRevision, text } })
        .catch(toConflict),
  }
}

function toNull(error: unknown): null {
  if (error instanceof RequestError && error.status === 404) return null
  throw error
}

function toConflict(error: unknown): never {
  const { draft } = ((error as RequestError).metadata ?? {}) as { draft?: Draft }
  const isOld = error instanceof RequestError && error.type === 'RelationConflict'
  throw isOld && draft ? new DraftConflict(draft) : error
}

const passing = [401, 408, 429]

/** Whether repeating the request would have the same result. */
export function isFinal(error: unknown): boolean {
  if (error instanceof Unreachable) return false
  return (
    !(error instanceof RequestError) ||
    !(error.status >= 500 || passing.includes(error.status))
  )
}
