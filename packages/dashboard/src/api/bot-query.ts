import { useQuery } from '@tanstack/react-query'
import { useBot } from './scope.ts'

/** Reads the bot of the page; disabled on pages without one. */
export function useBotQuery() {
  const { botId, client } = useBot()
  return useQuery({
    queryKey: ['bots', botId, 'bot'],
    queryFn: ({ signal }) => client.admin.getBot({ params: { id: botId } }, { signal }),
    enabled: botId !== '',
  })
}

/** Reads the versions of the bot, and its deployment. */
export function useVersions() {
  const { botId, client } = useBot()
  return useQuery({
    queryKey: ['versions', botId, 'list'],
    queryFn: ({ signal }) => client.platform.listVersions({ params: { botId } }, { signal }),
  })
}

/** Reads when the bot of the page was deployed, and whether its code loads. */
export function useDeployment() {
  const { botId, client } = useBot()
  return useQuery({
    queryKey: ['versions', botId, 'deployment'],
    queryFn: ({ signal }) => client.platform.getBotDeployment({ params: { botId } }, { signal }),
  })
}
