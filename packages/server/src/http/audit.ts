// Every change through the Admin API leaves one record, whatever the operation: what was done, in the transaction that did it; what was refused for
// want of permission, and what failed and may be half done, afterwards. A request that changed nothing leaves none.
import { ApiError, type AuditAction, type Operation } from '@botstead/contract'
import type { FastifyRequest } from 'fastify'
import { clientAddress } from '../lib/addresses.ts'
import type { AccountCaller, BotCaller, Services, WorkspaceCaller } from '../services.ts'

type Named = Record<'params' | 'body', Record<string, unknown> | undefined>
type Audited = Pick<Operation, 'access' | 'method' | 'audit'> & { name: string }
type Perform = (services: Services) => Promise<unknown>

/** What the operation is called in the records; null for one that is not in them. */
export function auditActionOf({
  access,
  method,
  audit,
}: Pick<Operation, 'access' | 'method' | 'audit'>): AuditAction | null {
  const isChange = method !== 'GET' && (access === 'workspace' || access === 'account')
  return isChange && audit !== false ? (audit ?? 'UNKNOWN') : null
}

/**
 * `within` does the work: in a transaction, when it can. A record that cannot be written undoes what it would have told of; what is done
 * already, and cannot be undone, is told of by the log.
 */
export async function performAudited(
  services: Services,
  operation: Audited,
  {
    request,
    input,
    within,
    perform,
  }: { request: FastifyRequest; input: Named; within: (work: Perform) => Promise<unknown>; perform: Perform },
): Promise<unknown> {
  let told: unknown
  const tell = (services: Services, result: 'done' | 'failed' | 'refused', answer?: unknown) =>
    record(services, operation, request, { input, result, answer })
  try {
    return await within(async (inside) => {
      const answer = await perform(inside).catch(async (error) => {
        if (!(error instanceof ApiError && error.partly)) throw error
        told = error
        await tell(inside, 'failed')
        throw error
      })
      await tell(inside, 'done', answer).catch((error) => {
        if (inside.database !== services.database) throw error
        services.log.error(
          { err: error, operation: operation.name },
          'a change was made, and its audit record could not be written',
        )
      })
      return answer
    })
  } catch (error) {
    const result = resultOf(error, services.reachesOutside(operation.name))
    if (result && error !== told)
      await tell(services, result).catch((failure) =>
        services.log.error({ err: failure }, 'an audit record could not be written'),
      )
    throw error
  }
}

/** Where all was one transaction, nothing is left of what failed. */
const resultOf = (error: unknown, reachesOutside: boolean) => {
  if (!(error instanceof ApiError) || error.code >= 500 || error.partly)
    return reachesOutside ? 'failed' : null
  return error.type === 'Forbidden' ? 'refused' : null
}

/** At the door, by permission: there is no input yet but the path. */
export async function recordRefusal(
  services: Services,
  operation: Audited,
  request: FastifyRequest,
  error: unknown,
): Promise<void> {
  if (
    !request.caller ||
    !auditActionOf(operation) ||
    !(error instanceof ApiError) ||
    error.type !== 'Forbidden'
  )
    return
  const input = { params: request.params as Record<string, unknown>, body: undefined }
  await record(services, operation, request, { input, result: 'refused' }).catch((failure) =>
    services.log.error({ err: failure }, 'an audit record could not be written'),
  )
}

/** Of a person's token, from where it is used. Without the record the request is answered all the same. */
export async function noteUse(services: Services, request: FastifyRequest): Promise<void> {
  const { tokenId, caller } = request
  const accountId = tokenId && accountOf(caller as Partial<WorkspaceCaller & BotCaller>)
  if (!accountId) return
  const { workspaceId = null } = caller as Partial<WorkspaceCaller>
  const ip = clientAddress(request.raw, services.config.trustProxy)
  await services.logins
    .note({ tokenId, accountId, workspaceId, ip })
    .catch((error) => services.log.error({ err: error }, 'an audit record could not be written'))
}

const accountOf = ({ accountId, account }: Partial<WorkspaceCaller & BotCaller>) =>
  accountId ?? account?.accountId

interface Outcome {
  input: Named
  result: 'done' | 'refused' | 'failed'
  answer?: unknown
}

async function record(
  services: Services,
  operation: Audited,
  request: FastifyRequest,
  { input, result, answer }: Outcome,
): Promise<void> {
  const caller = request.caller as AccountCaller | WorkspaceCaller
  const target = targetOf(caller, input, answer)
  await services.audit.record(
    services.database,
    result === 'done' ? chainsOf(operation.name, caller, input, answer) : [ownChain(caller)],
    {
      ...{
        accountId: caller.accountId,
        tokenId: request.tokenId,
        ip: clientAddress(request.raw, services.config.trustProxy),
      },
      ...{
        operation: operation.name,
        action: actionOf(operation, input),
        targetId: target.id,
        targetName: target.name,
        result,
      },
    },
  )
}

const ownChain = (caller: AccountCaller | WorkspaceCaller) =>
  'workspaceId' in caller ? caller.workspaceId : caller.accountId

/** In the chain of the workspace that it is about; where that is none, in the account's. */
function chainsOf(
  operation: string,
  caller: AccountCaller | WorkspaceCaller,
  { body }: Named,
  answer: unknown,
): string[] {
  if (operation === 'admin.createWorkspace') return [(answer as { id: string }).id]
  // its own chain goes with it
  if (operation === 'admin.deleteWorkspace') return [caller.accountId]
  if (operation === 'admin.transferBot') return [ownChain(caller), String(body?.targetWorkspaceId)]
  return [ownChain(caller)]
}

const actionOf = (operation: Audited, { body }: Named): AuditAction => {
  const action = auditActionOf(operation) ?? 'UNKNOWN'
  return action === 'UPDATE_BOT' && typeof body?.code === 'string' ? 'DEPLOY_BOT' : action
}

const longest = 200
const textOf = (value: unknown) =>
  typeof value === 'string' && value !== '' ? value.slice(0, longest) : null

/** What the path names, or else what came of it: the answer itself or the one thing in it. Ids and names, and nothing else of a request. */
function targetOf(
  caller: AccountCaller,
  { params, body }: Named,
  answer: unknown,
): { id: string | null; name: string | null } {
  const shown = (typeof answer === 'object' && answer !== null ? answer : {}) as Record<string, unknown>
  const [only] = Object.keys(shown).length === 1 ? Object.values(shown) : []
  const thing = (typeof only === 'object' && only !== null ? only : shown) as Record<string, unknown>
  const [named] = Object.values(params ?? {})
  const id =
    textOf(named) ??
    textOf(thing.id) ??
    textOf(body?.botId) ??
    textOf(body?.integrationId) ??
    caller.accountId
  return { id, name: textOf(thing.name) ?? textOf(thing.email) }
}
