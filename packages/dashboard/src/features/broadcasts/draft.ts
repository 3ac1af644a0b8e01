// The form of a new broadcast, and the request that it stands for.
import type { BroadcastAudience, QuietHours } from '@botstead/contract'
import { texts } from '../../texts/texts.ts'

export interface Draft {
  name: string
  integration: string
  channel: string
  text: string
  userTags: string[]
  conversationTags: string[]
  table: string
  column: string
  perMinute: number
  /** As the field has it: a local time without a zone. */
  startAt: string
  quietHours: QuietHours | undefined
}

export const newDraft: Draft = {
  name: '',
  integration: '',
  channel: '',
  text: '',
  userTags: [],
  conversationTags: [],
  table: '',
  column: '',
  perMinute: 600,
  startAt: '',
  quietHours: undefined,
}

export const newQuietHours = (): QuietHours => ({
  from: '21:00',
  to: '08:00',
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
})

/** Returns the first tag that is not `name=value`. */
const findInvalidTag = ({ userTags, conversationTags }: Draft): string | undefined =>
  [...userTags, ...conversationTags].find((tag) => tag.indexOf('=') < 1)

export const isComplete = (draft: Draft): boolean =>
  [draft.name, draft.integration, draft.channel, draft.text].every(
    (text) => text.trim() !== '',
  ) &&
  (draft.table === '') === (draft.column === '') &&
  findInvalidTag(draft) === undefined

export const tagError = (draft: Draft): string | undefined => {
  const tag = findInvalidTag(draft)
  return tag === undefined ? undefined : texts.broadcasts.invalidTag(tag)
}

const toTags = (tags: string[]): Record<string, string> =>
  Object.fromEntries(
    tags.map((tag) => {
      const at = tag.indexOf('=')
      return [tag.slice(0, at).trim(), tag.slice(at + 1).trim()]
    }),
  )

/** The part that a dry run needs. */
export function toPreview(draft: Draft) {
  const { integration, channel, userTags, conversationTags, table, column, quietHours } =
    draft
  const audience: BroadcastAudience = {
    integration,
    channel,
    ...(userTags.length > 0 && { userTags: toTags(userTags) }),
    ...(conversationTags.length > 0 && { conversationTags: toTags(conversationTags) }),
    ...(table && { table: { table, column } }),
  }
  const message = { type: 'text', payload: { text: draft.text } }
  return { audience, message, ...(quietHours && { quietHours }) }
}

export const toBroadcast = (draft: Draft) => ({
  ...toPreview(draft),
  name: draft.name,
  perMinute: draft.perMinute,
  ...(draft.startAt && { startAt: new Date(draft.startAt).toISOString() }),
})
