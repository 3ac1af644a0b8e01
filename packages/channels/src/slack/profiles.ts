// Names and pictures of people: Slack's events contain only their ids.
import type { Arrival, Context } from '../channel.ts'
import { call } from './api.ts'

interface SlackUser {
  name?: string
  real_name?: string
  tz?: string
  team_id?: string
  profile?: {
    real_name?: string
    display_name?: string
    email?: string
    image_192?: string
  }
}

const keptMs = 3_600_000
const maxKept = 5_000
const kept = new Map<string, { until: number; user: SlackUser }>()

/** Returns a person with the profile at Slack; without one if Slack does not give it now. */
export async function findUser(
  context: Context,
  id: string,
  fallbackName?: string,
): Promise<Arrival['user']> {
  const { name, real_name, tz, team_id, profile = {} } = await readProfile(context, id)
  const { display_name, email, image_192 } = profile
  const tags = { id, real_name, display_name, tz, team: team_id, email, image_192 }
  const shown = display_name || real_name || name || fallbackName
  return {
    tags: withoutEmpty(tags),
    by: ['id'],
    ...(shown && { name: shown }),
    ...(image_192 && { pictureUrl: image_192 }),
  }
}

const withoutEmpty = (tags: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(tags).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  )

async function readProfile(context: Context, id: string): Promise<SlackUser> {
  const { botId, alias } = context.installation
  const key = `${botId}/${alias}/${id}`
  const found = kept.get(key)
  if (found && found.until > Date.now()) return found.user
  try {
    const { user } = await call<{ user: SlackUser }>(context, 'users.info', { user: id })
    keep(key, user)
    return user
  } catch {
    // A message without a name is better than none: the app may lack the scope.
    return {}
  }
}

function keep(key: string, user: SlackUser): void {
  kept.delete(key)
  kept.set(key, { until: Date.now() + keptMs, user })
  const oldest = kept.size > maxKept ? kept.keys().next().value : undefined
  if (oldest !== undefined) kept.delete(oldest)
}
