// Creates a bot, deploys it, and opens its overview with the emulator; for a bot with knowledge bases, the
// page of its files.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useWorkspace } from '../../api/scope.ts'
import type { BotSource } from '../../parts/files/bot-files.ts'
import { createFrom, type Missing } from '../../parts/files/deploy.ts'
import { InputError } from '../../parts/forms/input-error.ts'
import { notifyDone, notifyFailed } from '../../parts/notify.ts'
import { showToast } from '../../parts/toasts.tsx'
import { texts } from '../../texts/texts.ts'

const { newBot } = texts.bots

interface NewBot {
  name: string
  /** Absent for an empty bot. */
  read?: () => Promise<BotSource>
}

interface CreateBotOptions {
  showsError?: boolean
  /** The page of the new bot that opens, in place of its overview. */
  page?: 'flows' | undefined
}

export function useCreateBot({ showsError = false, page }: CreateBotOptions = {}) {
  const { workspaceId, client } = useWorkspace()
  const navigate = useNavigate()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ name, read }: NewBot) => {
      const source = read ? await read() : null
      const created = await createFrom(client, name, source)
      return { ...created, answersFromFiles: hasKnowledge(source) }
    },
    onSuccess: async ({ bot, missing, loadError, answersFromFiles }) => {
      if (loadError === undefined) notifyDone(newBot.created(bot.name))
      else notifyFailed(new InputError(newBot.createdBroken(bot.name), loadError))
      if (missing) notifyMissing(missing)
      await queries.invalidateQueries({ queryKey: ['bots', workspaceId] })
      const params = { workspaceId, botId: bot.id }
      const search = missing ? { emulator: 'open' } : {}
      if (page) await navigate({ to: flowsPage, params })
      else if (answersFromFiles) await navigate({ to: knowledgePage, params, search })
      else await navigate({ to: '/w/$workspaceId/bots/$botId', params, search })
    },
    onError: (error: Error) => {
      if (!showsError) notifyFailed(error)
    },
  })
}

const flowsPage = '/w/$workspaceId/bots/$botId/flows'
const knowledgePage = '/w/$workspaceId/bots/$botId/knowledge'

/** The next step with such a bot is to add files. */
const hasKnowledge = (source: BotSource | null) =>
  source !== null &&
  'document' in source.content &&
  Object.keys(source.content.document.knowledgeBases ?? {}).length > 0

function notifyMissing({ secrets, integrations }: Missing) {
  const lines = [
    ...(secrets.length > 0 ? [newBot.setSecrets(secrets)] : []),
    ...(integrations.length > 0 ? [newBot.configure(integrations)] : []),
  ]
  if (lines.length > 0)
    void showToast({ title: newBot.missing, message: lines.join(' '), autoClose: false })
}
