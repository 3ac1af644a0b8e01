// The texts of a draft, for people who may edit texts and nothing else of a bot.
import { ApiError } from '@botstead/contract'
import type { TranslatedTexts } from '@botstead/flows/texts'
import type { Bot } from '../../core/bots/index.ts'
import { compute, type RequestedText, type TextFault } from '../../core/compute/index.ts'
import type { Services } from '../../core/http/index.ts'
import { isNotFlows } from './deployed-document.ts'
import { addRevision } from './drafts.ts'
import { deadlineMs, maxCharacters } from './limits.ts'
import {
  invalidText,
  maxTries,
  openDraft,
  openStored,
  rejectUnstorable,
  tooManySaves,
} from './saving.ts'

const none: TranslatedTexts = { original: undefined, languages: [], texts: [] }

/** Returns at most `limit` texts, after the first `from`; none for a bot made of code. */
export async function listTexts(
  services: Services,
  bot: Bot,
  page: { from: number; limit: number },
): Promise<TranslatedTexts> {
  const draft = await openDraft(services, bot).catch((error: unknown) => {
    if (isNotFlows(error)) return null
    throw error
  })
  if (!draft) return none
  const { text, format } = draft
  const found = await compute.run(
    bot.workspace_id,
    'listDraftTexts',
    { text, format, ...page },
    { deadlineMs },
  )
  if ('problem' in found) throw invalidText(found, format)
  return found
}

/** Changes texts of the current draft, all or none. Returns its revision. */
export async function saveTexts(
  services: Services,
  bot: Bot,
  accountId: string,
  changes: RequestedText[],
): Promise<number> {
  for (const [index, { key, text }] of changes.entries())
    for (const [name, value] of Object.entries({ key, text }))
      if (value !== null) rejectUnstorable(value, `changes/${index}/${name}`)
  for (let tries = 1; tries <= maxTries; tries++) {
    const now = await openStored(services, bot)
    const draft = { text: now.text, format: now.format }
    const edited = await compute.run(
      bot.workspace_id,
      'editDraftTexts',
      { draft, changes },
      { deadlineMs },
    )
    if ('problem' in edited) throw invalidText(edited, now.format)
    if ('fault' in edited) throw toError(edited, changes)
    if (edited.text.length > maxCharacters)
      throw new ApiError(
        'LimitExceeded',
        `The draft would have more than ${maxCharacters} characters. Shorten it`,
      )
    if (edited.text === now.text) return now.revision
    const created = { draft: edited, createdBy: accountId }
    if (await addRevision(services.db, bot.id, now.revision, created))
      return now.revision + 1
  }
  throw tooManySaves()
}

const sentences: Record<
  TextFault['fault']['reason'],
  (field: string, fault: string) => string
> = {
  unknown: (field) => `\`${field}/key\` names no text of the bot. Load the texts again`,
  outdated: (field) =>
    `The original of \`${field}/key\` has changed. Load the texts again`,
  language: (field) =>
    `\`${field}/language\` is not a language of the bot. Ask to have it added`,
  empty: (field) => `\`${field}/text\` must not be empty: it is the original`,
  syntax: (field) =>
    `\`${field}/text\` has {{ }} that is not an expression. Copy it from the original`,
  expression: (field, expression) =>
    `\`${field}/text\` has {{ ${expression} }}, which the original does not have. Remove it`,
}

function toError({ fault }: TextFault, changes: RequestedText[]): ApiError {
  const { index, reason, expression = '' } = fault
  const isConflict = reason === 'unknown' || reason === 'outdated'
  return new ApiError(
    isConflict ? 'RelationConflict' : 'InvalidPayload',
    sentences[reason](`changes/${index}`, expression.slice(0, 200)),
    { metadata: { reason, key: changes[index]!.key } },
  )
}
