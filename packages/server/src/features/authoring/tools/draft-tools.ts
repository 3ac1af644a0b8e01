// Reading, checking, editing and publishing drafts.
import { ApiError, type DraftTestResult, platform } from '@botstead/contract'
import { toJsonInSlices } from '@botstead/lib'
import { compute } from '../../../core/compute/index.ts'
import { parseJsonInSlices } from '../../../core/http/index.ts'
import type { DraftState, DraftText } from '../draft-source.ts'
import { type AuthoringTool, bot, type Json, type ToolContext } from './tool.ts'

const { documents, drafts } = platform

const pointer = {
  type: 'string',
  maxLength: 2_000,
  pattern: '^(/.*)?$',
  description: 'JSON Pointer, such as /flows/main/nodes/start',
}

/** Of a part of a document: longer ones are read in parts. */
const maxPart = 60_000

export const readDraft: AuthoringTool = {
  name: 'read_draft',
  title: 'Read the draft of a bot',
  description:
    'Returns the document that people and programs edit before it is published, with its ' +
    'revision: all of it, one flow, or the value at a pointer. For a part that is too long, ' +
    'returns the keys instead',
  properties: {
    bot,
    flow: { type: 'string', maxLength: 64, description: 'Only this flow' },
    pointer: { ...pointer, description: 'Only the value at this JSON Pointer' },
  },
  required: ['bot'],
  permissions: ['bots.read'],
  isReading: true,
  async perform(context, input: { bot: string; flow?: string; pointer?: string }) {
    if (input.flow !== undefined && input.pointer !== undefined)
      throw new ApiError('InvalidPayload', 'Specify at most one of `flow` and `pointer`')
    const at =
      input.flow === undefined ? (input.pointer ?? '') : `/flows/${escaped(input.flow)}`
    const draft = await context.drafts.read(input.bot)
    return { ...toState(draft), pointer: at, ...(await readPart(context, draft, at)) }
  },
}

const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')

const toState = ({ revision, hasChanges, publishedRevision, format }: DraftState) => ({
  revision,
  hasChanges,
  publishedRevision,
  format,
})

async function readPart(
  { workspaceId }: ToolContext,
  draft: DraftText,
  at: string,
): Promise<Json> {
  const found = await compute.run(workspaceId, 'readPart', {
    draft: { text: draft.text, format: draft.format },
    pointer: at,
    max: maxPart,
  })
  if ('problem' in found) throw invalidDraft(found.problem)
  if ('keys' in found)
    return {
      isTooLong: true,
      characters: found.length,
      keys: found.keys,
      hint: 'Read parts by pointer',
    }
  if (found.json === null)
    throw new ApiError(
      'ResourceNotFound',
      `The draft has nothing at "${at.slice(0, 200)}"`,
    )
  return { value: JSON.parse(found.json) }
}

const invalidDraft = ({
  message,
  line,
  column,
}: {
  message: string
  line: number
  column: number
}) =>
  new ApiError(
    'InvalidPayload',
    `The text is invalid in line ${line}, column ${column}: ${message}. Correct it in the file`,
  )

export const checkDocument: AuthoringTool = {
  name: 'check_document',
  title: 'Check a document',
  description:
    'Finds problems, which prevent its publication, and warnings, which are likely mistakes: of ' +
    'the draft of `bot`, or of `document`. Stores nothing',
  properties: {
    bot: { ...bot, description: 'Id of the bot with the draft' },
    document: { type: 'object', description: 'A whole document instead of a draft' },
  },
  permissions: ['bots.update'],
  isReading: true,
  async perform(context, input: { bot?: string; document?: Json }) {
    if ((input.bot === undefined) === (input.document === undefined))
      throw new ApiError('InvalidPayload', 'Specify exactly one of `bot` and `document`')
    if (input.document) return inspect(context, input.document)
    const draft = await context.drafts.read(input.bot!)
    return { revision: draft.revision, ...(await checkText(context, draft)) }
  },
}

const inspect = async ({ call }: ToolContext, document: Json) => ({
  ...(await call(documents.checkBotDocument, { body: { document } })),
})

/** Returns the problems and warnings of a text. */
export async function checkText(
  context: ToolContext,
  { text, format }: DraftText,
): Promise<Json> {
  const { workspaceId } = context
  const read = await compute.run(workspaceId, 'readDraft', { text, format })
  if ('problem' in read) throw invalidDraft(read.problem)
  const document = await parseJsonInSlices(Buffer.from(read.json), workspaceId)
  return inspect(context, document as Json)
}

type Edit =
  | { op: 'set' | 'insert'; pointer: string; value: unknown }
  | { op: 'remove'; pointer: string }
  | { op: 'move'; from: string; pointer: string }

const maxEdits = 200
/** Characters of JSON. */
const maxEditsLength = 5_000_000

export const editDraft: AuthoringTool = {
  name: 'edit_draft',
  title: 'Edit the draft of a bot',
  description:
    'Applies operations to the revision that you read, in order, all or none, and merges them ' +
    'into the present draft, which other people may have changed. `set` adds or replaces a value, ' +
    '`insert` puts one into a list before the index, `remove` deletes, `move` moves or renames. ' +
    'Returns the new revision with its problems and warnings. A conflict is the error ' +
    'RelationConflict, which changes nothing: read the named values, then edit again',
  properties: {
    bot,
    revision: { type: 'integer', minimum: 0, description: 'Revision that you read' },
    operations: {
      type: 'array',
      minItems: 1,
      maxItems: maxEdits,
      items: {
        type: 'object',
        properties: {
          op: { enum: ['set', 'insert', 'remove', 'move'] },
          pointer,
          from: { ...pointer, description: 'For `move`: where the value is now' },
          value: { description: 'For `set` and `insert`: any JSON' },
        },
        required: ['op', 'pointer'],
        additionalProperties: false,
      },
    },
  },
  required: ['bot', 'revision', 'operations'],
  permissions: ['bots.read', 'bots.update'],
  isReading: false,
  async perform(context, input: { bot: string; revision: number; operations: Json[] }) {
    const edits = input.operations.map(toEdit)
    const base = await context.drafts
      .readRevision(input.bot, input.revision)
      .catch(toOutdated)
    const text = await applyEdits(context, base, edits)
    const saved = await context.drafts
      .save(input.bot, { ...base, text, baseRevision: input.revision })
      .catch(toOutdated)
    return { ...toState(saved), ...(await checkText(context, saved)) }
  },
}

const partsByOperation = {
  set: 'value',
  insert: 'value',
  remove: null,
  move: 'from',
} as const

function toEdit({ op, pointer: at, from, value }: Json, index: number): Edit {
  const needs = partsByOperation[op as Edit['op']]
  const given = { from, value }
  for (const name of ['from', 'value'] as const)
    if ((given[name] !== undefined) !== (needs === name))
      throw new ApiError(
        'InvalidPayload',
        `\`operations/${index}\`: \`${op}\` ${needs === name ? 'needs' : 'has no'} \`${name}\``,
      )
  return { op, pointer: at, ...(needs && { [needs]: given[needs] }) } as Edit
}

async function applyEdits(
  { workspaceId }: ToolContext,
  { text, format }: DraftText,
  edits: Edit[],
): Promise<string> {
  // Copying a large value to the thread would take longer than its text.
  const json = await toJsonInSlices(
    { edits },
    { tenant: workspaceId, max: maxEditsLength },
  )
  if (json === null)
    throw new ApiError(
      'PayloadTooLarge',
      'The operations are too long: send fewer at once',
    )
  const edited = await compute.run(workspaceId, 'editDraft', {
    draft: { text, format },
    json,
  })
  if ('problem' in edited) throw invalidDraft(edited.problem)
  if ('text' in edited) return edited.text
  const { index, message } = edited.fault
  throw new ApiError(
    'InvalidPayload',
    `\`operations/${index}\`: ${message}. Read the draft, and correct it`,
    { metadata: { index } },
  )
}

/** The whole draft in an error would fill the memory of a model. */
function toOutdated(error: unknown): never {
  if (!(error instanceof ApiError)) throw error
  const isGone =
    error.type === 'ResourceNotFound' && error.message.includes('no revision')
  if (!isGone && error.metadata?.reason !== 'outdated') throw error
  throw new ApiError(
    'RelationConflict',
    'The history no longer has this revision: read the draft, and edit its present revision',
    { metadata: { reason: 'outdated' } },
  )
}

export const runTests: AuthoringTool = {
  name: 'run_tests',
  title: 'Run the tests of a draft',
  description:
    'Runs `tests` of the draft, all or those named. Returns how many passed, and for each failure ' +
    'the step, the difference and the trace of the last turn. Write tests with edit_draft at ' +
    '/tests/<name>',
  properties: {
    bot,
    tests: { type: 'array', maxItems: 200, items: { type: 'string', maxLength: 200 } },
  },
  required: ['bot'],
  permissions: ['bots.read', 'bots.update'],
  isReading: true,
  async perform(
    { call, drafts: source },
    { bot: botId, tests }: { bot: string; tests?: string[] },
  ) {
    const { revision, text, format } = await source.read(botId)
    const body = { text, format, ...(tests && { tests }) }
    const { passed, results } = await call(drafts.testBotDraft, {
      params: { botId },
      body,
    })
    return { revision, passed, results: results.map(withoutNodes) }
  },
}

/** Thousands of names would fill the memory of a model. */
const withoutNodes = ({ visited: _, unlisted: __, ...result }: DraftTestResult) => result

export const publishDraft: AuthoringTool = {
  name: 'publish_draft',
  title: 'Publish the draft of a bot',
  description:
    'Deploys the draft: people who talk to the bot see it at once. Only when the person asked for ' +
    'it. `revision` is the one that you checked and tested; a later change is the error ' +
    'RelationConflict',
  properties: {
    bot,
    revision: { type: 'integer', minimum: 0 },
    message: { type: 'string', maxLength: 2_000, description: 'Describes the version' },
  },
  required: ['bot', 'revision'],
  permissions: ['bots.update'],
  isReading: false,
  async perform(
    { call },
    { bot: botId, ...body }: { bot: string; revision: number; message?: string },
  ) {
    const { draft, version } = await call(drafts.publishBotDraft, {
      params: { botId },
      body,
    })
    return { revision: draft.revision, version }
  },
}
