import type { admin, Output } from '@botstead/contract'
import { useQuery } from '@tanstack/react-query'
import { isMissing } from '../parts/states.tsx'
import { useBot } from './scope.ts'
import { useMay } from './session.ts'

/** Reads the bot of the page; disabled on pages without one. */
export function useBotQuery({ isNeeded = true } = {}) {
  const { botId, client } = useBot()
  return useQuery({
    queryKey: ['bots', botId, 'bot'],
    queryFn: ({ signal }) => client.admin.getBot({ params: { id: botId } }, { signal }),
    enabled: isNeeded && botId !== '',
  })
}

/** The API's maximum. Bots after these appear under their ids. */
const pageSize = 1_000

function findName(list: Output<typeof admin.bots.listBots> | undefined, botId: string) {
  const found = list?.bots.find(({ id }) => id === botId)
  return (
    found ?? (list?.meta.nextToken === undefined ? undefined : { id: botId, name: botId })
  )
}

/** Reads the name of the bot of the page, also for roles that may not read the bot itself. */
export function useBotName() {
  const { workspaceId, botId, client } = useBot()
  const may = useMay()
  const isReader = may('bots.read')
  const bot = useBotQuery({ isNeeded: isReader })
  const names = useQuery({
    queryKey: ['bots', workspaceId, 'names'],
    queryFn: ({ signal }) => client.admin.listBots({ query: { pageSize } }, { signal }),
    enabled: !isReader && may('bots.list') && botId !== '',
  })
  const { error, refetch } = isReader ? bot : names
  if (isReader) return { data: bot.data?.bot, error, refetch, isAbsent: isMissing(error) }
  const data = findName(names.data, botId)
  return {
    data,
    error,
    refetch,
    isAbsent: names.data !== undefined && data === undefined,
  }
}

/** Reads the versions of the bot, and its deployment. */
export function useVersions() {
  const { botId, client } = useBot()
  return useQuery({
    queryKey: ['versions', botId, 'list'],
    queryFn: ({ signal }) =>
      client.platform.listVersions({ params: { botId } }, { signal }),
  })
}

/** Reads when the bot of the page was deployed, and whether its code loads. */
export function useDeployment() {
  const { botId, client } = useBot()
  return useQuery({
    queryKey: ['versions', botId, 'deployment'],
    queryFn: ({ signal }) =>
      client.platform.getBotDeployment({ params: { botId } }, { signal }),
  })
}
