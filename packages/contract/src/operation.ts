// Defines an operation of an API. Its route, validator, types, OpenAPI document and client derive
// from it.
import type { Static, TSchema } from 'typebox'
import type { ErrorType } from './errors.ts'
import type { AuditAction } from './models/accounts/audit-record.ts'
import type { Permission } from './permissions.ts'

/**
 * The credentials that an operation requires. `core/http/callers/authenticate.ts` checks them and answers
 * 401, 403 or 404.
 * - public: none
 * - token: a valid token of any kind
 * - account: a personal access token
 * - workspace: a personal access token of a workspace member. The path (`…/workspaces/{id}…`) or
 *   `x-workspace-id` names the workspace. A bot that path, query or body name must not be hidden from
 *   the member.
 * - bot: a token that may act in the bot of the path (`…/bots/{id}…`, `{botId}`) or of `x-bot-id`, as
 *   the bot or as one of its integrations
 * - chat: a chat URL
 * - chatUser: a chat URL and a user key for it (`x-user-key`)
 */
export type Access =
  | 'public'
  | 'token'
  | 'account'
  | 'workspace'
  | 'bot'
  | 'chat'
  | 'chatUser'

export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** As in OpenAPI: `/v1/admin/bots/{id}`. Chat paths are relative to the chat URL. */
  path: string
  access: Access
  /** An imperative phrase of at most eight words, for the OpenAPI documents. */
  summary: string
  /** Further facts for the OpenAPI documents: side effects, order, expiry. */
  description?: string
  /**
   * With `workspace` access: a member of exactly one workspace may omit `x-workspace-id`.
   * For operations that have no such header in the external contract.
   */
  workspaceOptional?: true
  /**
   * The permission that the role of a personal access token's owner must include
   * (`permissions.ts`). Required for `workspace` access. For `bot` access, overrides the default of
   * `permissionFor`.
   */
  permission?: Permission | undefined
  /**
   * The action name in the audit log. Every operation with a personal access token, except GET,
   * adds an audit entry, with the action UNKNOWN by default. False for an operation that changes
   * nothing.
   */
  audit?: AuditAction | false
  /**
   * For changes that a page makes with each pause of typing: within so many minutes, further ones of a person
   * to the same object, in the same session and from the same address, add no audit entry.
   */
  auditMinutes?: number
  /** Success status; 200 unless the external contract has another one. */
  status?: 201
  params?: TSchema
  query?: TSchema
  headers?: TSchema
  body?: TSchema
  /** Maximum size of the body in bytes, if it is not the family's. */
  bodyLimit?: number
  response: TSchema
  /** Errors beyond those that `to-openapi.ts` derives from the access and the input. */
  errors?: readonly ErrorType[]
  /** The response is a stream, which the handler writes. An `Idempotency-Key` has no effect. */
  stream?: true
  /** The media type of a stream; `text/event-stream` by default. */
  mediaType?: 'application/x-ndjson' | 'application/json' | 'application/gzip'
  /** With `bot` access: a bot's key may omit `x-bot-id`. */
  botOptional?: true
  /** Sets the tag `experimental` in the OpenAPI document instead of `documented`. */
  experimental?: true
}

type Definition = Operation &
  (
    | { access: 'workspace'; permission: Permission }
    | { access: Exclude<Access, 'workspace'> }
  )
export const operation = <const O extends Definition>(definition: O): O => definition

/** Finds the parameters of a path with the segment before each: `bots` and `id` of `/v1/bots/{id}`. */
const listParameters = ({ path }: Pick<Operation, 'path'>) =>
  [...path.matchAll(/([^/{}]*)\/\{(\w+)\}/g)].map(([, before, name]) => ({
    before,
    name: name!,
  }))

/** Checks whether a field names one bot or several by its own name: `botId`, `installedByBotId`. */
const namesBots = (field: string) => /^bots?$|bot_?ids?$/i.test(field)

/**
 * Returns the parameters of the path that name a bot: the one after `bots`, whatever its name, and
 * those called like `{botId}`. The server checks the caller's access to these bots.
 */
export const listBotParameters = (operation: Pick<Operation, 'path'>): string[] =>
  listParameters(operation)
    .filter(({ before, name }) => before === 'bots' || namesBots(name))
    .map(({ name }) => name)

/** Returns the fields of a query or body that name a bot or a list of bots. */
export const listBotFields = (schema: TSchema | undefined): string[] => {
  const { properties = {}, anyOf = [] } = (schema ?? {}) as {
    properties?: object
    anyOf?: TSchema[]
  }
  return [...Object.keys(properties).filter(namesBots), ...anyOf.flatMap(listBotFields)]
}

/** Checks whether path, query or body name a bot. */
export const mentionsBot = (operation: Pick<Operation, 'path' | 'query' | 'body'>) =>
  [
    listBotParameters(operation),
    listBotFields(operation.query),
    listBotFields(operation.body),
  ].some((names) => names.length > 0)

/** Returns the parameter of the path that names the workspace: the one after `workspaces`. */
export const findWorkspaceParameter = (
  operation: Pick<Operation, 'path'>,
): string | undefined =>
  listParameters(operation).find(
    ({ before, name }) => before === 'workspaces' || name === 'workspaceId',
  )?.name

/** Checks whether the path names the workspace, so that `x-workspace-id` is not required. */
export const namesWorkspace = (operation: Pick<Operation, 'path'>) =>
  findWorkspaceParameter(operation) !== undefined

/** Checks whether the path names the bot, so that `x-bot-id` is not required. */
export const namesBot = (operation: Pick<Operation, 'access' | 'path'>) =>
  operation.access === 'bot' && listBotParameters(operation).length > 0

/** A known operation that the server answers with 501. */
export interface UnservedOperation {
  method: Operation['method']
  path: string
}
export const unserved = (
  method: Operation['method'],
  path: string,
): UnservedOperation => ({
  method,
  path,
})

export type Group = Record<string, Operation>

type Part<O, K extends 'params' | 'query' | 'headers' | 'body'> =
  O extends Record<K, infer S extends TSchema> ? Static<S> : undefined

export interface Input<O> {
  params: Part<O, 'params'>
  query: Part<O, 'query'>
  headers: Part<O, 'headers'>
  body: Part<O, 'body'>
}
export type Output<O extends Operation> = Static<O['response']>

/**
 * The handlers of a group. A missing handler is a compile error.
 * `Contexts` maps each kind of access to the context of its handlers.
 */
export type Handlers<G extends Group, Contexts extends Record<Access, unknown>> = {
  [Id in keyof G]: (
    context: Contexts[G[Id]['access']],
    input: Input<G[Id]>,
  ) => Promise<Output<G[Id]>>
}
