// The passages that the server read from a file, in their order.
import type { File, Passage } from '@botstead/contract'
import { usePages } from '../../api/pages.ts'
import { useBot } from '../../api/scope.ts'

export function usePassages({ id, updatedAt }: File) {
  const { botId, client } = useBot()
  return usePages(['files', botId, id, 'passages', updatedAt], (page, options) =>
    client.files.listFilePassages(
      { params: { id }, query: { limit: 100, ...page } },
      options,
    ),
  )
}

export const getPassages = ({ passages }: { passages: Passage[] }) => passages
