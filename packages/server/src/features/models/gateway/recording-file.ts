// Reads the file of a recording. An operator may have edited it, or a copy may have ended early.
import type { ModelCaller, TextResult } from './call.ts'

/** `workspaceId` is missing in recordings of earlier versions, which are only for their bot. */
export type RecordedCaller = Pick<
  ModelCaller,
  'botId' | 'eventId' | 'conversationId' | 'userId'
> &
  Partial<Pick<ModelCaller, 'workspaceId'>>

export interface Recording {
  /** Missing in recordings for all workspaces. */
  caller?: RecordedCaller
  request: object
  response: TextResult
  /** The pieces of a stream. */
  pieces: string[]
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the recording, or the reason why the text is none. */
export function parseRecording(text: string): Recording | string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'it is not JSON'
  }
  const { caller, request, response, pieces } = isObject(value) ? value : {}
  if (caller !== undefined && !isObject(caller)) return '`caller` is not an object'
  if (!isObject(request)) return 'it has no `request`'
  const texts = ['output', 'model', 'provider']
  const missing = texts.find(
    (name) => !isObject(response) || typeof response[name] !== 'string',
  )
  if (missing) return `its \`response\` has no text \`${missing}\``
  if (!Array.isArray(pieces) || pieces.some((piece) => typeof piece !== 'string'))
    return '`pieces` is not a list of texts'
  return value as Recording
}
