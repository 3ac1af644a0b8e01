// The fields of a bot that requests contain, and their validation.
import { ApiError, type BotType } from '@botstead/contract'
import { parseTargetUrl, UrlRejected } from '@botstead/lib'
import { nextTick } from '../lib/index.ts'
import type { BotDefinition, BotDefinitionChange } from './definition.ts'

/** Fields of createBot and updateBot. Absent fields stay; in maps, null removes. */
export interface NewBot extends BotDefinitionChange {
  name?: string
  description?: string
  /** Null, which requests cannot contain, deletes the code. */
  code?: string | null
  /** Empty or null: the server hosts the bot. */
  url?: string | null
  secrets?: Record<string, string | null>
  tags?: Record<string, string>
  maxExecutionTime?: number
  type?: BotType
}

/** Fields of updateBot only. */
export interface BotChange extends NewBot {
  authentication?: string
  blocked?: boolean
  alwaysAlive?: boolean
  layers?: string[]
}

const maxConfigurationLength = 20_000
const maxExecutionSeconds = 900
const maxRecurringEvents = 50
const maxEventBytes = 128_000
const maxKeyLength = 200
const maxLayers = 50
const maxLayerLength = 2_000

type RecurringEvent = BotDefinition['recurringEvents'][string]

/** Throws InvalidPayload or LimitExceeded. */
export function checkBotChange(change: BotChange): void {
  if (change.url) checkBotUrl(change.url)
  checkExecutionTime(change.maxExecutionTime)
  if (JSON.stringify(change.configuration?.data ?? {}).length > maxConfigurationLength)
    throw new ApiError('LimitExceeded', 'A configuration must not exceed 20 kB')
  for (const [key, event] of Object.entries(change.recurringEvents ?? {}))
    if (event) checkRecurringEvent(key, event as RecurringEvent)
}

/** Checks the merged definition. Throws LimitExceeded. */
export function checkBotDefinition({ recurringEvents }: BotDefinition): void {
  if (Object.keys(recurringEvents).length > maxRecurringEvents)
    throw new ApiError(
      'LimitExceeded',
      `A bot can have at most ${maxRecurringEvents} recurring events`,
    )
}

/**
 * Checks only the form: allowed targets depend on the workspace (invocation/outgoing.ts). Throws
 * InvalidPayload.
 */
function checkBotUrl(url: string) {
  try {
    parseTargetUrl(url)
  } catch (error) {
    throw error instanceof UrlRejected
      ? new ApiError('InvalidPayload', `url ${error.message}`)
      : error
  }
}

/** Layers are stored, but have no effect. Throws LimitExceeded. */
export function checkLayers(layers: string[]) {
  if (layers.length > maxLayers)
    throw new ApiError('LimitExceeded', `A bot can have at most ${maxLayers} layers`)
  if (layers.some((layer) => layer.length > maxLayerLength))
    throw new ApiError(
      'LimitExceeded',
      `A layer must have at most ${maxLayerLength} characters`,
    )
}

function checkExecutionTime(seconds: number | undefined) {
  if (seconds !== undefined && !(seconds >= 1 && seconds <= maxExecutionSeconds)) {
    throw new ApiError(
      'InvalidPayload',
      `\`maxExecutionTime\` must be from 1 to ${maxExecutionSeconds} seconds`,
    )
  }
}

/** Throws InvalidPayload or LimitExceeded. */
function checkRecurringEvent(key: string, { schedule, payload }: RecurringEvent) {
  if (key.length > maxKeyLength)
    throw new ApiError(
      'InvalidPayload',
      `The name of a recurring event must have at most ${maxKeyLength} characters`,
    )
  if (Buffer.byteLength(JSON.stringify(payload)) > maxEventBytes)
    throw new ApiError(
      'LimitExceeded',
      'The payload of a recurring event must not exceed 128 kB',
    )
  if (!nextTick(schedule.cron, new Date())) {
    throw new ApiError(
      'InvalidPayload',
      `\`recurringEvents/${key}/schedule/cron\` must be a cron expression of five fields that is due ` +
        'at some time',
    )
  }
}

/** Rules for definitions of bots. */
export const botRules = {
  checkDefinition: checkBotDefinition,
  checkUrl: checkBotUrl,
  checkRecurringEvent,
}
