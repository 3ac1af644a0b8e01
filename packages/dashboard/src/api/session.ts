// The session: the account, its workspaces, and whether it expired while a page was open.
import type { Output, Permission, platform } from '@botstead/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { clientFor } from './client.ts'

export type Session = Output<typeof platform.sessions.getSession>
type Membership = Session['workspaces'][number]

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => clientFor().platform.getSession({}, { signal }),
  staleTime: 60_000,
})

let isExpired = false
const listeners = new Set<() => void>()
function setExpired(value: boolean) {
  isExpired = value
  for (const each of listeners) each()
}
export const sessionExpired = () => setExpired(true)
export const sessionRenewed = () => setExpired(false)

/** Whether a request of this page got 401. The page stays, so that forms keep their input. */
export const useSessionExpired = () =>
  useSyncExternalStore(
    (changed) => {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
    () => isExpired,
  )

/** Returns the membership in the workspace of the current page, if there is one. */
export function useMembership(): Membership | undefined {
  const { workspaceId } = useParams({ strict: false })
  const { data } = useQuery(sessionQuery)
  return data?.workspaces.find(({ id }) => id === workspaceId)
}

/** Returns whether the account operates the installation. */
export const useIsOperator = () => useQuery(sessionQuery).data?.isOperator ?? false

/** Returns whether the role in this workspace includes the permission. */
export function useMay(): (permission: Permission) => boolean {
  const membership = useMembership()
  return (permission) => membership?.permissions.includes(permission) ?? false
}
