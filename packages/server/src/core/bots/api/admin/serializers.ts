// Converts rows to responses of the Admin API: absent instead of null, dates as text, maps always
// present.
import type { Bot, BotSummary } from '@botstead/contract'
import type { ShownBot } from '../../bots.ts'

export const toBotSummary = (
  row: Pick<
    ShownBot,
    'id' | 'name' | 'tags' | 'type' | 'created_at' | 'updated_at' | 'deployed_at'
  >,
): BotSummary => ({
  id: row.id,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  name: row.name,
  ...(row.deployed_at && { deployedAt: row.deployed_at.toISOString() }),
  tags: row.tags,
  type: row.type,
})

const noFailures: RecurringFailures = { failedAttempts: 0, lastFailureReason: null }

interface RecurringFailures {
  failedAttempts: number
  lastFailureReason: string | null
}

interface Around extends Pick<Bot, 'integrations' | 'plugins'> {
  /** By the key of the recurring event. */
  failures: Record<string, RecurringFailures>
}

export const toBot = (
  row: ShownBot,
  { integrations, plugins, failures }: Around,
): Bot => ({
  ...toBotSummary(row),
  ...row.definition,
  recurringEvents: Object.fromEntries(
    Object.entries(row.definition.recurringEvents).map(([key, event]) => [
      key,
      { ...event, ...(failures[key] ?? noFailures) },
    ]),
  ),
  ...(row.description && { description: row.description }),
  dev: row.dev,
  status: row.status as Bot['status'],
  ...(row.created_by !== null && { createdBy: row.created_by }),
  alwaysAlive: row.always_alive,
  maxExecutionTime: row.max_execution_seconds,
  // returned only once, when the bot is created
  signingSecret: '',
  secrets: Object.keys(row.secrets),
  integrations,
  plugins,
})
