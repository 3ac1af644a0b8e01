// Publishes drafts, and runs them in bots for tests.
import { ApiError, type BotVersion } from '@botstead/contract'
import { isFlowDocument } from '@botstead/flows'
import { type Bot, botCode } from '../../core/bots/index.ts'
import { compute } from '../../core/compute/index.ts'
import type { Db } from '../../core/db/index.ts'
import { parseJsonInSlices } from '../../core/http/index.ts'
import { type DeployContext, publication } from '../versions/index.ts'
import { findDraft, lockRevision, markPublished } from './drafts.ts'
import { deadlineMs } from './limits.ts'
import { invalidText, type OpenDraft, openCurrent, outdated } from './saving.ts'
import { openTrial } from './trials.ts'

interface Publication {
  revision: number
  message?: string | undefined
}

/** Throws RelationConflict unless the revision is the current one, and InvalidPayload for its problems. */
export async function publishDraft(
  context: DeployContext,
  bot: Bot,
  { revision, message }: Publication,
): Promise<BotVersion> {
  const now = await openCurrent(context.services, bot, revision)
  const { id, name, description } = await publication.publish(
    context,
    bot,
    await readDocument(bot, now),
    {
      name: 'Published draft',
      description: message,
      within: async (trx) => {
        await rejectOutdated(trx, bot.id, revision)
        const code = await botCode.findVersion(trx, bot.id)
        await markPublished(trx, bot.id, { revision, code })
      },
    },
  )
  return { id, name, ...(description !== null && { description }) }
}

/** Locks the draft. */
async function rejectOutdated(trx: Db, botId: string, revision: number): Promise<void> {
  if (await lockRevision(trx, botId, revision)) return
  const now = (await findDraft(trx, botId))!
  throw outdated(
    { ...now, hasChanges: true },
    'The draft has changed: load it again, then publish',
  )
}

interface Trial {
  botId: string
  webhookId: string | null
  loadError: string | null
}

/** Deploys the draft to its bot for tests, which the first use creates. Throws as publishDraft. */
export async function tryDraft(
  context: DeployContext,
  bot: Bot,
  revision: number,
): Promise<Trial> {
  const now = await openCurrent(context.services, bot, revision)
  const document = await readDocument(bot, now)
  const { trial, webhookId } = await openTrial(context, bot)
  await publication.run(context, { bot, trial }, document)
  const deployment = await botCode.findDeployment(context.services.db, trial.id)
  return { botId: trial.id, webhookId, loadError: deployment?.loadError ?? null }
}

async function readDocument(bot: Bot, { text, format }: OpenDraft) {
  const tenant = bot.workspace_id
  const read = await compute.run(tenant, 'readDraft', { text, format }, { deadlineMs })
  if ('problem' in read) throw invalidText(read, format)
  const document = await parseJsonInSlices(Buffer.from(read.json), tenant)
  if (isFlowDocument(document as Parameters<typeof isFlowDocument>[0]))
    return document as Record<string, unknown>
  throw new ApiError(
    'InvalidPayload',
    'The draft has no `flows`: add them, then publish it',
    {
      metadata: {
        problems: [{ pointer: '', message: 'must have the property "flows"' }],
      },
    },
  )
}
