// What an update of a bot does to its installed integrations: from what is there and what is asked for to rows to write and calls to make.
// Pure; integrations/installations.ts reads and writes.
import { ApiError } from '@botstead/contract'
import { findMismatch } from '../lib/json-schemas.ts'
import { isBuiltIn } from './hub.ts'
import type { Integration } from './integrations.ts'

type Configuration = Record<string, unknown>

export type InstallationStatus =
  | 'registration_pending'
  | 'registered'
  | 'registration_failed'
  | 'unregistration_pending'
  | 'unregistered'
  | 'unregistration_failed'

/** As updateBot takes it: what is absent stays, null removes the installation, a null type returns to the default configuration. */
export interface InstallationChange {
  enabled?: boolean
  integrationId?: string
  configurationType?: string | null
  configuration?: Configuration
  disabledChannels?: string[]
}
export type InstallationChanges = Record<string, InstallationChange | null>

/** What is installed, its configuration opened. */
export interface Installed {
  alias: string
  integrationId: string
  enabled: boolean
  configurationType: string | null
  configuration: Configuration
  disabledChannels: string[]
  status: InstallationStatus
}

export interface InstallationPlan {
  put: Installed[]
  /** Gone at once. */
  remove: string[]
  /** Aliases whose integration has to hear of it, after the commit. */
  register: string[]
  unregister: string[]
  /** Of those to unregister, the ones that go afterwards. */
  leave: string[]
}

const most = 30
const largestConfiguration = 20_000

/** The ids that the changes speak of, to be looked up. A key without an id inside may be one itself. */
export const mentionedIds = (installed: Installed[], changes: InstallationChanges): string[] => [
  ...new Set([
    ...installed.map((one) => one.integrationId),
    ...Object.entries(changes).flatMap(([key, change]) => (change ? [change.integrationId ?? key] : [])),
  ]),
]

/** `known` holds the integrations that may be installed. Throws ReferenceNotFound, InvalidIdentifier, InvalidDataFormat, LimitExceeded. */
export function planInstallations(installed: Installed[], changes: InstallationChanges, known: Map<string, Integration>): InstallationPlan {
  const plan: InstallationPlan = { put: [], remove: [], register: [], unregister: [], leave: [] }
  for (const [key, change] of Object.entries(changes)) {
    const now = installed.find((one) => one.alias === key) ?? (change?.integrationId ? undefined : installed.find((one) => one.integrationId === key))
    if (change) planChange(plan, now, key, change, known)
    else if (now) planRemoval(plan, now, known)
  }
  refuseDoubles([...plan.put.map((one) => one.alias), ...plan.remove])
  const left = new Set([...installed, ...plan.put].map((one) => one.alias))
  for (const alias of plan.remove) left.delete(alias)
  if (left.size > most) throw new ApiError('LimitExceeded', `A bot has ${most} integrations at most`)
  return plan
}

/** One installation can be named by its alias and, by older clients, by the id of its integration. */
function refuseDoubles(aliases: string[]) {
  const twice = aliases.find((alias, i) => aliases.indexOf(alias) !== i)
  if (twice !== undefined) throw new ApiError('InvalidPayload', `integrations speaks of "${twice}" twice`)
}

function planRemoval(plan: InstallationPlan, now: Installed, known: Map<string, Integration>) {
  if (!now.enabled || isSilent(known.get(now.integrationId))) return void plan.remove.push(now.alias)
  plan.put.push({ ...now, enabled: false, status: 'unregistration_pending' })
  plan.unregister.push(now.alias)
  plan.leave.push(now.alias)
}

function planChange(plan: InstallationPlan, now: Installed | undefined, key: string, change: InstallationChange, known: Map<string, Integration>) {
  const integrationId = change.integrationId ?? now?.integrationId ?? key
  const integration = known.get(integrationId)
  if (!integration) throw new ApiError('ReferenceNotFound', `No integration "${integrationId}"`)
  const next: Installed = {
    alias: now?.alias ?? (change.integrationId ? key : integration.name),
    integrationId,
    enabled: change.enabled ?? now?.enabled ?? true,
    configurationType: change.configurationType === undefined ? (now?.configurationType ?? null) : change.configurationType,
    configuration: change.configuration ?? now?.configuration ?? {},
    disabledChannels: change.disabledChannels ?? now?.disabledChannels ?? [],
    status: now?.status ?? 'unregistered',
  }
  checkAlias(next.alias)
  checkConfiguration(integration, next)
  plan.put.push({ ...next, status: nextStatus(plan, now, next, integration) })
}

/** Enabling it, or changing what an enabled one works with, registers it anew; disabling it unregisters. */
function nextStatus(plan: InstallationPlan, now: Installed | undefined, next: Installed, integration: Integration): InstallationStatus {
  if (isSilent(integration)) return next.enabled ? 'registered' : 'unregistered'
  if (next.enabled) {
    if (now?.enabled && now.status === 'registered' && worksAlike(now, next)) return 'registered'
    plan.register.push(next.alias)
    return 'registration_pending'
  }
  if (!now?.enabled) return next.status
  plan.unregister.push(next.alias)
  return 'unregistration_pending'
}

const worksAlike = (a: Installed, b: Installed) =>
  a.integrationId === b.integrationId && a.configurationType === b.configurationType && canonical(a.configuration) === canonical(b.configuration)

/** The database does not keep the order of keys. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, part) =>
    part && typeof part === 'object' && !Array.isArray(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  )

const isSilent = (integration: Integration | undefined) => !integration || isBuiltIn(integration)

function checkAlias(alias: string) {
  const fits = alias.length > 0 && alias.length <= 200 && !alias.includes(':')
  if (!fits) throw new ApiError('InvalidIdentifier', "An integration's alias has 1 to 200 characters and no colon, which separates it from what it names")
}

/** A disabled one may be half configured: that is how people prepare one. */
function checkConfiguration(integration: Integration, { alias, enabled, configuration, configurationType }: Installed) {
  if (JSON.stringify(configuration).length > largestConfiguration) throw new ApiError('LimitExceeded', 'A configuration holds 20 kB at most')
  const { definition } = integration
  const chosen = configurationType === null ? definition.configuration : new Map(Object.entries(definition.configurations)).get(configurationType)
  if (!chosen) throw new ApiError('ReferenceNotFound', `The integration "${integration.name}" has no configuration "${configurationType}"`)
  const mismatch = enabled && findMismatch(chosen.schema, configuration)
  if (mismatch) throw new ApiError('InvalidDataFormat', `The configuration of "${alias}" does not fit: ${mismatch}`)
}
