// Documents for tests of the check.

import { checkDocument, isFlowDocument } from '../src/check/check.ts'
import { compileDocument } from '../src/document/compile.ts'
import { DocumentError } from '../src/document/problems.ts'

export type Json = Record<string, unknown>

export const validDocument = (): Json => ({
  kind: 'bot',
  version: 2,
  variables: {
    conversation: { name: { type: 'string', default: 'x' } },
    configuration: { key: { type: 'string', secret: true } },
  },
  flows: {
    main: {
      variables: { n: { type: 'number' } },
      nodes: {
        start: {
          type: 'start',
          cards: [{ type: 'send', message: 'Hi {{ conversation.name }}' }],
          next: 'end',
        },
        end: { type: 'end' },
      },
    },
    order: {
      inputs: { what: { type: 'string' } },
      outputs: { sum: { type: 'number' } },
      nodes: {
        in: { type: 'entry' },
        out: { type: 'exit' },
        ticked: { type: 'trigger' },
      },
    },
  },
  hooks: [{ kind: 'beforeIncoming', code: 'event.payload.text = ""' }],
  actions: {
    double: {
      input: { schema: {} },
      output: { schema: {} },
      code: 'return { n: input.n * 2 }',
    },
    declared: { input: { schema: {} }, output: { schema: {} } },
  },
  triggers: {
    daily: { type: 'schedule', cron: '0 9 * * *', flow: 'order', node: 'ticked' },
  },
  knowledgeBases: { faq: {} },
  tables: { Orders: { schema: {} } },
})

/** Returns the valid document with another value at a pointer. Undefined removes the value. */
export function withAt(pointer: string, value: unknown): Json {
  const document = validDocument()
  const path = pointer.split('/').slice(1)
  const last = path.pop()!
  let inside = document
  for (const name of path) {
    inside[name] ??= {}
    inside = inside[name] as Json
  }
  if (value === undefined) delete inside[last]
  else inside[last] = value
  return document
}

export function findProblems(document: unknown) {
  try {
    const checked = checkDocument(document)
    if (isFlowDocument(checked)) compileDocument(checked)
    return []
  } catch (error) {
    if (error instanceof DocumentError)
      return error.problems.map(({ pointer, message }) => `${pointer} ${message}`)
    throw error
  }
}

export const cards = '/flows/main/nodes/start/cards'
export const card = `${cards}/0`
export const withCard = (given: Json) => withAt(cards, [given])
export const ask = { type: 'capture', kind: 'text', into: 'workflow.n' }
