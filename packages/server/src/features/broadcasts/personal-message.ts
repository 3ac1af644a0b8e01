// The message of a broadcast for one person. Its texts are the plain part of the templates of flows
// (packages/flows/src/code/plain-template.ts): the server runs no code of authors.
import { ApiError, type BroadcastMessage, type SkipReason } from '@botstead/contract'
import {
  fillPlainTemplate,
  listPaths,
  type PlainTemplate,
  PlainTemplateError,
  readPlainTemplate,
} from '@botstead/flows'

/** Characters of a payload as JSON, before and after it is filled. */
const maxTemplateLength = 32_000
const maxFilledLength = 32_000

export interface ReadMessage {
  type: string
  template: PlainTemplate
  /** Columns of the table. */
  variables: string[]
}

/** Throws InvalidPayload. */
export function readMessage({ type, payload }: BroadcastMessage): ReadMessage {
  if (JSON.stringify(payload).length > maxTemplateLength)
    throw new ApiError(
      'InvalidPayload',
      `\`message.payload\` must have at most ${maxTemplateLength} characters`,
    )
  try {
    const template = readPlainTemplate(payload)
    const ofRow = listPaths(template).filter(([root]) => root === 'row')
    const variables = [...new Set(ofRow.flatMap(([, name]) => name ?? []))]
    return { type, template, variables }
  } catch (error) {
    if (!(error instanceof PlainTemplateError)) throw error
    throw new ApiError(
      'InvalidPayload',
      `\`message.payload.${error.path}\`: ${error.message}`,
    )
  }
}

interface PersonScope {
  user: {
    id: string
    name: string | null
    pictureUrl: string | null
    tags: Record<string, string>
  }
  conversation: { id: string; tags: Record<string, string> }
  row: Record<string, unknown>
}

export type PersonalMessage =
  | { payload: Record<string, unknown> }
  | { skip: SkipReason; detail: string | null }

export function writeMessage(
  { template }: ReadMessage,
  scope: PersonScope,
): PersonalMessage {
  const filled = fillPlainTemplate(template, { ...scope }, maxFilledLength)
  if (filled === null)
    return { skip: 'too_long', detail: `more than ${maxFilledLength} characters` }
  if ('missing' in filled) return { skip: 'missing_variable', detail: filled.missing }
  return { payload: filled.value as Record<string, unknown> }
}
