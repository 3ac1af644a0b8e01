// A change of the columns of a table, as the action of a dialog.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useBot } from '../../../api/scope.ts'
import { notifyDone } from '../../../parts/notify.ts'

/** Refetches the table after a change, and closes the dialog. */
export function useTableChange(
  change: () => Promise<unknown>,
  { done, onClose }: { done: string; onClose: () => void },
) {
  const { botId } = useBot()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['tables', botId] })
      notifyDone(done)
      onClose()
    },
  })
}
