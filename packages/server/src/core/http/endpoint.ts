// Processes the requests for one operation: waits for its turn, validates the input, and calls the
// handler once per idempotency key, in a transaction if the operation is audited.
import type { Operation, Topic } from '@botstead/contract'
import { isLong, isPlainObject } from '@botstead/lib'
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import {
  getAuditAction,
  isAuditedInBot,
  performAudited,
  performAuditedInBot,
} from './audit.ts'
import { responseInParts } from './body/large-response.ts'
import type { BotCaller } from './callers/callers.ts'
import { rejectHiddenBots } from './callers/visible-bots.ts'
import { answerOnce, type MessageOperation } from './input/idempotency-key.ts'
import {
  answerCheck,
  bodyCheck,
  type InputCheck,
  queryCheck,
  textCheck,
} from './input/validation.ts'
import { type Admission, getAdmission } from './limits/admission.ts'
import { trafficCheck } from './limits/traffic.ts'
import { inRequest } from './observe.ts'
import type { Context, HttpServices } from './services.ts'
import { noteChanges, toScope } from './streams/changes.ts'

export type Handler = (context: Context<unknown>, input: unknown) => Promise<unknown>

type FirstResult = Pick<Context<unknown>, 'loadError' | 'scriptWarnings' | 'trials'>

/**
 * Slow steps that some operations (`family.name`) run after input validation, before their handler
 * and outside of any transaction. The result is added to the handler's context.
 */
export type FirstSteps<Caller, Own = unknown> = Record<
  string,
  (
    context: Context<Caller, Own>,
    input: { params: Record<string, string>; body: Record<string, unknown> },
  ) => Promise<FirstResult>
>

/** What some operations (`family.name`) have beside their handler. */
export interface Extras {
  firstSteps: FirstSteps<never, never>
  messageOperations: Record<string, MessageOperation<unknown, unknown>>
}

/** An operation with its name, and the topics that it changes. */
type NamedOperation = Operation & { name: string; topics: readonly Topic[] }

/** An operation with its handler and everything that all its requests share. */
interface Endpoint {
  operation: NamedOperation
  handler: Handler
  firstStep: FirstSteps<never, never>[string] | undefined
  /** Set if the operation writes one message. */
  writing: MessageOperation<unknown, unknown> | undefined
  isAudited: boolean
  isAuditedInBot: boolean
  /** Whether the operation may write, so that it checks the caller's fence. */
  mayWrite: boolean
  /** Whether a replica of the database may serve it. */
  isListing: boolean
  checkInput: (input: Input) => void
  checkTraffic: ReturnType<typeof trafficCheck>
  checkAnswer: ReturnType<typeof answerCheck> | null
}

/** A request with valid input. */
interface Call {
  request: FastifyRequest
  reply: FastifyReply
  input: Input
  admission: Admission | null
  firstResult: FirstResult
}

/** The request's parts as sent, before and after validation. */
type Input = Record<
  'params' | 'query' | 'headers' | 'body',
  Record<string, unknown> | undefined
>

/** Calls the handler. May run more than once, because transactions are retried. */
type Perform = (services: HttpServices) => Promise<unknown>

export function createRouteHandler(
  services: HttpServices,
  operation: NamedOperation,
  handler: Handler,
  extras: Extras,
): RouteHandlerMethod {
  const endpoint = toEndpoint(services, operation, handler, extras)
  const admit = getAdmission(services, operation, endpoint.firstStep !== undefined)
  if (!admit)
    return (request, reply) => processRequest(services, endpoint, request, reply, null)
  return async (request, reply) => {
    const turn = admit(services, request, reply)
    const admission = turn instanceof Promise ? await turn : turn
    try {
      return await processRequest(services, endpoint, request, reply, admission)
    } finally {
      admission.leave()
    }
  }
}

function toEndpoint(
  { config }: HttpServices,
  operation: NamedOperation,
  handler: Handler,
  { firstSteps, messageOperations }: Extras,
): Endpoint {
  const checksAnswer = config.checkAnswers && !operation.stream
  return {
    operation,
    handler,
    firstStep: firstSteps[operation.name],
    writing: messageOperations[operation.name],
    isAudited: getAuditAction(operation) !== null,
    isAuditedInBot: isAuditedInBot(operation),
    mayWrite: operation.permission?.endsWith('.read') !== true,
    isListing: isListing(operation),
    checkInput: inputCheck(operation),
    checkTraffic: trafficCheck(operation.name),
    checkAnswer: checksAnswer ? answerCheck(operation.response) : null,
  }
}

/** Listings only read, and most of the data that clients read. */
const isListing = ({ method, name }: { method: string; name: string }) =>
  method === 'GET' && /\.list[A-Z]/.test(name)

function inputCheck({ params, query, headers, body }: Operation): (input: Input) => void {
  const checks: [InputCheck, 'params' | 'query' | 'headers' | 'body'][] = []
  if (params) checks.push([textCheck(params, 'params'), 'params'])
  if (query) checks.push([queryCheck(query), 'query'])
  if (headers) checks.push([textCheck(headers, 'headers'), 'headers'])
  if (body) checks.push([bodyCheck(body), 'body'])
  return (input) => {
    for (const [check, part] of checks) check(input[part])
  }
}

async function processRequest(
  services: HttpServices,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  admission: Admission | null,
) {
  const { operation, firstStep } = endpoint
  const { params, query, headers } = request
  const caller = request.caller as never
  const body = request.body === undefined && operation.body ? {} : request.body
  const input = { params, query, headers, body } as Input
  endpoint.checkInput(input)
  if (!isKeyed(operation, request)) await rejectHidden(services, endpoint, request, input)
  const firstResult = firstStep
    ? await firstStep({ services, caller, request, reply } as never, input as never)
    : {}
  const call = { request, reply, input, admission, firstResult }
  if (operation.topics.length === 0 || endpoint.writing)
    return respond(services, endpoint, call)
  const scope = toScope(operation, caller, input)
  const result = await respond(services, endpoint, call)
  noteChanges(services, operation, scope, result)
  return result
}

const isKeyed = ({ method, stream }: Operation, { headers }: FastifyRequest): boolean =>
  method === 'POST' && !stream && headers['idempotency-key'] !== undefined

async function rejectHidden(
  services: HttpServices,
  { operation }: Endpoint,
  { caller }: FastifyRequest,
  input: Input,
) {
  if (operation.access === 'workspace')
    await rejectHiddenBots(services, operation, caller as never, input)
}

async function respond(services: HttpServices, endpoint: Endpoint, call: Call) {
  const { operation } = endpoint
  const { request, reply, input } = call
  const handle: Perform = (inner) => callHandler(inner, endpoint, call)
  const perform: Perform = endpoint.isAuditedInBot
    ? (inside) =>
        performAuditedInBot(services, operation, {
          request,
          input,
          inside,
          perform: handle,
        })
    : handle
  const keyed = isKeyed(operation, request)
  if (endpoint.isAudited)
    return respondAudited(services, endpoint, call, { isKeyed: keyed, perform })
  if (keyed) return respondOnce(services, endpoint, call, perform)
  const result = await performFenced(services, endpoint, request, perform)
  if (operation.stream || !isPlainObject(result)) return result
  if (!request.isLarge && !hasLongText(result)) return result
  request.body = input.body = undefined // frees memory: sending the response may take long
  return reply.type('application/json; charset=utf-8').send(responseInParts(result))
}

async function callHandler(
  services: HttpServices,
  endpoint: Endpoint,
  { request, reply, input, admission, firstResult }: Call,
) {
  const { operation, handler, checkTraffic, checkAnswer } = endpoint
  // A repetition gets its answer although the bot may have left the workspace, by this very request.
  if (isKeyed(operation, request)) await rejectHidden(services, endpoint, request, input)
  checkTraffic?.(services, request, reply)
  reply.code(operation.status ?? 200)
  const result = await inRequest(request, () =>
    handler(
      {
        services: admission?.services(services) ?? services,
        caller: request.caller,
        request,
        reply,
        ...firstResult,
      },
      input,
    ),
  )
  if (operation.stream) return reply
  checkAnswer?.(JSON.parse(JSON.stringify(result)))
  return result
}

function respondAudited(
  services: HttpServices,
  endpoint: Endpoint,
  call: Call,
  { isKeyed, perform }: { isKeyed: boolean; perform: Perform },
) {
  const { operation } = endpoint
  const within = (work: Perform) => {
    if (isKeyed) return respondOnce(services, endpoint, call, work)
    return services.runsOutsideTransaction(operation.name)
      ? work(services)
      : services.inTransaction(work)
  }
  const { request, input } = call
  return performAudited(services, operation, { request, input, within, perform })
}

const respondOnce = (
  services: HttpServices,
  { operation, writing }: Endpoint,
  { request, reply, input }: Call,
  perform: Perform,
) => answerOnce(services, operation, { request, reply, input, writing }, perform)

/** As responses with code. */
const hasLongText = (result: object) =>
  Object.values(result).some((value) => typeof value === 'string' && isLong(value.length))

function performFenced(
  services: HttpServices,
  { operation, mayWrite, isListing }: Endpoint,
  request: FastifyRequest,
  perform: Perform,
) {
  const fence = mayWrite ? getFence(request) : null
  if (fence !== null) return services.fenced(operation.name, fence, perform)
  return isListing ? performOnReplica(services, perform) : perform(services)
}

const performOnReplica = (services: HttpServices, perform: Perform) =>
  services.database.read((database) =>
    perform({ ...services, db: database.db, database }),
  )

const getFence = ({ caller }: FastifyRequest) =>
  (caller as Partial<BotCaller> | null)?.fence ?? null
