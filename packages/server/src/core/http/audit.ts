// Writes one audit entry for each change through the Admin API, and for operations of the platform
// inside a bot by members: in the change's transaction if it
// succeeds, afterwards if it was rejected for lack of permission or failed partly. A request that
// changed nothing leaves no entry.
import { ApiError, type AuditAction, type Operation } from '@botstead/contract'
import { clientAddress } from '@botstead/lib'
import type { FastifyRequest } from 'fastify'
import type { AccountCaller, BotCaller, WorkspaceCaller } from './callers/callers.ts'
import type { HttpServices } from './services.ts'

type Named = Record<'params' | 'body', Record<string, unknown> | undefined>
type Audited = Pick<Operation, 'access' | 'method' | 'audit' | 'auditMinutes'> & {
  name: string
}
type Perform = (services: HttpServices) => Promise<unknown>

/** Returns the operation's action in the audit log, or null if it is not audited. */
export function getAuditAction({
  access,
  method,
  audit,
}: Pick<Operation, 'access' | 'method' | 'audit'>): AuditAction | null {
  const isChange = method !== 'GET' && (access === 'workspace' || access === 'account')
  return isChange && audit !== false ? (audit ?? 'UNKNOWN') : null
}

/** Whether members change data inside a bot with this operation: its dead letters, for example. */
export const isAuditedInBot = ({
  access,
  method,
  audit,
  name,
}: Pick<Operation, 'access' | 'method' | 'audit'> & { name: string }) =>
  access === 'bot' && method !== 'GET' && audit !== false && name.startsWith('platform.')

/** Performs an operation inside a bot. The entry is in the transaction of the work if it has one. */
export async function performAuditedInBot(
  services: HttpServices,
  operation: Audited,
  {
    request,
    input,
    inside,
    perform,
  }: { request: FastifyRequest; input: Named; inside: HttpServices; perform: Perform },
): Promise<unknown> {
  const answer = await perform(inside)
  if (getAccountId(request.caller as Partial<BotCaller>))
    await record(inside, operation, request, { input, result: 'done', answer }).catch(
      (error) => reportUnrecorded(services, inside, operation, error),
    )
  return answer
}

/** A transaction is rolled back by the error; other changes cannot be. */
function reportUnrecorded(
  services: HttpServices,
  inside: HttpServices,
  { name }: Audited,
  error: unknown,
) {
  if (inside.database !== services.database) throw error
  services.log.error(
    { err: error, operation: name },
    'a change was made, but writing its audit entry failed',
  )
}

/**
 * Performs an operation and writes its audit entry. `within` runs the work, in a transaction if
 * possible. If the entry cannot be written, the transaction is rolled back; a change that cannot be
 * rolled back is reported in the server's log instead.
 */
export async function performAudited(
  services: HttpServices,
  operation: Audited,
  {
    request,
    input,
    within,
    perform,
  }: {
    request: FastifyRequest
    input: Named
    within: (work: Perform) => Promise<unknown>
    perform: Perform
  },
): Promise<unknown> {
  let audited: unknown
  const recordResult = (
    services: HttpServices,
    result: 'done' | 'failed' | 'refused',
    answer?: unknown,
  ) => record(services, operation, request, { input, result, answer })
  try {
    return await within(async (inside) => {
      const answer = await perform(inside).catch(async (error) => {
        if (!(error instanceof ApiError && error.partly)) throw error
        audited = error
        await recordResult(inside, 'failed')
        throw error
      })
      await recordResult(inside, 'done', answer).catch((error) =>
        reportUnrecorded(services, inside, operation, error),
      )
      return answer
    })
  } catch (error) {
    const result = toResult(error, services.runsOutsideTransaction(operation.name))
    if (result && error !== audited)
      await recordResult(services, result).catch((failure) =>
        services.log.error({ err: failure }, 'writing an audit entry failed'),
      )
    throw error
  }
}

/** Returns null for a failure in a single transaction: it changed nothing. */
const toResult = (error: unknown, reachesOutside: boolean) => {
  if (!(error instanceof ApiError) || error.code >= 500 || error.partly)
    return reachesOutside ? 'failed' : null
  return error.type === 'Forbidden' ? 'refused' : null
}

/**
 * Records a request that was rejected for lack of permission. Only the path is known then, not the
 * body.
 */
export async function recordRejection(
  services: HttpServices,
  operation: Audited,
  request: FastifyRequest,
  error: unknown,
): Promise<void> {
  if (
    !request.caller ||
    !getAuditAction(operation) ||
    !(error instanceof ApiError) ||
    error.type !== 'Forbidden'
  )
    return
  const input = { params: request.params as Record<string, unknown>, body: undefined }
  await record(services, operation, request, { input, result: 'refused' }).catch(
    (failure) => services.log.error({ err: failure }, 'writing an audit entry failed'),
  )
}

/**
 * Records the address from which a person's token is used. A failure to record does not fail the
 * request.
 */
export function recordTokenUse(
  services: HttpServices,
  request: FastifyRequest,
): Promise<void> | undefined {
  const { tokenId, caller } = request
  const accountId =
    tokenId && getAccountId(caller as Partial<WorkspaceCaller & BotCaller>)
  if (!accountId) return undefined
  const { workspaceId = null } = caller as Partial<WorkspaceCaller>
  const ip = clientAddress(request.raw, services.config.trustProxy)
  return services.logins
    .note({ tokenId, accountId, workspaceId, ip })
    .catch((error) => services.log.error({ err: error }, 'writing an audit entry failed'))
}

const getAccountId = ({ accountId, account }: Partial<WorkspaceCaller & BotCaller>) =>
  accountId ?? account?.accountId

interface Outcome {
  input: Named
  result: 'done' | 'refused' | 'failed'
  answer?: unknown
}

async function record(
  services: HttpServices,
  operation: Audited,
  request: FastifyRequest,
  { input, result, answer }: Outcome,
): Promise<void> {
  const caller = request.caller as RecordedCaller
  const target = findTarget(caller, input, answer)
  await services.audit.record(
    services.database,
    result === 'done'
      ? await findChains(services, operation.name, caller, input, answer)
      : [ownChain(caller)],
    {
      accountId: getAccountId(caller) ?? null,
      tokenId: request.tokenId ?? request.sessionId,
      ip: clientAddress(request.raw, services.config.trustProxy),
      operation: operation.name,
      action: getAction(operation, input),
      targetId: target.id,
      targetName: target.name,
      result,
      quietMinutes: operation.auditMinutes,
    },
  )
}

type RecordedCaller = AccountCaller | WorkspaceCaller | BotCaller

const ownChain = (caller: RecordedCaller) =>
  'workspaceId' in caller ? caller.workspaceId : caller.accountId

/** Recorded in the first workspace: its owners operate the installation. */
const ofInstallation = [
  'createBackup',
  'createBackupLink',
  'deleteBackup',
  'setServerSettings',
].map((name) => `platform.${name}`)

/** Recorded in all workspaces of the account, beside its sign-ins. */
const ofSignIn = [
  'setPassword',
  'confirmSecondFactor',
  'replaceRecoveryCodes',
  'removeSecondFactor',
  'endOneSession',
  'endOtherSessions',
].map((name) => `platform.${name}`)

/**
 * Returns the chain of the workspace that the operation is about; without one, the account's chain.
 */
async function findChains(
  { db, accounts, audit }: HttpServices,
  operation: string,
  caller: RecordedCaller,
  { body }: Named,
  answer: unknown,
): Promise<string[]> {
  if (ofInstallation.includes(operation))
    return [(await accounts.findFirstWorkspaceId(db)) ?? ownChain(caller)]
  if (ofSignIn.includes(operation))
    return audit.accountChains(db, (caller as AccountCaller).accountId)
  if (operation === 'platform.importWorkspace')
    return [
      (answer as { workspace: { id: string } }).workspace.id,
      (await accounts.findFirstWorkspaceId(db)) ?? ownChain(caller),
    ]
  if (operation === 'admin.createWorkspace') return [(answer as { id: string }).id]
  // the workspace's own chain is deleted with it
  if (operation === 'admin.deleteWorkspace')
    return [(caller as WorkspaceCaller).accountId]
  if (operation === 'admin.transferBot')
    return [ownChain(caller), String(body?.targetWorkspaceId)]
  return [ownChain(caller)]
}

const getAction = (operation: Audited, { body }: Named): AuditAction => {
  const action = getAuditAction(operation) ?? 'UNKNOWN'
  return action === 'UPDATE_BOT' && typeof body?.code === 'string' ? 'DEPLOY_BOT' : action
}

const longest = 200
const toText = (value: unknown) =>
  typeof value === 'string' && value !== '' ? value.slice(0, longest) : null

/**
 * Returns the object named by the path, or else the one in the response. Records only ids and
 * names.
 */
function findTarget(
  caller: RecordedCaller,
  { params, body }: Named,
  answer: unknown,
): { id: string | null; name: string | null } {
  const response = (
    typeof answer === 'object' && answer !== null ? answer : {}
  ) as Record<string, unknown>
  const [only] = Object.keys(response).length === 1 ? Object.values(response) : []
  const thing = (typeof only === 'object' && only !== null ? only : response) as Record<
    string,
    unknown
  >
  const [named] = Object.values(params ?? {})
  const id =
    toText(named) ??
    toText(thing.id) ??
    toText(body?.botId) ??
    toText(body?.integrationId) ??
    ('botId' in caller ? caller.botId : caller.accountId)
  return { id, name: toText(thing.name) ?? toText(thing.email) ?? toText(body?.email) }
}
