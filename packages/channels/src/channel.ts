// What a channel is: the integration of a messenger that comes with the server. A channel converts between
// the provider and messages of bots. It stores nothing: the server delivers, repeats and remembers.
import type { Integration } from '@botstead/contract'
import type { Guide } from './guide.ts'
import type { ShownMessages } from './shown.ts'

/** The definition of the integration, as bots and the Admin API see it. */
export type ChannelDefinition = Pick<
  Integration,
  'configuration' | 'channels' | 'events' | 'actions' | 'user'
>

/** What the hub shows, without the code. */
export interface ChannelEntry {
  /** As the official integration of this provider, where there is one. */
  name: string
  title: string
  description: string
  version: string
  definition: ChannelDefinition
  /** How a person connects it. */
  guide: Guide
  /** What a person sees of each type of message. */
  shows: ShownMessages
  /** Loads the code when the channel is first used. */
  load(): Promise<Channel>
  /** People answer by the numbers of options, which the channel writes as a list. */
  hasNoButtons?: boolean
}

/** The code of a channel. Every function throws ChannelError if the provider does not do what it asks. */
export interface Channel {
  /** Whether this server opens a connection to the provider, which then needs no public address. */
  usesConnection?(configuration: Configuration): boolean
  /**
   * Returns the account at the provider. A position of `connect` belongs to one account, and only one
   * installation can receive its messages. Null, and by default: each configuration is another account.
   */
  toAccount?(configuration: Configuration): string | null
  /** The provider may send each message to several installations, which then may have one account. */
  mayShareAccount?: boolean
  /** Whether the provider calls this server from the internet, at an address with HTTPS. Default: no. */
  needsPublicAddress?(configuration: Configuration): boolean
  /** Asks the provider whether the credentials are right, in seconds. Changes nothing there. */
  check(context: Context): Promise<Account>
  /** The provider cannot be asked, so that only a message that it takes proves the credentials. */
  isProvedByMessages?: boolean
  /** Prepares the provider for the chosen way to receive messages, after `check`. */
  register?(context: Context, address: { webhookUrl: string }): Promise<void>
  unregister?(context: Context): Promise<void>
  /** Asks the provider whether messages still arrive at the address. Changes nothing there. */
  verify?(context: Context, address: { webhookUrl: string }): Promise<void>
  /** Reads a request of the provider. Its arrivals are stored before the response is sent. */
  receive?(context: Context, request: ProviderRequest): Promise<Received>
  /**
   * Yields what arrives after the position `cursor` (null: from now on), until `context.signal` aborts.
   * The server stores each batch with its cursor before it asks for the next one.
   */
  connect?(context: Context, cursor: string | null): AsyncIterable<Batch>
  /**
   * Sends a message in parts, and yields after each. A repeated attempt begins after the parts that
   * were sent: `message.sentParts`.
   */
  send(context: Context, message: OutgoingMessage): AsyncIterable<SentPart>
  /**
   * Returns the conversation with a person whose address a member enters, for a test message. Only for
   * channels with `recipient` in their guide.
   */
  toConversation?(
    context: Context,
    address: string,
  ): Promise<Pick<OutgoingMessage['conversation'], 'channel' | 'tags'>>
  actions?: Record<string, Action>
}

/** The account of the bot at the provider. */
export interface Account {
  /** As people see it there, such as `@shop_bot`. */
  name?: string
  /** Opens a chat with the bot on a phone. */
  link?: string
}

export type Action = (
  context: Context,
  input: Record<string, unknown>,
) => Promise<Record<string, unknown>>

/** As the schema of the definition admits it. */
export type Configuration = Record<string, unknown>

export interface Context {
  configuration: Configuration
  /** Of the installation; with it, requests of third parties and stored files have their own addresses. */
  installation: { botId: string; alias: string }
  /** The public address at which the installation receives requests. */
  webhookUrl: string
  /** Calls the provider. Reaches only addresses that the workspace may reach; throws ChannelError. */
  request: Request
  /**
   * Returns an IP address of a host, for connections that are no HTTP requests (WebSocket, IMAP, SMTP):
   * connect to it, and give the name to TLS. Throws ChannelError for an address that the workspace may not
   * reach.
   */
  resolve: (host: string) => Promise<string>
  /** Aborts when the answer is no longer needed. */
  signal: AbortSignal
  /** Finds stored data, and stores files. */
  host: Host
}

export type Request = (
  url: string,
  options?: {
    method?: string
    headers?: Record<string, string>
    body?: string | Uint8Array
    /** Default: 30,000. */
    timeoutMs?: number
    /** Maximum size of the response. Default: 10 MiB. */
    maxBytes?: number
  },
) => Promise<ProviderResponse>

export interface ProviderResponse {
  status: number
  headers: Record<string, string>
  body: Uint8Array
}

export interface Host {
  /**
   * Stores a file of the provider, and returns its public URL. An equal key stores it once, so that a
   * repeated arrival has the same URL.
   */
  storeFile(file: {
    key: string
    name: string
    contentType: string
    content: Uint8Array
  }): Promise<string>
  /** Returns a file of this server by its public URL, which the provider may not reach; else null. */
  readFile(
    url: string,
  ): Promise<{ name: string; contentType: string; content: Uint8Array } | null>
  /** Finds by id; null if it is not of this installation. */
  findMessage(id: string): Promise<StoredMessage | null>
  /** Returns the id of the bot's latest message with these tags, of the last 50 of the conversation. */
  findSent(conversationId: string, tags: Record<string, string>): Promise<string | null>
  /** Returns the last 50 messages of a conversation, the latest first. */
  listRecent(conversationId: string): Promise<RecentMessage[]>
  /** Finds by id; null if it is not of this installation. */
  findConversation(
    id: string,
  ): Promise<{ channel: string; tags: Record<string, string> } | null>
  /** Finds a conversation by its tags, or creates it. Returns its id. */
  openConversation(conversation: Arrival['conversation']): Promise<string>
  /** Stores a message of the bot that the channel has sent already. */
  storeSent(
    conversationId: string,
    message: {
      type: string
      payload: Record<string, unknown>
      tags: Record<string, string>
    },
  ): Promise<void>
}

export interface StoredMessage {
  id: string
  conversationId: string
  type: string
  payload: Record<string, unknown>
  tags: Record<string, string>
}

export interface RecentMessage {
  id: string
  /** Of the bot. */
  isOwn: boolean
  tags: Record<string, string>
  createdAt: Date
}

/** A request of the provider to the address of the installation. */
export interface ProviderRequest {
  method: string
  /** Below the address of the installation. */
  path: string
  query: string
  /** Names are in lower case. */
  headers: Record<string, string>
  body: string
}

export interface Received {
  arrivals: (Arrival | AnonymousArrival)[]
  /** Default: 200 without a body. */
  response?: { status: number; headers?: Record<string, string>; body?: string }
}

export interface Batch {
  arrivals: (Arrival | AnonymousArrival)[]
  /** The position after this batch; null: as before. A batch without arrivals says that the connection works. */
  cursor: string | null
}

/** Something that has arrived from a person. Tags of `by` identify what they belong to. */
export interface Arrival {
  conversation: { channel: string; tags: Record<string, string>; by: string[] }
  user: ArrivalUser
  /** Stored once, however often it arrives. */
  message?: {
    type: string
    payload: Record<string, unknown>
    tags: Record<string, string>
    by: string[]
  }
  /**
   * An event of the definition. `once`: an equal payload is the same event, which has arrived again.
   * The payload has an id or a time of the provider if a person may do the same twice.
   */
  event?: { type: string; payload: Record<string, unknown>; once?: boolean }
  /**
   * The person has got, or seen, the bot's message with these tags, and all before it. Without tags: all
   * messages until this time.
   */
  receipt?: { state: 'delivered' | 'read'; tags: Record<string, string>; until?: Date }
  /** Why the provider could not deliver a message that it had accepted; for the bot's log. */
  failure?: string
}

export interface ArrivalUser {
  tags: Record<string, string>
  by: string[]
  name?: string
  pictureUrl?: string
  /** Under which the person has written this. */
  addresses?: ArrivalAddress[]
}

export interface ArrivalAddress {
  kind: 'email' | 'phone'
  address: string
  /** The provider, or the mail server, has checked that the address is that of the person. */
  isVerified: boolean
}

/** Something of which the provider does not say who did it: an event only. */
export interface AnonymousArrival
  extends Omit<Arrival, 'user' | 'message' | 'receipt' | 'failure'> {
  user?: never
  message?: never
  receipt?: never
  failure?: never
}

export interface OutgoingMessage {
  id: string
  type: string
  payload: Record<string, unknown>
  conversation: { id: string; channel: string; tags: Record<string, string> }
  /** Parts that an earlier attempt has sent. */
  sentParts: number
}

export interface SentPart {
  /** Become tags of the message; those of a later part replace them. An empty one is removed. */
  tags?: Record<string, string>
  /** The part is not sent yet: notes the tags before, for an attempt after a crash. */
  isPlanned?: boolean
}

/** Why a provider does not do what it is asked. */
export type ChannelErrorKind =
  /** A token or a secret is wrong: the configuration must change. */
  | 'credentials'
  /** The provider rejects this request; repeating it is useless. */
  | 'rejected'
  /** Too many requests: repeat it after `retryAfterMs`. */
  | 'limited'
  /** No answer, or a failure of the provider: repeat it. */
  | 'unavailable'
  /** The request to this server is not from the provider. */
  | 'forged'

export class ChannelError extends Error {
  readonly kind: ChannelErrorKind
  readonly retryAfterMs: number | null
  constructor(
    kind: ChannelErrorKind,
    message: string,
    retryAfterMs: number | null = null,
  ) {
    super(message)
    this.name = 'ChannelError'
    this.kind = kind
    this.retryAfterMs = retryAfterMs
  }
}
