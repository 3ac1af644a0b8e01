// Creating, changing and deleting bots, with all that depends on the row: its user, integrations,
// processes and cached data.
import { ApiError } from '@botstead/contract'
import {
  type Bot,
  type BotChange,
  type BotServices,
  botRules,
  botStore,
  type NewBot,
} from '../../bots/index.ts'
import {
  changePackages,
  installationStore,
  type PackageChanges,
  registrations,
  rejectPrivatePackages,
  reportBotLoadError,
  withInstalledPlugins,
} from '../../catalog/index.ts'
import { type Db, isDeadlock } from '../../db/index.ts'
import type { DeliveryServices } from '../../delivery/index.ts'
import { type BlobServices, removeLooseBlobs } from '../../files/index.ts'
import type { Caller, Services } from '../../http/index.ts'
import { purgeKeys } from '../../idempotency/index.ts'
import { botUsers, keepRecurringEvents } from '../../messaging/index.ts'
import type { OutgoingServices } from '../../outgoing/index.ts'
import { purgeQueue, type QueueServices } from '../../queue/index.ts'
import type { RealtimeServices } from '../../realtime/index.ts'
import type { Secrets } from '../../sealing/index.ts'
import { quotas } from '../../usage/index.ts'

type Own = BlobServices &
  BotServices &
  DeliveryServices &
  QueueServices &
  RealtimeServices &
  OutgoingServices

/** Creates the bot with its user and its chat in one transaction. */
export async function makeBot(
  services: Services & Own,
  caller: Caller<'workspace'>,
  options: NewBot & { dev?: boolean },
  loadError?: string,
) {
  const { db, secrets } = services
  await checkUrl(services, caller.workspaceId, options)
  const made = await db.transaction().execute(async (trx) => {
    await quotas.reject(trx, services.limits, caller.workspaceId, 'bot_count')
    const { bot, signingSecret } = await botStore.create(
      trx,
      services,
      caller,
      options,
      loadError,
    )
    await botUsers.insert(trx, bot)
    await installationStore.installDefaults(trx, secrets, {
      id: bot.id,
      workspaceId: caller.workspaceId,
    })
    if (options.recurringEvents) await keepRecurringEvents(trx, bot)
    if (isDeployment(options) && !bot.dev)
      await noteDeployed(services, trx, bot, caller.accountId)
    return { id: bot.id, name: bot.name, signingSecret }
  })
  services.dueIn(0)
  await reportBotLoadError(services, made.id, loadError)
  if (runsAnew(options))
    await services.afterCommit((services) => registrations.registerBot(services, made.id))
  return made
}

type FullBotChange = BotChange & Partial<PackageChanges>

interface ChangeOptions {
  afresh?: boolean
  /**
   * Whether `integrations` is keyed by alias, or by the integration's id for clients without
   * `x-multiple-integrations`.
   */
  byAlias?: boolean
  within?: (trx: Db) => Promise<void>
  /** The account that stores the new code as a version. */
  deployedBy?: string
  /** By alias: the addresses for integrations that are installed again. */
  webhookIds?: Record<string, string>
  /** The reason why the new code does not load. */
  loadError?: string | undefined
}

/**
 * Changes the rows, and runs `within`, in one transaction. Then calls the affected integrations
 * within the request, so that the response contains their results. The bot's own `register` comes
 * last; its failure is only logged in the bot's log. With `afresh`, what the change does not
 * mention is removed.
 */
export async function changeBot(
  services: Services & Own,
  workspaceId: string,
  id: string,
  { integrations, plugins, ...change }: FullBotChange,
  {
    afresh = false,
    byAlias = true,
    within,
    deployedBy,
    loadError,
    webhookIds,
  }: ChangeOptions = {},
) {
  const { secrets } = services
  await checkUrl(services, workspaceId, change)
  const todo = await services.inTransaction(async ({ db: trx }) => {
    const bot = await botStore.update(trx, services, workspaceId, id, change, {
      afresh,
      loadError: loadError ?? null,
    })
    const todo = await changePackages(
      { ...services, db: trx },
      { id, workspaceId, dev: bot.dev },
      { ...(integrations && { integrations }), ...(plugins && { plugins }) },
      { afresh, byAlias, ...(webhookIds && { webhookIds }) },
    )
    if (change.recurringEvents || change.blocked !== undefined || plugins || afresh)
      await keepAllRecurring(trx, secrets, bot)
    await within?.(trx)
    if (deployedBy && isDeployment(change) && !bot.dev)
      await noteDeployed(services, trx, bot, deployedBy)
    return todo
  })
  await reportBotLoadError(services, id, loadError)
  // A recurring event may be due soon: makes the process check.
  services.dueIn(0)
  await services.invalidate({ botId: id })
  // Clients with keys that are still valid reconnect and resume.
  if (todo?.rekeyed) services.signals.cutEverywhere(id, null)
  if (afresh || runsAnew(change) || change.secrets || change.blocked !== undefined)
    await services.invoker.recycle(id)
  await services.afterCommit(async (services) => {
    if (todo) {
      await registrations.settle(services, id, todo)
      await services.invalidate({ botId: id })
    }
    if (afresh || runsAnew(change)) await registrations.registerBot(services, id)
  })
}

async function noteDeployed(
  { hooks }: Services & Own,
  trx: Db,
  bot: Bot,
  deployedBy: string,
) {
  for (const note of hooks.botDeployed) await note(trx, bot, deployedBy)
}

async function checkUrl(
  { outgoing }: Services & Own,
  workspaceId: string,
  { url }: BotChange,
): Promise<void> {
  if (url) await outgoing.checkUrl(workspaceId, 'url', url)
}

/** Schedules recurring events: the bot's own, and those of its plugins. */
async function keepAllRecurring(db: Db, secrets: Secrets, bot: Bot): Promise<void> {
  const definition = await withInstalledPlugins(db, secrets, bot)
  botRules.checkDefinition(definition)
  await keepRecurringEvents(db, { ...bot, definition })
}

const isDeployment = ({ code, url }: BotChange) => code !== undefined || url !== undefined

const runsAnew = ({ code, url, configuration }: NewBot) =>
  code !== undefined || url !== undefined || configuration !== undefined

/**
 * Transfers the bot with its conversations, keys and installations. The target workspace must be
 * able to install its private integrations and plugins too: remove those of the old workspace
 * first. Throws ReferenceConstraint with their aliases.
 */
export async function transferBot(
  services: Services & Own,
  from: string,
  id: string,
  to: string,
): Promise<void> {
  await removeTrials(services, from, id)
  await services.db.transaction().execute(async (trx) => {
    await botStore.move(trx, from, id, to)
    const { dev } = await botStore.find(trx, to, id)
    await rejectPrivatePackages(trx, { id, dev }, to)
  })
  await services.invalidate({ botId: id })
}

async function removeTrials(
  services: Services & Own,
  workspaceId: string,
  id: string,
): Promise<void> {
  const found = await Promise.all(
    services.hooks.findTrials.map((find) => find(services.db, id)),
  )
  for (const trial of found.flat())
    await removeBot(services, { id: trial, workspace_id: workspaceId }).catch((error) => {
      // Another request deleted it meanwhile.
      if (!(error instanceof ApiError && error.type === 'ResourceNotFound')) throw error
    })
}

/** Calls the bot's integrations first: afterwards, their configuration is deleted. */
export async function removeBot(
  services: Services & Own,
  { id, workspace_id: workspaceId }: Pick<Bot, 'id' | 'workspace_id'>,
): Promise<void> {
  const { db } = services
  await removeTrials(services, workspaceId, id)
  await registrations.unregisterAll(services, id)
  await deleteRows(services, workspaceId, id)
  await services.invalidate({ botId: id })
  services.signals.cutEverywhere(id, null)
  await services.invoker.recycle(id)
  // The rows are deleted; if the disk fails, the next sweep deletes their files.
  await removeLooseBlobs(db, services.blobs, new Date()).catch((error) =>
    services.log.warn(
      { err: error, botId: id },
      'deleting the files of a deleted bot failed; the next sweep retries',
    ),
  )
}

/**
 * Deletes the rows. Retries after a deadlock with writers of the bot's conversations, which hold
 * their locks briefly.
 */
async function deleteRows(
  { db }: Services,
  workspaceId: string,
  id: string,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      const deleted = await db.transaction().execute(async (trx) => {
        await purgeQueue(trx, id)
        await purgeKeys(trx, id)
        return botStore.delete(trx, workspaceId, id)
      })
      if (deleted) return
      throw botStore.notFound(id)
    } catch (error) {
      if (!isDeadlock(error)) throw error
      if (tries === 5)
        throw new ApiError(
          'Unavailable',
          'The bot has too many concurrent writes to be deleted: retry later',
          { cause: error },
        )
    }
  }
}
