// New cards: as complete as possible, with the variable for their result.
import { type Edit, toPointer } from '../draft/edits.ts'
import { cards } from '../forms/bot-schema.ts'
import { type Schema, toInitial } from '../forms/schema-fields.ts'
import {
  type Card,
  findFlow,
  freeName,
  isObject,
  type Json,
  listFlows,
  listNodes,
  toObject,
} from './bot-document.ts'

/** Values of new cards that are better than the smallest valid ones. */
const beginnings: Record<string, Json> = {
  send: { message: 'Hello!' },
  capture: { kind: 'text', question: '' },
  transition: { when: 'true' },
  code: { code: '' },
  aiTask: { instructions: 'Summarize the message.', output: { type: 'string' } },
  aiTransition: { transitions: [] },
  aiText: { instructions: 'Answer the message.' },
  log: { message: 'Reached' },
  inactivityTimeout: { seconds: 1800 },
  tag: { of: 'conversation', tags: {} },
  waitForEvent: { event: 'event' },
}

/** Values of new questions, by the kind of answer. */
const beginningsByAnswer: Record<string, Json> = {
  singleChoice: { options: [{ label: '', value: '' }] },
  multipleChoice: { options: [{ label: '', value: '' }] },
}

/** Names of the variables for answers. */
const answerNames: Record<string, string> = {
  number: 'number',
  confirmation: 'confirmed',
  email: 'email',
  phone: 'phone',
  url: 'address',
  date: 'date',
  singleChoice: 'choice',
  multipleChoice: 'choices',
  file: 'file',
}

/** Types of the variables for the results of cards and captures. */
const resultTypes: Record<string, string> = {
  number: 'number',
  boolean: 'boolean',
  confirmation: 'boolean',
  date: 'date',
  multipleChoice: 'array',
}

interface NewCard {
  card: Card
  /** Declare the variable that the card needs. */
  edits: Edit[]
}

/** Returns a new card, with the variable that it needs. `asks` is the kind of answer of a question. */
export function makeCard(
  document: Json,
  flow: string,
  type: string,
  asks?: string,
): NewCard {
  const schema: Schema = cards[type] ?? { properties: {} }
  const { required = [], properties = {} } = schema
  const own: Json = {
    ...beginnings[type],
    ...(asks !== undefined && { kind: asks, ...beginningsByAnswer[asks] }),
  }
  const fields = Object.fromEntries(
    required.map((name) => [name, own[name] ?? toInitial(properties[name] ?? {})]),
  )
  const card: Card = {
    type,
    ...own,
    ...fields,
    ...firstNames(document, flow, type, required),
  }
  const field = ['into', 'variable'].find((name) => required.includes(name))
  if (field === undefined) return { card, edits: [] }
  const variables = findFlow(document, flow).variables
  const wanted = type === 'capture' ? (answerNames[asks ?? ''] ?? 'answer') : 'result'
  const name = freeName(wanted, Object.keys(toObject(variables)))
  const declared = {
    type: type === 'capture' ? (resultTypes[String(card.kind)] ?? 'string') : 'any',
  }
  const pointer = `${toPointer('flows', flow)}/variables`
  const edit: Edit = isObject(variables)
    ? { op: 'insert', pointer: pointer + toPointer(name), value: declared }
    : { op: 'insert', pointer, value: { [name]: declared } }
  return { card: { ...card, [field]: `workflow.${name}` }, edits: [edit] }
}

/** References of a new card name the first object that there is. */
function firstNames(
  document: Json,
  flow: string,
  type: string,
  required: string[],
): Json {
  const names: Json = {}
  if (required.includes('flow'))
    names.flow = listFlows(document).find((each) => each !== flow) ?? flow
  if (required.includes('table'))
    names.table = Object.keys(toObject(document.tables))[0] ?? 'Table'
  if (required.includes('to') && type !== 'aiTransition')
    names.to = listNodes(document, flow)[0]?.[0] ?? ''
  if (required.includes('action'))
    names.action = Object.keys(toObject(document.actions))[0] ?? 'action'
  return names
}
