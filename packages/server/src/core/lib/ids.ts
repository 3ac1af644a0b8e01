// Ids: a prefix that names the type, and a ULID, so that ids sort by creation time.
import { ulid, ulidTime } from '@botstead/lib'

const prefixes = {
  account: 'accnt',
  actionRun: 'run',
  archive: 'archive',
  bot: 'bot',
  botVersion: 'botver',
  broadcast: 'broadcast',
  cannedReply: 'reply',
  conversation: 'conv',
  curatedAnswer: 'answer',
  delivery: 'dlv',
  erasure: 'erasure',
  event: 'evt',
  eventTrace: 'evtrace',
  feedback: 'feedback',
  handoff: 'handoff',
  file: 'file',
  integration: 'intver',
  invitation: 'invite',
  invocation: 'inv',
  issue: 'iss',
  issueEvent: 'issevt',
  key: 'bak',
  knowledgeBase: 'kb',
  knowledgeCheck: 'kcheck',
  knowledgeSource: 'ksource',
  integrationKey: 'iak',
  interface: 'ifver',
  message: 'msg',
  modelBudget: 'budget',
  modelCall: 'mcall',
  move: 'move',
  note: 'note',
  observation: 'obs',
  patoken: 'pat',
  plugin: 'plugver',
  session: 'session',
  state: 'state',
  table: 'table',
  tableJob: 'tabjob',
  user: 'user',
  webhookRequest: 'whreq',
  worker: 'worker',
  workflow: 'wrkflow',
} as const
type IdKind = keyof typeof prefixes

/**
 * Creates an id such as `msg_01J…` of 28 to 36 characters, as the external contract requires. `at`
 * is in milliseconds since 1970.
 */
export const newId = (kind: IdKind, at?: number) => `${prefixes[kind]}_${ulid(at)}`

/**
 * Returns a bound that sorts after all ids of the kind created before `at`, and not after those
 * created at it.
 */
export const earliestId = (kind: IdKind, at: number) =>
  `${prefixes[kind]}_${ulidTime(at)}`
