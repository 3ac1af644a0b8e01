// Channels of the bot of the page, and how to connect them.
import type { ChannelGuide, ChannelState } from '@botstead/contract'
import { useQuery } from '@tanstack/react-query'
import { useRefreshOnMessages } from '../../api/live.tsx'
import { useBot } from '../../api/scope.ts'

/** A person waits for the first message. */
const waitingMs = 3_000
/** The live stream announces no errors of channels. */
const openMs = 5_000

/** Reads the states of the channels; again and again while the page of one of them is open: `waitsFor`. */
export function useChannels({ waitsFor }: { waitsFor?: string } = {}) {
  const { botId, client } = useBot()
  useRefreshOnMessages(botId, 'bots', { part: 'channels' })
  return useQuery({
    queryKey: ['bots', botId, 'channels'],
    queryFn: ({ signal }) =>
      client.platform.listChannels({ params: { botId } }, { signal }),
    refetchInterval: ({ state: { data } }) => {
      const awaited = data?.channels.find(({ alias }) => alias === waitsFor)
      if (!awaited) return false
      return awaited.lastReceivedAt === undefined ? waitingMs : openMs
    },
  })
}

/** `alias`: of the installed channel, if it is. */
export function useGuide(name: string, alias: string | undefined) {
  const { botId, client } = useBot()
  return useQuery({
    queryKey: ['channelGuides', botId, name, alias],
    queryFn: ({ signal }) => {
      const query = alias === undefined ? {} : { alias }
      return client.platform.getChannelGuide(
        { params: { botId, name }, query },
        { signal },
      )
    },
  })
}

type Light = 'green' | 'unsure' | 'waiting' | 'pending' | 'red' | 'off'

/**
 * Green: it works, and a message has arrived with this configuration. Then a wrong signature may also be
 * that of a stranger.
 */
export function toLight({ enabled, status, lastError, isProved }: ChannelState): Light {
  if (!enabled) return 'off'
  if (status.endsWith('pending')) return 'pending'
  if (status !== 'registered') return 'red'
  if (lastError?.isForged && !lastError.isOver) return isProved ? 'unsure' : 'red'
  return isProved ? 'green' : 'waiting'
}

export type Values = Record<string, unknown>

/** Steps for one value of a setting are shown if it has this value; its default counts. */
export const isWanted = ({ schema }: ChannelGuide, values: Values) => {
  const properties = (schema.properties ?? {}) as Record<string, { default?: unknown }>
  return ({ only }: ChannelGuide['steps'][number]) =>
    only === undefined ||
    (values[only.setting] ?? properties[only.setting]?.default) === only.value
}
