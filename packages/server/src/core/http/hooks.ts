// What features do with requests, see messaging/hooks.ts.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../db/index.ts'
import type { DeliveryHooks } from '../delivery/index.ts'
import type { ConversationDeps } from '../messaging/index.ts'
import type { StateLocation } from '../workflows/index.ts'
import type { Handshake } from './streams/handshake.ts'

/** Forwards requests for workspaces that live at another installation. */
export interface Relocator {
  /** By what path and headers name. Returns null for a request that this server processes. */
  request(request: FastifyRequest, reply: FastifyReply): Promise<boolean> | null
  /** By the workspace of the caller. Returns null for a request that this server processes. */
  caller(request: FastifyRequest, reply: FastifyReply): Promise<boolean> | null
  /** Returns whether the other installation answers the upgrade. Throws Unavailable. */
  upgrade(handshake: Handshake): Promise<boolean>
}

/** A request of a third party to an integration. */
export interface ForwardedRequest {
  botId: string
  alias: string
  at: Date
  ms: number
  request: {
    method: string
    path: string
    query: string
    headers: Record<string, string>
    body: Buffer
  }
  /** Null without one; then there is an `error`. */
  response: { status: number; headers: Record<string, string>; chunks: Buffer[] } | null
  error: string | null
  /** Id of the recorded request that this one repeats. */
  replayOf: string | null
}

/** Runs inside of the transaction that writes a state. */
type StateFollower = (deps: ConversationDeps, payload: Record<string, unknown>) => Promise<void>

export interface Hooks extends DeliveryHooks {
  relocator: Relocator | null
  /** A request is answered. */
  answered: ((request: FastifyRequest, answer: { status: number; ms: number }) => void)[]
  /** Code that handles an event has changed a state of its bot. */
  stateChanged: ((
    event: { botId: string; eventId: string },
    subject: string,
    change: { before: Record<string, unknown> | null; after: Record<string, unknown> },
  ) => void)[]
  /** Returns null for a state that the feature does not follow. */
  followState: ((place: StateLocation, cause: string | null) => StateFollower | null)[]
  /** Returns warnings of the scripts in a definition of an integration. Throws InvalidPayload. */
  checkScripts: ((workspaceId: string, definition: object) => Promise<string[]>)[]
  /** Inside of the transaction that deploys code to a bot, at its end. */
  botDeployed: ((
    trx: Db,
    bot: { id: string; workspace_id: string },
    /** Id of an account. */
    deployedBy: string,
  ) => Promise<void>)[]
  /** A request to an integration has ended. */
  webhookForwarded: ((forwarded: ForwardedRequest) => void)[]
  /** The content of a file has been stored. */
  fileStored: (() => void)[]
}

export const createHooks = (): Hooks => ({
  takeMessage: [],
  messageAnswered: [],
  messageRated: [],
  isHandedOver: [],
  conversationTagged: [],
  chatActions: new Map(),
  actionCalled: [],
  findRemoteAction: [],
  relocator: null,
  answered: [],
  stateChanged: [],
  followState: [],
  checkScripts: [],
  botDeployed: [],
  webhookForwarded: [],
  fileStored: [],
  bind: [],
})
