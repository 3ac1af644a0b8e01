import type { Client } from '@botstead/client'
import { useQueryClient } from '@tanstack/react-query'
import { useBot } from '../../api/scope.ts'

type Change = NonNullable<Parameters<Client['runtime']['updateUser']>[0]['body']>

/** Returns a function that changes the user and refetches its page. */
export function useUserChange(id: string): (body: Change) => Promise<void> {
  const { botId, client } = useBot()
  const queries = useQueryClient()
  return async (body) => {
    await client.runtime.updateUser({ params: { id }, body })
    await queries.invalidateQueries({ queryKey: ['users', botId] })
  }
}
