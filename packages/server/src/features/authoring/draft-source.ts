// Where tools read and save drafts: those of bots, by the operations of the studio.
import { ApiError, type BotDraft, platform } from '@botstead/contract'
import type { createOperationCalls } from '../../core/http/index.ts'

export interface DraftText {
  text: string
  format: 'JSON' | 'YAML'
}

export type DraftState = DraftText &
  Pick<BotDraft, 'revision' | 'hasChanges' | 'publishedRevision'>

export interface DraftSource {
  /** Throws ReferenceConstraint for a bot made of code. */
  read(botId: string): Promise<DraftState>
  /** Throws ResourceNotFound for a revision that the history does not have. */
  readRevision(botId: string, revision: number): Promise<DraftText>
  /** Merges. Throws RelationConflict for a value that another person has changed since the base. */
  save(botId: string, draft: DraftText & { baseRevision: number }): Promise<DraftState>
}

export function openDraftSource(
  call: ReturnType<typeof createOperationCalls>,
): DraftSource {
  const { drafts } = platform
  const source: DraftSource = {
    async read(botId) {
      const { draft } = await call(drafts.getBotDraft, { params: { botId } })
      if (draft) return draft
      throw new ApiError(
        'ReferenceConstraint',
        'The bot is made of code, so it has no draft: choose a bot of flows, or create one',
      )
    },
    async readRevision(botId, revision) {
      const now = await source.read(botId)
      if (now.revision === revision) return now
      const params = { botId, revision: String(revision) }
      const found = await call(drafts.getDraftRevision, { params })
      return { text: found.text, format: found.revision.format }
    },
    async save(botId, { baseRevision, text }) {
      const body = { baseRevision, text, onConflict: 'reject' as const }
      return (await call(drafts.saveBotDraft, { params: { botId }, body })).draft
    },
  }
  return source
}
