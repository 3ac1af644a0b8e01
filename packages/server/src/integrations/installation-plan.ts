// What an update of a bot does to its installed integrations: from what is there and what is asked for to rows to write and calls to make.
// Pure; integrations/installations.ts reads and writes.
import { ApiError } from '@botstead/contract'
import { findMismatch } from '../lib/json-schemas.ts'
import { codeMark } from './hosted-code.ts'
import { type Installable, isBuiltIn } from './hub.ts'

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

/** Which version works for a bot, and with what. */
export interface Equipment {
  integrationId: string
  configurationType: string | null
  configuration: Configuration
}

/** What is installed, its configuration opened. */
export interface Installed extends Equipment {
  alias: string
  enabled: boolean
  disabledChannels: string[]
  status: InstallationStatus
  /** Which code registered (`codeMark`); null when that was not noted. */
  registeredAs: string | null
}

export interface InstallationPlan {
  put: (Installed & { formerId: string | null; leaves: boolean })[]
  /** Gone at once. */
  remove: string[]
  /** Who has to hear of it, after the commit. */
  tell: Telling[]
}

export interface Telling {
  alias: string
  /** The version that was there before is told to unregister first. Null where there was no other. */
  former: Equipment | null
  /** What is told to the one that is there now. */
  operation: 'register' | 'unregister' | null
  /** It goes afterwards, whatever it says. */
  leaves: boolean
}

const most = 30
const largestConfiguration = 20_000

/** The ids that the changes mention, to be looked up. A key may be one, too. */
export const mentionedIds = (installed: Installed[], changes: InstallationChanges): string[] => [
  ...new Set([
    ...installed.map((one) => one.integrationId),
    ...Object.entries(changes).flatMap(([key, change]) => (change ? [key, change.integrationId ?? key] : [])),
  ]),
]

/**
 * For clients without `x-multiple-integrations`, which know one installation per integration and key it by id: an id as a key is never a
 * new alias, also when the entry repeats it as `integrationId`. Throws InvalidPayload when two keys name one installation.
 */
export function keyedById(
  installed: Installed[],
  changes: InstallationChanges,
  known: Map<string, Installable>,
): InstallationChanges {
  const entries = Object.entries(changes).map(([key, change]): [string, InstallationChange | null] => {
    const isAlias = !known.has(key) || installed.some(({ alias }) => alias === key)
    if (isAlias || !change?.integrationId) return [key, change]
    const now = installed.find(({ integrationId }) => integrationId === key)
    if (now) return [now.alias, change]
    const { integrationId, ...settings } = change
    return [integrationId, settings]
  })
  refuseDoubles(entries.map(([key]) => key))
  return Object.fromEntries(entries)
}

/** `known` holds the integrations that may be installed. Throws ReferenceNotFound, InvalidIdentifier, InvalidDataFormat, LimitExceeded. */
export function planInstallations(
  installed: Installed[],
  changes: InstallationChanges,
  known: Map<string, Installable>,
): InstallationPlan {
  const plan: InstallationPlan = { put: [], remove: [], tell: [] }
  const entries = Object.entries(changes)
  for (const [key, change] of entries) {
    if (!change) continue
    const now = meant(installed, key, change)
    const older = now ? undefined : predecessor(installed, key, change, known)
    planChange(plan, now ?? older, key, older ? { ...change, integrationId: key } : change, known)
  }
  for (const [key, change] of entries) {
    const now = change ? undefined : meant(installed, key, null)
    if (now && !isReplaced(plan, now, key)) planRemoval(plan, now, known)
  }
  refuseDoubles([...plan.put.map((one) => one.alias), ...plan.remove])
  const left = new Set([...installed, ...plan.put].map((one) => one.alias))
  for (const alias of plan.remove) left.delete(alias)
  if (left.size > most) throw new ApiError('LimitExceeded', `A bot has ${most} integrations at most`)
  return plan
}

const meant = (installed: Installed[], key: string, change: InstallationChange | null) =>
  installed.find((one) => one.alias === key) ??
  (change?.integrationId ? undefined : installed.find((one) => one.integrationId === key))

/** Older clients name an installation by the id of its version. The id of another version stands for what has the integration's name as its alias. */
function predecessor(
  installed: Installed[],
  key: string,
  change: InstallationChange,
  known: Map<string, Installable>,
): Installed | undefined {
  const name = change.integrationId ? undefined : known.get(key)?.name
  return installed.find((one) => one.alias === name && known.get(one.integrationId)?.name === name)
}

/** They take away the version that was there in the same breath. */
const isReplaced = ({ put }: InstallationPlan, now: Installed, key: string) =>
  now.alias !== key && put.some(({ alias, integrationId }) => alias === now.alias && integrationId !== key)

/** One installation can be named by its alias and, by older clients, by the id of its integration. */
function refuseDoubles(aliases: string[]) {
  const twice = aliases.find((alias, i) => aliases.indexOf(alias) !== i)
  if (twice !== undefined) throw new ApiError('InvalidPayload', `integrations speaks of "${twice}" twice`)
}

function planRemoval(plan: InstallationPlan, now: Installed, known: Map<string, Installable>) {
  if (!now.enabled || isSilent(known.get(now.integrationId))) return void plan.remove.push(now.alias)
  plan.put.push({ ...now, enabled: false, status: 'unregistration_pending', formerId: null, leaves: true })
  plan.tell.push({ alias: now.alias, operation: 'unregister', former: null, leaves: true })
}

function planChange(
  plan: InstallationPlan,
  now: Installed | undefined,
  key: string,
  change: InstallationChange,
  known: Map<string, Installable>,
) {
  const integrationId = change.integrationId ?? now?.integrationId ?? key
  const integration = known.get(integrationId)
  if (!integration) throw new ApiError('ReferenceNotFound', `Integration "${integrationId}" was not found`)
  const next: Installed = {
    alias: now?.alias ?? (change.integrationId ? key : integration.name),
    integrationId,
    enabled: change.enabled ?? now?.enabled ?? true,
    configurationType:
      change.configurationType === undefined ? (now?.configurationType ?? null) : change.configurationType,
    configuration: change.configuration ?? now?.configuration ?? {},
    disabledChannels: change.disabledChannels ?? now?.disabledChannels ?? [],
    status: now?.status ?? 'unregistered',
    registeredAs: now?.registeredAs ?? null,
  }
  checkAlias(next.alias)
  checkConfiguration(integration, next)
  const isLeft =
    now?.enabled === true &&
    now.integrationId !== next.integrationId &&
    !isSilent(known.get(now.integrationId))
  const former = isLeft ? now : null
  const operation = isSilent(integration) ? null : operationFor(now, next, integration)
  if (operation || former) plan.tell.push({ alias: next.alias, former, operation, leaves: false })
  const status = operation
    ? (`${operation === 'register' ? 'registration' : 'unregistration'}_pending` as const)
    : statusInPeace(next, now)
  plan.put.push({
    ...next,
    status,
    registeredAs: codeMark(integration),
    formerId: former?.integrationId ?? null,
    leaves: false,
  })
}

/** Enabling it, or changing what an enabled one works with, registers it anew; disabling it unregisters. */
function operationFor(
  now: Installed | undefined,
  next: Installed,
  integration: Installable,
): Telling['operation'] {
  if (next.enabled)
    return now?.enabled && now.status === 'registered' && worksAlike(now, next, integration)
      ? null
      : 'register'
  return now?.enabled && now.integrationId === next.integrationId ? 'unregister' : null
}

/** Nobody has to be told of it. What was disabled keeps the outcome of its `unregister`. */
const statusInPeace = (next: Installed, now: Installed | undefined): InstallationStatus =>
  next.enabled ? 'registered' : now && !now.enabled ? now.status : 'unregistered'

const worksAlike = (a: Installed, b: Installed, integration: Installable) =>
  a.integrationId === b.integrationId &&
  a.configurationType === b.configurationType &&
  canonical(a.configuration) === canonical(b.configuration) &&
  (a.registeredAs === null || a.registeredAs === codeMark(integration))

/** The database does not keep the order of keys. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, part) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )

const isSilent = (integration: Installable | undefined) => !integration || isBuiltIn(integration)

function checkAlias(alias: string) {
  const fits = alias.length > 0 && alias.length <= 200 && !alias.includes(':')
  if (!fits)
    throw new ApiError(
      'InvalidIdentifier',
      "An integration's alias has 1 to 200 characters and no colon, which separates it from what it names",
    )
}

/** A disabled one may be half configured: that is how people prepare one. */
function checkConfiguration(
  integration: Installable,
  { alias, enabled, configuration, configurationType }: Installed,
) {
  if (JSON.stringify(configuration).length > largestConfiguration)
    throw new ApiError('LimitExceeded', 'A configuration holds 20 kB at most')
  const { definition } = integration
  const chosen =
    configurationType === null
      ? definition.configuration
      : new Map(Object.entries(definition.configurations)).get(configurationType)
  if (!chosen)
    throw new ApiError(
      'ReferenceNotFound',
      `The integration "${integration.name}" has no configuration "${configurationType}"`,
    )
  const mismatch = enabled && findMismatch(chosen.schema, configuration)
  if (mismatch)
    throw new ApiError('InvalidDataFormat', `The configuration of "${alias}" does not fit: ${mismatch}`)
}
