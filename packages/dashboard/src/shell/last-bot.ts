// The bot that this tab showed last in a workspace.
import { useSessionStorage } from '@mantine/hooks'
import { useEffect } from 'react'

interface LastBot {
  id: string
  name: string
}

const useStored = (workspaceId: string) =>
  useSessionStorage<LastBot | null>({
    key: `botstead.last-bot.${workspaceId}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  })

export const useLastBot = (workspaceId: string): LastBot | null =>
  useStored(workspaceId)[0]

/** Without a bot, or with one that was deleted, the last one stays or is removed. */
export function useRememberBot(
  workspaceId: string,
  bot: LastBot | undefined,
  isDeleted: boolean,
) {
  const [, setStored] = useStored(workspaceId)
  const { id, name } = bot ?? {}
  useEffect(() => {
    if (isDeleted) setStored(null)
    else if (id !== undefined && name !== undefined) setStored({ id, name })
  }, [id, name, isDeleted, setStored])
}
