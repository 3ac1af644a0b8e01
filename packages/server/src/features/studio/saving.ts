// Opens, saves and discards drafts. Computes outside of transactions: a merge takes longer than a transaction
// should hold its connection.
import { createHash } from 'node:crypto'
import { ApiError } from '@botstead/contract'
import { type Bot, botCode } from '../../core/bots/index.ts'
import { compute, type DraftText } from '../../core/compute/index.ts'
import type { Services } from '../../core/http/index.ts'
import { writeDeployed } from './deployed-document.ts'
import {
  addRevision,
  findDraft,
  findRevision,
  isSaved,
  type StoredDraft,
  storeFirst,
} from './drafts.ts'
import { deadlineMs, maxCharacters } from './limits.ts'

/** A draft that may not be stored yet. */
export interface OpenDraft extends StoredDraft {
  hasChanges: boolean
}

/**
 * Returns the draft. One without changes follows the deployed document. Throws ReferenceConstraint for a bot
 * that is not made of flows.
 */
export async function openDraft(services: Services, bot: Bot): Promise<OpenDraft> {
  const stored = await findDraft(services.db, bot.id)
  if (stored) return followDeployed(services, bot, stored)
  return toUnstored(await writeDeployed(services, bot, null), bot)
}

async function followDeployed(
  services: Services,
  bot: Bot,
  stored: StoredDraft,
): Promise<OpenDraft> {
  const code = await botCode.findVersion(services.db, bot.id)
  if (code === stored.deployedCode) return { ...stored, hasChanges: !stored.isPublished }
  if (!stored.isPublished) return { ...stored, hasChanges: true }
  // Deployed by other means, such as the command line.
  const deployed = await writeDeployed(services, bot, stored)
  await addRevision(services.db, bot.id, stored.revision, {
    draft: deployed.draft,
    createdBy: null,
    deployedCode: deployed.code,
  })
  const followed = (await findDraft(services.db, bot.id))!
  return { ...followed, hasChanges: !followed.isPublished }
}

const toUnstored = (
  { draft, code }: Awaited<ReturnType<typeof writeDeployed>>,
  bot: Bot,
): OpenDraft => ({
  text: draft.text,
  format: draft.format,
  revision: 0,
  createdAt: bot.deployed_at ?? bot.created_at,
  author: null,
  publishedRevision: 0,
  deployedCode: code,
  isPublished: true,
  hasChanges: false,
})

/** Stores the draft of a bot without one. */
export async function openStored(services: Services, bot: Bot): Promise<OpenDraft> {
  const stored = await findDraft(services.db, bot.id)
  if (stored) return followDeployed(services, bot, stored)
  await storeFirst(services.db, bot.id, await writeDeployed(services, bot, null))
  return openDraft(services, bot)
}

interface Save {
  baseRevision: number
  text: string
  format?: 'JSON' | 'YAML' | undefined
  /** Default: `overwrite`. */
  onConflict?: 'overwrite' | 'reject' | undefined
}

interface Overwritten {
  pointer: string
  theirs: unknown
}

export const maxTries = 50

/**
 * Merges the text into the current draft. Returns the values of other people that it replaced. A
 * repeated request changes nothing. With `onConflict: 'reject'`, throws RelationConflict instead of
 * replacing values.
 */
export async function saveDraft(
  services: Services,
  bot: Bot,
  accountId: string,
  save: Save,
): Promise<{ draft: OpenDraft; overwritten: Overwritten[] }> {
  rejectUnstorable(save.text)
  const request = { baseRevision: save.baseRevision, hash: digest(save) }
  for (let tries = 1; tries <= maxTries; tries++) {
    const now = await openStored(services, bot)
    if (await isSaved(services.db, bot.id, request, accountId))
      return { draft: now, overwritten: [] }
    const { overwritten, ...merged } = await mergeInto(services, bot, now, save)
    if (save.onConflict === 'reject' && overwritten.length > 0)
      throw conflicting(now, overwritten)
    const isSame = merged.text === now.text && merged.format === now.format
    const created = { draft: merged, createdBy: accountId, request }
    if (isSame || (await addRevision(services.db, bot.id, now.revision, created)))
      return { draft: isSame ? now : await openDraft(services, bot), overwritten }
  }
  throw tooManySaves()
}

async function mergeInto(
  { db }: Services,
  bot: Bot,
  now: OpenDraft,
  { baseRevision, text, format }: Save,
): Promise<DraftText & { overwritten: Overwritten[] }> {
  const base =
    now.revision === baseRevision ? now : await findRevision(db, bot.id, baseRevision)
  if (!base)
    throw outdated(
      now,
      `The history no longer has revision ${baseRevision}: load the draft again`,
    )
  const versions = {
    base: { text: base.text, format: base.format },
    mine: { text, format: format ?? base.format },
    theirs: { text: now.text, format: now.format },
  }
  const merged = await compute.run(bot.workspace_id, 'mergeDraft', versions, {
    deadlineMs,
  })
  if ('problem' in merged) throw invalidText(merged, versions.mine.format)
  if (merged.text.length > maxCharacters)
    throw new ApiError(
      'LimitExceeded',
      `The merged draft has more than ${maxCharacters} characters. Shorten it`,
    )
  return merged
}

/** The document becomes the deployed one; the history keeps the draft. */
export async function discardDraft(
  services: Services,
  bot: Bot,
  accountId: string,
): Promise<OpenDraft> {
  for (let tries = 1; tries <= maxTries; tries++) {
    const now = await findDraft(services.db, bot.id)
    const deployed = await writeDeployed(services, bot, now)
    if (!now) return toUnstored(deployed, bot)
    const added = await addRevision(services.db, bot.id, now.revision, {
      draft: deployed.draft,
      createdBy: accountId,
      deployedCode: deployed.code,
    })
    if (added) return openDraft(services, bot)
  }
  throw tooManySaves()
}

export const tooManySaves = () =>
  new ApiError(
    'Unavailable',
    'Too many people save the draft at this moment: retry in some seconds',
  )

/** Throws RelationConflict unless the revision is the current one. */
export async function openCurrent(
  services: Services,
  bot: Bot,
  revision: number,
): Promise<OpenDraft> {
  const now = await openStored(services, bot)
  if (now.revision !== revision)
    throw outdated(
      now,
      `Revision ${revision} is not the current one: load the draft again`,
    )
  return now
}

const digest = ({ text, format }: Save): Buffer =>
  createHash('sha256')
    .update(format ?? '')
    .update('\n')
    .update(text)
    .digest()

/** The database has no such characters. */
export function rejectUnstorable(text: string, field = 'text'): void {
  if (text.includes('\0') || !text.isWellFormed())
    throw new ApiError(
      'InvalidPayload',
      `\`${field}\` has a NUL character or half of a surrogate pair. Remove it`,
    )
}

export const outdated = (draft: OpenDraft, message: string) =>
  new ApiError('RelationConflict', message, {
    metadata: { reason: 'outdated', draft: toBotDraft(draft) },
  })

const maxNamed = 20

const conflicting = ({ revision }: OpenDraft, overwritten: Overwritten[]) => {
  const pointers = overwritten.slice(0, maxNamed).map(({ pointer }) => pointer)
  return new ApiError(
    'RelationConflict',
    `Since your revision, another person has changed ${pointers.join(', ')}: read these values of ` +
      `revision ${revision}, decide, and edit again from it`,
    { metadata: { reason: 'conflict', revision, pointers } },
  )
}

interface SyntaxProblem {
  message: string
  line: number
  column: number
}

export const invalidText = ({ problem }: { problem: SyntaxProblem }, format: string) =>
  new ApiError(
    'InvalidPayload',
    `\`text\` is not valid ${format} in line ${problem.line}, column ${problem.column}: ${problem.message}`,
    { metadata: { reason: 'syntax', ...problem } },
  )

export const toBotDraft = (draft: OpenDraft) => ({
  text: draft.text,
  format: draft.format,
  revision: draft.revision,
  updatedAt: draft.createdAt.toISOString(),
  updatedBy: toEditor(draft.author),
  hasChanges: draft.hasChanges,
  publishedRevision: draft.publishedRevision,
})

export const toEditor = (author: string | null) =>
  author === null ? null : { name: author }
