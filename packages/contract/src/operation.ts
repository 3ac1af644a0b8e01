// What an operation is. Everything that can be derived from one (route, validator, types, OpenAPI, client) is derived.
import type { Static, TSchema } from 'typebox'
import type { ErrorType } from './errors.ts'
import type { AuditAction } from './models/audit-record.ts'
import type { Permission } from './permissions.ts'

/**
 * Who may call. `http/authenticate.ts` turns it into a caller, or into 401, 403 or 404.
 * - public: anybody
 * - token: any valid token, whatever its kind
 * - account: the owner of a personal access token
 * - workspace: the same, a member of the workspace that the path names (`/v1/admin/workspaces/{id}…`), or else `x-workspace-id`
 * - bot: a token that may act inside the bot named by `x-bot-id`, as the bot or as one of its integrations
 * - chat: anybody who knows a chat URL
 * - chatUser: the holder of a user key (`x-user-key`) for that chat URL
 */
export type Access = 'public' | 'token' | 'account' | 'workspace' | 'bot' | 'chat' | 'chatUser'

export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** As in OpenAPI: `/v1/admin/bots/{id}`. Chat paths are relative to the chat URL. */
  path: string
  access: Access
  /** One line: what it does, for the documents. */
  summary: string
  /**
   * With `workspace` access: an account that is a member of exactly one workspace may leave out `x-workspace-id`. For operations whose external
   * contract does not list the header.
   */
  workspaceOptional?: true
  /** What a person needs for it (`permissions.ts`). `workspace` access must say; `bot` access may, where reading is not a GET. */
  permission?: Permission | undefined
  /**
   * What a change by a person is called in the audit records. Every operation for accounts or members that is no GET leaves one; UNKNOWN where no other
   * word fits. False for what only asks.
   */
  audit?: AuditAction | false
  /** Success status; 200 unless the external contract says otherwise. */
  status?: 201
  params?: TSchema
  query?: TSchema
  headers?: TSchema
  body?: TSchema
  response: TSchema
  /** What a caller can cause, beyond what goes without saying for its kind of access and input (`to-openapi.ts` says what that is). */
  errors?: readonly ErrorType[]
  /** The answer is a stream of signals; the handler takes the reply over. */
  stream?: true
  /** Tagged so in the OpenAPI document; the others are tagged `documented`. */
  experimental?: true
}

type Definition = Operation &
  ({ access: 'workspace'; permission: Permission } | { access: Exclude<Access, 'workspace'> })
export const operation = <const O extends Definition>(definition: O): O => definition

/** Whether the path says which workspace it is about; the header need not, then. */
export const namesWorkspace = ({ path }: Pick<Operation, 'path'>) =>
  path.startsWith('/v1/admin/workspaces/{id}')

/** An operation that is known by name and place, and answers 501. */
export interface UnservedOperation {
  method: Operation['method']
  path: string
}
export const unserved = (method: Operation['method'], path: string): UnservedOperation => ({ method, path })

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
 * The handlers of a group: a missing one is a compile error at the place where it belongs.
 * `Contexts` maps each kind of access to what its handlers receive.
 */
export type Handlers<G extends Group, Contexts extends Record<Access, unknown>> = {
  [Id in keyof G]: (context: Contexts[G[Id]['access']], input: Input<G[Id]>) => Promise<Output<G[Id]>>
}
