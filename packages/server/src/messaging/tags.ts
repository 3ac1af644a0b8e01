// Tags as each caller sees them. They are stored as the bot sees them: its own bare (`kind`, a plugin's `plugin#kind`), an integration's
// under its alias (`telegram:id`). An integration sees its own, bare, and nothing of others.
import { ApiError } from '@botstead/contract'

export type Tags = Record<string, string>
/** The alias of an integration, or null for the bot. */
export type Viewer = string | null
/** As callers send them: null or the empty text removes. */
export type GivenTags = Record<string, string | null>
/** What an update does to stored tags; both in stored names. */
export interface TagChange {
  set: Tags
  removed: string[]
}

export function viewTags(tags: Tags, viewer: Viewer): Tags {
  if (viewer === null) return tags
  const prefix = `${viewer}:`
  const own = Object.entries(tags).filter(([key]) => key.startsWith(prefix))
  return Object.fromEntries(own.map(([key, value]) => [key.slice(prefix.length), value]))
}

export const storedName = (key: string, viewer: Viewer) => (viewer === null ? key : `${viewer}:${key}`)

/** Tags to look for, in stored names. A bot may look for an integration's. */
export function storedTags(tags: Tags, viewer: Viewer): Tags {
  if (viewer === null) return tags
  return Object.fromEntries(Object.entries(tags).map(([key, value]) => [storedName(key, viewer), value]))
}

/**
 * What the given tags change in those that are there. An integration's tags are for the bot to read: repeating one changes nothing, since
 * bots send back what they were shown; anything else is refused.
 */
export function changeOfTags(given: GivenTags | undefined, viewer: Viewer, stored: Tags = {}): TagChange {
  const set: [string, string][] = []
  const removed: string[] = []
  for (const [key, wanted] of Object.entries(given ?? {})) {
    const value = wanted || null
    const name = storedName(key, viewer)
    const now = Object.hasOwn(stored, name) ? stored[name] : undefined
    if (value === (now ?? null)) continue
    if (viewer === null && key.includes(':'))
      throw new ApiError(
        'InvalidPayload',
        `The tag "${key}" belongs to an integration: a bot may read it only`,
      )
    if (value === null) removed.push(name)
    else set.push([name, value])
  }
  return { set: Object.fromEntries(set), removed }
}

/** Without those that a bot may only read: it may name them to find a thing by, or send them back with it. */
export function ownTags(given: GivenTags | undefined, viewer: Viewer): GivenTags {
  return Object.fromEntries(
    Object.entries(given ?? {}).filter(([key]) => viewer !== null || !key.includes(':')),
  )
}

/** Properties are shared by the bot and all integrations: no prefix, and any name. */
export function changeOfProperties(given: GivenTags | undefined, stored: Tags = {}): TagChange {
  const entries = Object.entries(given ?? {})
  const set = entries.filter((entry): entry is [string, string] => Boolean(entry[1]))
  return {
    set: Object.fromEntries(set),
    removed: entries.filter(([key, value]) => !value && Object.hasOwn(stored, key)).map(([key]) => key),
  }
}

export const applyTags = (stored: Tags, { set, removed }: TagChange): Tags =>
  Object.fromEntries([
    ...Object.entries(stored).filter(([key]) => !removed.includes(key) && !Object.hasOwn(set, key)),
    ...Object.entries(set),
  ])

export const changesNothing = ({ set, removed }: TagChange) =>
  removed.length === 0 && Object.keys(set).length === 0

/**
 * The tags by which a get-or-create finds: all that are given, or only those named. In stored names; null when there are none to go by,
 * which every object would match.
 */
export function discriminating(given: GivenTags, names: string[] | undefined, viewer: Viewer): Tags | null {
  const present = Object.entries(given).filter((entry): entry is [string, string] => Boolean(entry[1]))
  const missing = names?.find((name) => !present.some(([key]) => key === name))
  if (missing !== undefined)
    throw new ApiError('InvalidPayload', `discriminateByTags names "${missing}", which is not among the tags`)
  const chosen = names?.length ? present.filter(([key]) => names.includes(key)) : present
  return chosen.length ? storedTags(Object.fromEntries(chosen), viewer) : null
}

/** Throws InvalidPayload for a tag to be set that is not declared. `declared` is null where nothing is declared: then names are free. */
export function refuseUndeclared({ set }: TagChange, declared: string[] | null, viewer: Viewer) {
  if (!declared?.length) return
  for (const name of Object.keys(set)) {
    const key = viewer === null ? name : name.slice(viewer.length + 1)
    // Plugins are compiled into the bot, which names their tags `plugin#tag`.
    if (!declared.includes(key) && !(viewer === null && key.includes('#')))
      throw new ApiError('InvalidPayload', `The tag "${key}" is not declared`)
  }
}
