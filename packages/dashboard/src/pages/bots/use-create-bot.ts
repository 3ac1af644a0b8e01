// Creates a bot, deploys it, and opens its overview with the emulator.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useWorkspace } from '../../api/scope.ts'
import type { BotSource } from '../../parts/bot-files.ts'
import { createFrom } from '../../parts/deploy.ts'
import { notifyDone, notifyFailed } from '../../parts/notify.ts'
import { texts } from '../../texts/texts.ts'

interface NewBot {
  name: string
  /** Absent for an empty bot. */
  read?: () => Promise<BotSource>
}

export function useCreateBot({ showsError = false }: { showsError?: boolean } = {}) {
  const { workspaceId, client } = useWorkspace()
  const navigate = useNavigate()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ name, read }: NewBot) => ({
      bot: await createFrom(client, name, read ? await read() : null),
      isDeployed: read !== undefined,
    }),
    onSuccess: async ({ bot, isDeployed }) => {
      notifyDone(texts.bots.newBot.created(bot.name))
      await queries.invalidateQueries({ queryKey: ['bots', workspaceId] })
      await navigate({
        to: '/w/$workspaceId/bots/$botId',
        params: { workspaceId, botId: bot.id },
        search: isDeployed ? { emulator: 'open' } : {},
      })
    },
    onError: (error: Error) => {
      if (!showsError) notifyFailed(error)
    },
  })
}
