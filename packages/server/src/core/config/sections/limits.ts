// The profile of the limits, and limits that replace those of the profile.

import { ConfigError, readInteger } from '../environment.ts'
import {
  type FloodLimit,
  floodLimits,
  type LimitName,
  type Limits,
  limitNames,
  type Profile,
  profileNames,
  toLimits,
  toSettingName,
} from '../limits.ts'

export interface LimitSection {
  /**
   * BOTSTEAD_LIMITS [relaxed]: Profile of the limits: relaxed, or strict (the values of Botpress Cloud).
   * BOTSTEAD_LIMIT_… overrides one limit.
   */
  limits: Limits
  /** Limits that the operator did not set, and that count public addresses only. */
  publicLimits: ReadonlySet<FloodLimit>
}

export function readLimitSection(env: NodeJS.ProcessEnv): LimitSection {
  const profile = (env.BOTSTEAD_LIMITS || 'relaxed') as Profile
  if (!profileNames.includes(profile))
    throw new ConfigError(
      `BOTSTEAD_LIMITS must be one of ${profileNames.join(', ')}, not "${profile}"`,
    )
  const overrides: Partial<Record<LimitName, number>> = {}
  for (const name of limitNames)
    if (env[toSettingName(name)])
      overrides[name] = readInteger(env, toSettingName(name), 0, 0, 2 ** 50)
  const isDefault = (name: LimitName) =>
    profile === 'relaxed' && overrides[name] === undefined
  return {
    limits: toLimits(profile, overrides),
    publicLimits: new Set(floodLimits.filter(isDefault)),
  }
}
