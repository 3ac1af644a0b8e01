// Converts tags between stored names and a caller's view. Stored names are the bot's view: its own
// tags are bare (`kind`, a plugin's `plugin#kind`), an integration's carry its alias
// (`telegram:id`). An integration sees only its own tags, bare.
import { ApiError } from '@botstead/contract'

export type Tags = Record<string, string>
/** The alias of an integration, or null for the bot. */
export type Viewer = string | null
/** Tags in a request: null or an empty string removes. */
export type TagInput = Record<string, string | null>
/** Changes to stored tags, in stored names. */
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

export const storedName = (key: string, viewer: Viewer) =>
  viewer === null ? key : `${viewer}:${key}`

/** Converts search tags to stored names. A bot may search by an integration's tags. */
export function storedTags(tags: Tags, viewer: Viewer): Tags {
  if (viewer === null) return tags
  return Object.fromEntries(
    Object.entries(tags).map(([key, value]) => [storedName(key, viewer), value]),
  )
}

/**
 * Computes the changes to the stored tags. For a bot, an integration's tags are read-only: an
 * unchanged value is ignored, since bots send back the tags they received; a different value throws
 * InvalidPayload.
 */
export function changeOfTags(
  input: TagInput | undefined,
  viewer: Viewer,
  stored: Tags = {},
): TagChange {
  const set: [string, string][] = []
  const removed: string[] = []
  for (const [key, wanted] of Object.entries(input ?? {})) {
    const value = wanted || null
    const name = storedName(key, viewer)
    const now = Object.hasOwn(stored, name) ? stored[name] : undefined
    if (value === (now ?? null)) continue
    if (viewer === null && key.includes(':'))
      throw new ApiError(
        'InvalidPayload',
        `The tag "${key}" belongs to an integration and is read-only for bots`,
      )
    if (value === null) removed.push(name)
    else set.push([name, value])
  }
  return { set: Object.fromEntries(set), removed }
}

/**
 * Omits tags that are read-only for the bot: it may send them to find an object, or with an update.
 */
export function ownTags(input: TagInput | undefined, viewer: Viewer): TagInput {
  return Object.fromEntries(
    Object.entries(input ?? {}).filter(([key]) => viewer !== null || !key.includes(':')),
  )
}

/**
 * Properties are shared by the bot and all integrations: they have no prefix, and any name is
 * allowed.
 */
export function changeOfProperties(
  input: TagInput | undefined,
  stored: Tags = {},
): TagChange {
  const entries = Object.entries(input ?? {})
  const set = entries.filter((entry): entry is [string, string] => Boolean(entry[1]))
  return {
    set: Object.fromEntries(set),
    removed: entries
      .filter(([key, value]) => !value && Object.hasOwn(stored, key))
      .map(([key]) => key),
  }
}

export const applyTags = (stored: Tags, { set, removed }: TagChange): Tags =>
  Object.fromEntries([
    ...Object.entries(stored).filter(
      ([key]) => !removed.includes(key) && !Object.hasOwn(set, key),
    ),
    ...Object.entries(set),
  ])

export const changesNothing = ({ set, removed }: TagChange) =>
  removed.length === 0 && Object.keys(set).length === 0

/**
 * Returns the tags that identify the object of a get-or-create, in stored names: all given tags, or
 * those in `names`. Returns null when there are none, since every object would match.
 */
export function discriminating(
  input: TagInput,
  names: string[] | undefined,
  viewer: Viewer,
): Tags | null {
  const present = Object.entries(input).filter((entry): entry is [string, string] =>
    Boolean(entry[1]),
  )
  const missing = names?.find((name) => !present.some(([key]) => key === name))
  if (missing !== undefined)
    throw new ApiError(
      'InvalidPayload',
      `\`discriminateByTags\` contains "${missing}", which is not in \`tags\``,
    )
  const chosen = names?.length ? present.filter(([key]) => names.includes(key)) : present
  return chosen.length ? storedTags(Object.fromEntries(chosen), viewer) : null
}

/**
 * Throws InvalidPayload for an undeclared tag. With `declared` null or empty, any name is allowed.
 */
export function rejectUndeclared(
  { set }: TagChange,
  declared: string[] | null,
  viewer: Viewer,
) {
  if (!declared?.length) return
  for (const name of Object.keys(set)) {
    const key = viewer === null ? name : name.slice(viewer.length + 1)
    // Plugins are compiled into the bot and name their tags `plugin#tag`.
    if (!declared.includes(key) && !(viewer === null && key.includes('#')))
      throw new ApiError(
        'InvalidPayload',
        `The tag "${key}" is not declared in the definition: declare it and deploy again`,
      )
  }
}

/** Tags of conversations, messages, users and workflows, as each viewer sees them. */
export const tagRules = {
  toChange: changeOfTags,
  changesNothing,
  listDiscriminating: discriminating,
  toStored: storedTags,
  view: viewTags,
}
