// What a bot may not be told to be.
import { ApiError } from '@botstead/contract'
import { nextTick } from '../lib/cron.ts'
import { parseTargetUrl, UrlRejected } from '../lib/target-url.ts'
import type { BotChange } from './bots.ts'
import type { Definition } from './definition.ts'

const largestConfiguration = 20_000
const longestExecution = 900
const mostRecurringEvents = 50
const largestEvent = 128_000
const longestKey = 200
const mostLayers = 50
const longestLayer = 2_000

type RecurringEvent = Definition['recurringEvents'][string]

/** Throws InvalidPayload or LimitExceeded. */
export function checkChange(change: BotChange): void {
  if (change.url) checkUrl(change.url)
  checkExecutionTime(change.maxExecutionTime)
  if (JSON.stringify(change.configuration?.data ?? {}).length > largestConfiguration)
    throw new ApiError('LimitExceeded', 'A configuration holds 20 kB at most')
  for (const [key, event] of Object.entries(change.recurringEvents ?? {}))
    if (event) checkRecurringEvent(key, event as RecurringEvent)
}

/** What is true of the whole, whatever was changed. Throws LimitExceeded. */
export function checkDefinition({ recurringEvents }: Definition): void {
  if (Object.keys(recurringEvents).length > mostRecurringEvents)
    throw new ApiError('LimitExceeded', `A bot has ${mostRecurringEvents} recurring events at most`)
}

/** The form alone: where it may lead depends on the workspace (invocation/outgoing.ts). Throws InvalidPayload. */
export function checkUrl(url: string) {
  try {
    parseTargetUrl(url)
  } catch (error) {
    throw error instanceof UrlRejected ? new ApiError('InvalidPayload', `url ${error.message}`) : error
  }
}

/** They are kept, and nothing else is done with them. Throws LimitExceeded. */
export function checkLayers(layers: string[]) {
  if (layers.length > mostLayers)
    throw new ApiError('LimitExceeded', `A bot has ${mostLayers} layers at most`)
  if (layers.some((layer) => layer.length > longestLayer))
    throw new ApiError('LimitExceeded', `A layer has ${longestLayer} characters at most`)
}

function checkExecutionTime(seconds: number | undefined) {
  if (seconds !== undefined && !(seconds >= 1 && seconds <= longestExecution)) {
    throw new ApiError('InvalidPayload', `maxExecutionTime must be from 1 to ${longestExecution} seconds`)
  }
}

/** Throws InvalidPayload or LimitExceeded. */
export function checkRecurringEvent(key: string, { schedule, payload }: RecurringEvent) {
  if (key.length > longestKey)
    throw new ApiError('InvalidPayload', `The name of a recurring event has ${longestKey} characters at most`)
  if (Buffer.byteLength(JSON.stringify(payload)) > largestEvent)
    throw new ApiError('LimitExceeded', 'The payload of a recurring event holds 128 kB at most')
  if (!nextTick(schedule.cron, new Date())) {
    throw new ApiError(
      'InvalidPayload',
      `recurringEvents/${key}/schedule/cron is no cron expression of five fields, or one that is never due`,
    )
  }
}
