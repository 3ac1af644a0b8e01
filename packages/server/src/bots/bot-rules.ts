// What a bot may not be told to be.
import { ApiError } from '@botstead/contract'
import { Cron } from 'croner'
import type { BotChange } from './bots.ts'

const largestConfiguration = 20_000
const longestExecution = 900

/** Throws InvalidPayload or LimitExceeded. */
export function checkChange(change: BotChange): void {
  if (change.url) checkUrl(change.url)
  checkExecutionTime(change.maxExecutionTime)
  if (JSON.stringify(change.configuration?.data ?? {}).length > largestConfiguration) throw new ApiError('LimitExceeded', 'A configuration holds 20 kB at most')
  for (const [name, event] of Object.entries(change.recurringEvents ?? {})) if (event) checkSchedule(name, event as { schedule: { cron: string } })
}

function checkUrl(url: string) {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) throw new ApiError('InvalidPayload', 'url must be an http or https URL')
}

function checkExecutionTime(seconds: number | undefined) {
  if (seconds !== undefined && !(seconds >= 1 && seconds <= longestExecution)) {
    throw new ApiError('InvalidPayload', `maxExecutionTime must be from 1 to ${longestExecution} seconds`)
  }
}

function checkSchedule(name: string, { schedule }: { schedule: { cron: string } }) {
  try {
    new Cron(schedule.cron, { paused: true })
  } catch {
    throw new ApiError('InvalidPayload', `recurringEvents/${name}/schedule/cron is not a cron expression`)
  }
}
