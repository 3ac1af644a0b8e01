import { Type as T } from 'typebox'
import { Count, closed, id, Meta, nullable, paging } from '../../fields.ts'
import {
  BotDraft,
  DraftRevision,
  DraftTestResult,
  DraftTextEntry,
} from '../../models/bots/bot-draft.ts'
import { BotVersion } from '../../models/bots/bot-version.ts'
import { operation } from '../../operation.ts'

const path = '/v1/platform/bots/{botId}/draft'
const ofBot = T.Object({ botId: T.String() })

const maxText = 100_000

/** The change of one text. */
const TextChange = closed({
  key: T.String({ minLength: 1, maxLength: 1000 }),
  /** Null for the original. */
  language: nullable(T.String({ minLength: 2, maxLength: 35 })),
  /** Null removes a translation. */
  text: nullable(T.String({ maxLength: maxText })),
  /** The original that the person has read. */
  original: T.String({ maxLength: maxText }),
})

/** A value of another person that this change replaced, at a JSON pointer into the merged document. */
const Overwritten = closed({ pointer: T.String(), theirs: T.Unknown() })

export const drafts = {
  getBotDraft: operation({
    method: 'GET',
    path,
    access: 'workspace',
    permission: 'bots.read',
    summary: 'Get the draft of a bot',
    description:
      'A bot without a draft gets one made of its deployed document, which is stored with the first ' +
      'change. A bot made of code has no draft: null.',
    params: ofBot,
    response: closed({ draft: nullable(BotDraft) }),
    errors: ['ResourceNotFound'],
  }),
  saveBotDraft: operation({
    method: 'PUT',
    path,
    access: 'workspace',
    permission: 'bots.update',
    audit: 'UPDATE_BOT',
    auditMinutes: 10,
    /** Characters of other alphabets, escaped. */
    bodyLimit: 32 * 1_048_576,
    summary: 'Save the draft of a bot',
    description:
      'The server merges the changes from `baseRevision` to `text` into the current draft. A value that ' +
      'another person has changed too becomes that of `text`, and is reported in `overwritten`. ' +
      'Problems of the document do not prevent it, but invalid JSON or YAML does: `InvalidPayload`, ' +
      'with `metadata.line` and `metadata.column`. If the history no longer has the base: ' +
      '`RelationConflict`, with the current `metadata.draft`.',
    params: ofBot,
    body: closed({
      baseRevision: Count,
      text: T.String({ maxLength: 5_000_000 }),
      /** Default: that of the base. */
      format: T.Optional(T.Enum(['JSON', 'YAML'])),
      /**
       * `reject`: `RelationConflict` with the `metadata.pointers` of values that another person
       * changed too.
       */
      onConflict: T.Optional(T.Enum(['overwrite', 'reject'])),
    }),
    response: closed({ draft: BotDraft, overwritten: T.Array(Overwritten) }),
    errors: [
      'ResourceNotFound',
      'RelationConflict',
      'ReferenceConstraint',
      'InvalidPayload',
    ],
  }),
  discardBotDraft: operation({
    method: 'DELETE',
    path,
    access: 'workspace',
    permission: 'bots.update',
    audit: 'UPDATE_BOT',
    summary: 'Discard the changes of a draft',
    description:
      'The draft becomes the deployed document again, as a further revision: the history keeps the ' +
      'discarded one.',
    params: ofBot,
    response: closed({ draft: BotDraft }),
    errors: ['ResourceNotFound', 'ReferenceConstraint'],
  }),
  listDraftTexts: operation({
    method: 'GET',
    path: `${path}/texts`,
    access: 'workspace',
    permission: 'texts.read',
    summary: 'List the texts of a draft',
    description:
      'In the order of the document, then sentences of the engine. `original` is the language of the ' +
      'flows, null for a bot of one language. A bot made of code has no texts.',
    params: ofBot,
    query: T.Object(paging),
    response: closed({
      original: nullable(T.String()),
      languages: T.Array(T.String()),
      texts: T.Array(DraftTextEntry),
      meta: Meta,
    }),
    errors: ['ResourceNotFound', 'InvalidQuery'],
  }),
  saveDraftTexts: operation({
    method: 'PATCH',
    path: `${path}/texts`,
    access: 'workspace',
    permission: 'texts.write',
    audit: 'UPDATE_BOT',
    bodyLimit: 8 * 1_048_576,
    summary: 'Change texts of a draft',
    description:
      'Changes texts by their keys, all or none, and nothing else of the document. A text may contain ' +
      'only expressions that the present original has: `InvalidPayload`. If the bot has no such text, or ' +
      'another original than `original`: `RelationConflict`, with `metadata.key`. A repetition changes ' +
      'nothing.',
    params: ofBot,
    body: closed({ changes: T.Array(TextChange, { minItems: 1, maxItems: 1000 }) }),
    response: closed({ revision: Count }),
    errors: [
      'ResourceNotFound',
      'RelationConflict',
      'ReferenceConstraint',
      'InvalidPayload',
      'LimitExceeded',
    ],
  }),
  listDraftRevisions: operation({
    method: 'GET',
    path: `${path}/revisions`,
    access: 'workspace',
    permission: 'bots.read',
    summary: 'List revisions of a draft, newest first',
    description:
      'The history of the last day, with the current and the published revision. At most 1,000, and ' +
      '50 MB.',
    params: ofBot,
    query: T.Object(paging),
    response: closed({ revisions: T.Array(DraftRevision), meta: Meta }),
    errors: ['ResourceNotFound', 'InvalidQuery'],
  }),
  getDraftRevision: operation({
    method: 'GET',
    path: `${path}/revisions/{revision}`,
    access: 'workspace',
    permission: 'bots.read',
    summary: 'Get a revision of a draft',
    params: T.Object({ botId: T.String(), revision: T.String() }),
    response: closed({ revision: DraftRevision, text: T.String() }),
    errors: ['ResourceNotFound'],
  }),
  publishBotDraft: operation({
    method: 'POST',
    path: `${path}/publish`,
    access: 'workspace',
    permission: 'bots.update',
    audit: 'DEPLOY_BOT',
    summary: 'Publish the draft of a bot',
    description:
      'Deploys the draft and saves it as a version, as `publishFromBotJson` does, with the same errors. ' +
      'If `revision` is no longer the current one: `RelationConflict`, with the current ' +
      '`metadata.draft`. `message` describes the version.',
    params: ofBot,
    body: closed({ revision: Count, message: T.Optional(T.String({ maxLength: 2000 })) }),
    response: closed({ draft: BotDraft, version: BotVersion }),
    errors: [
      'ResourceNotFound',
      'RelationConflict',
      'ReferenceConstraint',
      'ReferenceNotFound',
      'LimitExceeded',
    ],
  }),
  tryBotDraft: operation({
    method: 'POST',
    path: `${path}/try`,
    access: 'workspace',
    permission: 'bots.update',
    audit: 'UPDATE_BOT',
    auditMinutes: 10,
    summary: 'Run the draft in a bot for tests',
    description:
      'The bot for tests belongs to the bot and is deleted with it. It has a chat, the secrets of the bot, ' +
      'and its own data: no other integrations, so that no message reaches a channel. Errors are those ' +
      'of `publishBotDraft`.',
    params: ofBot,
    body: closed({ revision: Count }),
    response: closed({
      /** Of the bot for tests. */
      botId: id('bot'),
      /** Of its chat. */
      webhookId: nullable(T.String()),
      revision: Count,
      /** The error when its code was loaded. */
      loadError: T.Optional(T.String()),
    }),
    errors: [
      'ResourceNotFound',
      'RelationConflict',
      'ReferenceConstraint',
      'LimitExceeded',
    ],
  }),
  testBotDraft: operation({
    method: 'POST',
    path: `${path}/test`,
    access: 'workspace',
    permission: 'bots.update',
    audit: false,
    bodyLimit: 32 * 1_048_576,
    summary: 'Run the tests of a draft',
    description:
      'Runs the `tests` of the document, all or those named, in a process without the token and ' +
      'the data of the bot. Tests the current `revision`, or `text` (JSON by default), which it ' +
      'does not store: exactly one of both. Together at most 60 seconds: `OperationTimeout`. Results ' +
      'name the visited nodes.',
    params: ofBot,
    body: closed({
      revision: T.Optional(Count),
      text: T.Optional(T.String({ maxLength: 5_000_000 })),
      format: T.Optional(T.Enum(['JSON', 'YAML'])),
      /** Names. */
      tests: T.Optional(T.Array(T.String({ maxLength: 200 }), { maxItems: 200 })),
    }),
    response: closed({ passed: Count, results: T.Array(DraftTestResult) }),
    errors: [
      'ResourceNotFound',
      'RelationConflict',
      'ReferenceConstraint',
      'Runtime',
      'OperationTimeout',
    ],
  }),
}
