// Validates the fields of an integration.
import { ApiError } from '@botstead/contract'
import { botRules } from '../../bots/index.ts'
import { schemas } from '../../compute/index.ts'
import { type LimitName, type Limits, limitRules } from '../../config/index.ts'
import { type IntegrationDefinition, integrationSchemas } from './definition.ts'

const maxUrlLength = 2000
const maxExecutionSeconds = 900
/**
 * Allows more than the original's letters and digits. Excludes the separators of aliases and
 * plugins: `:`, `#`, `/`.
 */
const nameShape = /^[a-z][A-Za-z0-9_-]{1,99}$/

/** Validates the merged definition. Throws InvalidIdentifier, InvalidJsonSchema, LimitExceeded. */
export async function checkIntegrationDefinition(
  limits: Limits,
  workspaceId: string,
  definition: IntegrationDefinition,
): Promise<void> {
  rejectBadNames(definition)
  rejectLarge(limits, definition)
  await schemas.rejectInvalid(workspaceId, integrationSchemas(definition))
}

/** Throws InvalidPayload. */
export function checkIntegrationUrl(url: string | null | undefined): void {
  if (!url) return
  if (url.length > maxUrlLength)
    throw new ApiError(
      'InvalidPayload',
      `\`url\` must not be longer than ${maxUrlLength} characters`,
    )
  botRules.checkUrl(url)
}

/** `seconds`. Throws InvalidPayload. */
export function checkExecutionTime(seconds: number | undefined): void {
  if (seconds !== undefined && !(seconds >= 1 && seconds <= maxExecutionSeconds))
    throw new ApiError(
      'InvalidPayload',
      `\`maxExecutionTime\` must be from 1 to ${maxExecutionSeconds} seconds`,
    )
}

function rejectBadNames({
  channels,
  states,
  events,
  actions,
  entities,
  user,
  configurations,
}: IntegrationDefinition) {
  const tagged = Object.values(channels).flatMap(
    ({ messages, message, conversation }) => [messages, message.tags, conversation.tags],
  )
  for (const names of [
    channels,
    states,
    events,
    actions,
    entities,
    user.tags,
    configurations,
    ...tagged,
  ]) {
    const wrong = Object.keys(names).find((name) => !nameShape.test(name))
    if (wrong !== undefined)
      throw new ApiError(
        'InvalidIdentifier',
        `"${wrong.slice(0, 100)}" must have 2 to 100 letters and digits and begin with a lower-case letter`,
      )
  }
}

function rejectLarge(
  limits: Limits,
  { channels, states, events, user }: IntegrationDefinition,
) {
  const counted: [LimitName, string, object][] = [
    ['statesPerIntegration', 'states', states],
    ['eventsPerIntegration', 'events', events],
    ['channelsPerIntegration', 'channels', channels],
    ['tagDefinitions', 'user tags', user.tags],
    ...Object.entries(channels).flatMap(
      ([name, { messages, message, conversation }]): [LimitName, string, object][] => [
        ['messageTypesPerChannel', `message types of the channel ${name}`, messages],
        ['tagDefinitions', `message tags of the channel ${name}`, message.tags],
        ['tagDefinitions', `conversation tags of the channel ${name}`, conversation.tags],
      ],
    ),
  ]
  for (const [limit, what, declared] of counted)
    limitRules.rejectTooMany(limits, limit, what, declared)
}
