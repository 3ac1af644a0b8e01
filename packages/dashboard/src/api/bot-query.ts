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

/** Reads when the bot of the page was deployed, and whether its code loads. */
export function useDeployment() {
  const { botId, client } = useBot()
  return useQuery({
    queryKey: ['versions', botId, 'deployment'],
    queryFn: ({ signal }) => client.platform.getBotDeployment({ params: { botId } }, { signal }),
  })
}
