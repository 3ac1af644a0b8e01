// Creates a bot, deploys it, and opens its overview with the emulator.

import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useWorkspace } from '../../api/scope.ts'
import type { BotSource } from '../../parts/bot-files.ts'
import { createFrom, type Missing } from '../../parts/deploy.ts'
import { notifyDone, notifyFailed } from '../../parts/notify.ts'
import { texts } from '../../texts/texts.ts'

const { newBot } = texts.bots

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
    mutationFn: async ({ name, read }: NewBot) =>
      createFrom(client, name, read ? await read() : null),
    onSuccess: async ({ bot, missing }) => {
      notifyDone(newBot.created(bot.name))
      if (missing) notifyMissing(missing)
      await queries.invalidateQueries({ queryKey: ['bots', workspaceId] })
      await navigate({
        to: '/w/$workspaceId/bots/$botId',
        params: { workspaceId, botId: bot.id },
        search: missing ? { emulator: 'open' } : {},
      })
    },
    onError: (error: Error) => {
      if (!showsError) notifyFailed(error)
    },
  })
}

function notifyMissing({ secrets, integrations }: Missing) {
  const lines = [
    ...(secrets.length > 0 ? [newBot.setSecrets(secrets)] : []),
    ...(integrations.length > 0 ? [newBot.configure(integrations)] : []),
  ]
  if (lines.length > 0)
    notifications.show({ title: newBot.missing, message: lines.join(' '), autoClose: false })
}
