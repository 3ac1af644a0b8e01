// Names and pictures of people, which some providers give by a separate call: kept for a while, so that not
// every message needs the call.

export interface Profile {
  name?: string
  pictureUrl?: string
  email?: string
}

const keptMs = 60 * 60_000
const keptAfterFailureMs = 60_000
const maxKept = 10_000

/** Returns a function that loads a profile, or has it already. A failure is an empty profile. */
export function createProfiles(now: () => number = Date.now) {
  const kept = new Map<string, { until: number; profile: Promise<Profile> }>()
  return (key: string, load: () => Promise<Profile>): Promise<Profile> => {
    const found = kept.get(key)
    if (found && found.until > now()) return found.profile
    const entry = { until: now() + keptMs, profile: load() }
    entry.profile = entry.profile.catch(() => {
      entry.until = now() + keptAfterFailureMs
      return {}
    })
    kept.delete(key)
    kept.set(key, entry)
    const oldest = kept.keys().next().value
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
    return entry.profile
  }
}

/** Returns a text of a provider's answer; nothing for other values. */
export const toName = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
