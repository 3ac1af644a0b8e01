// Registers the routes: combines the contract's families with their handlers.
import {
  ApiError,
  type Family,
  families,
  type Group,
  type Operation,
  permissionFor,
} from '@botstead/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { type Admission, admissionOf } from './admission.ts'
import { auditActionOf, performAudited, recordRejection, recordTokenUse } from './audit.ts'
import { admit, rejectHiddenBots } from './authenticate.ts'
import { answerOnce, type MessageOperation } from './idempotency-key.ts'
import { responseInParts } from './large-response.ts'
import { inRequest } from './observe.ts'
import { countRequest } from './rate-limits.ts'
import type { BotCaller, Context, Services, WorkspaceCaller } from './services.ts'
import { trafficCheck } from './traffic.ts'
import { answerCheck, bodyCheck, type InputCheck, queryCheck, textCheck } from './validation.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    operationId?: string
    family?: string
    /** Bytes of body as received. */
    bodyLimit?: number
    /** Whether it responds with a stream that stays open while the client listens. */
    stream?: boolean
    /** Whether the handler gets the query string unparsed. Such a query is never stored. */
    rawQuery?: boolean
  }
  interface FastifyRequest {
    caller: unknown
  }
}

type Handler = (context: Context<unknown>, input: unknown) => Promise<unknown>
/**
 * Family → group → operation → handler. app.ts passes in the exports of api/, which the compiler
 * checks.
 */
type AllHandlers = Record<string, Record<string, Record<string, unknown>>>

/**
 * Slow steps that some operations (`family.name`) run after input validation, before their handler
 * and outside of any transaction. The result is added to the handler's context.
 */
export type FirstSteps<Caller> = Record<
  string,
  (
    context: Context<Caller>,
    input: { params: Record<string, string>; body: Record<string, unknown> },
  ) => Promise<Pick<Context<Caller>, 'loadError'>>
>

/** What some operations (`family.name`) have beside their handler. */
interface Extras {
  firstSteps: FirstSteps<never>
  messageOperations: Record<string, MessageOperation<unknown, unknown>>
}

export function mountFamilies(
  server: FastifyInstance,
  services: Services,
  handlers: AllHandlers,
  extras: Extras,
) {
  server.decorateRequest('caller', null)
  server.decorateRequest('credential', null)
  server.decorateRequest('tokenId', null)
  for (const [name, family] of Object.entries(families) as [string, Family][]) {
    for (const [groupName, group] of Object.entries(family.served))
      mountGroup(server, services, {
        name,
        family,
        group,
        handlers: handlers[name]?.[groupName] ?? {},
        extras,
      })
    for (const [operationId, { method, path }] of Object.entries(family.unserved)) {
      server.route({
        method,
        url: urlOf(family, path),
        config: { operationId, family: name, bodyLimit: family.bodyLimit },
        handler: () => notImplemented(operationId),
      })
    }
  }
}

const notImplemented = (operationId: string) => {
  throw new ApiError('NotImplemented', `The operation ${operationId} is not implemented`)
}

const urlOf = (family: Family, path: string) =>
  (family.prefix + path).replaceAll(/\{(\w+)\}/g, ':$1')

interface Mounting {
  name: string
  family: Family
  group: Group
  handlers: Record<string, unknown>
  extras: Extras
}

function mountGroup(
  server: FastifyInstance,
  services: Services,
  { name, family, group, handlers, extras }: Mounting,
) {
  for (const [operationId, operation] of Object.entries(group)) {
    const handler = handlers[operationId] as Handler | undefined
    if (!handler) throw new Error(`${name}.${operationId} has no handler`)
    const guarded = {
      ...operation,
      name: `${name}.${operationId}`,
      permission: permissionFor(name, operation),
    }
    server.route({
      method: operation.method,
      url: urlOf(family, operation.path),
      config: {
        operationId,
        family: name,
        bodyLimit: family.bodyLimit,
        stream: operation.stream === true,
      },
      onRequest: async (request, reply) => {
        try {
          request.caller = await admit(services, guarded, request)
          const noted = recordTokenUse(services, request)
          if (noted) await noted
        } catch (error) {
          await recordRejection(services, guarded, request, error)
          throw error
        } finally {
          countRequest(services, request, reply)
        }
      },
      handler: answer(services, guarded, handler, extras),
    })
  }
}

function answer(
  services: Services,
  operation: Operation & { name: string },
  handler: Handler,
  extras: Extras,
): RouteHandlerMethod {
  const firstStep = extras.firstSteps[operation.name]
  const writing = extras.messageOperations[operation.name]
  const checkTraffic = trafficCheck(operation.name)
  const checkInput = inputCheck(operation)
  const isAudited = auditActionOf(operation) !== null
  const lists = isListing(operation)
  const changes = operation.permission?.endsWith('.read') !== true
  const checkAnswer =
    services.config.checkAnswers && !operation.stream ? answerCheck(operation.response) : null
  const admit = admissionOf(services, operation, firstStep !== undefined)
  const process = async (
    request: FastifyRequest,
    reply: FastifyReply,
    admission: Admission | null,
  ) => {
    const { params, query, headers } = request
    const body = request.body === undefined && operation.body ? {} : request.body
    const input = { params, query, headers, body } as Input
    checkInput(input)
    if (operation.access === 'workspace')
      await rejectHiddenBots(services, operation, request.caller as WorkspaceCaller, input)
    let firstResult: Pick<Context<unknown>, 'loadError'> = {}
    const perform = async (services: Services) => {
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
    if (firstStep)
      firstResult = await firstStep(
        { services, caller: request.caller as never, request, reply },
        input as never,
      )
    const isKeyed = operation.method === 'POST' && headers['idempotency-key'] !== undefined
    if (!isAudited && isKeyed)
      return answerOnce(services, operation, { request, reply, input, writing }, perform)
    const fence = changes ? fenceOf(request) : null
    const performOnce = () => {
      if (fence !== null) return services.fenced(operation.name, fence, perform)
      return lists ? performOnReplica(services, perform) : perform(services)
    }
    if (!isAudited && request.isLarge && !operation.stream) {
      const result = (await performOnce()) as object
      request.body = input.body = undefined // frees memory: sending the response may take long
      return reply.type('application/json; charset=utf-8').send(responseInParts(result))
    }
    if (!isAudited) return performOnce()
    const within = (work: typeof perform) => {
      if (isKeyed) return answerOnce(services, operation, { request, reply, input, writing }, work)
      return services.runsOutsideTransaction(operation.name)
        ? work(services)
        : services.inTransaction(work)
    }
    return performAudited(services, operation, { request, input, within, perform })
  }
  if (!admit) return (request, reply) => process(request, reply, null)
  return async (request, reply) => {
    const turn = admit(services, request, reply)
    const admission = turn instanceof Promise ? await turn : turn
    try {
      return await process(request, reply, admission)
    } finally {
      admission.leave()
    }
  }
}

/** Listings only read, and most of the data that clients read. */
const isListing = ({ method, name }: { method: string; name: string }) =>
  method === 'GET' && /\.list[A-Z]/.test(name)

const performOnReplica = (services: Services, perform: (services: Services) => Promise<unknown>) =>
  services.database.read((database) => perform({ ...services, db: database.db, database }))

const fenceOf = ({ caller }: FastifyRequest) => (caller as Partial<BotCaller> | null)?.fence ?? null

/** The request's parts as sent, before and after validation. */
type Input = Record<'params' | 'query' | 'headers' | 'body', Record<string, unknown> | undefined>

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
