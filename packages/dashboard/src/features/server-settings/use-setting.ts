// Tests and saves one setting. A setting that fails the test is saved only if the operator insists.
import type { Output, platform, ServerSettingsChange } from '@botstead/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { clientFor } from '../../api/client.ts'
import { notifyDone } from '../../parts/notify.ts'
import { texts } from '../../texts/texts.ts'

export type ServerSettings = Output<typeof platform.serverSettings.getServerSettings>
export type SettingName = keyof ServerSettingsChange

const queryKey = ['server-settings']

export const useServerSettings = () =>
  useQuery({
    queryKey,
    queryFn: ({ signal }) => clientFor().platform.getServerSettings({}, { signal }),
  })

interface Attempt {
  /** Of one name. */
  change: ServerSettingsChange
  recipient?: string
  what: 'test' | 'save' | 'saveAnyway'
}

export function useSetting() {
  const queries = useQueryClient()
  return useMutation({
    async mutationFn({ change, recipient, what }: Attempt) {
      const client = clientFor().platform
      const to = recipient ? { recipient } : {}
      const result =
        what === 'saveAnyway'
          ? null
          : await client.testServerSettings({ body: { setting: change, ...to } })
      if (what === 'test' || result?.isGood === false) return { result, isSaved: false }
      await client.setServerSettings({ body: change })
      await queries.invalidateQueries({ queryKey })
      return { result, isSaved: true }
    },
    onSuccess({ isSaved }) {
      if (isSaved) notifyDone(texts.common.saved)
    },
  })
}

/** Removes a setting. */
export function useRemoval(name: SettingName) {
  const queries = useQueryClient()
  return async () => {
    await clientFor().platform.setServerSettings({ body: { [name]: null } })
    await queries.invalidateQueries({ queryKey })
    notifyDone(texts.serverSettings.removed)
  }
}
